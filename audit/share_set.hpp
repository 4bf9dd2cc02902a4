// audit/share_set.hpp
//
// Which of several sketches make up one audit.
//
// Errors   As merge_run.hpp says.
// Threads  Plain functions and values.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "audit/sketch_file.hpp"

namespace idxfsck::audit {

// The sketch of a share that counts.
struct KeptSketch {
    std::string file;
    SketchHead head;                  // without the parameters, which are those of the set
    std::set<store::Bytes> contents;  // digests of all sketches of the share
};

struct ShareSet {
    SketchParameters parameters;
    std::map<Share, KeptSketch> shares;
};

// Reads the heads of all sketches and keeps one a share. Refuses those that belong to another spec
// than this one, or to other parameters than the rest.
ShareSet collect_shares(const std::string& spec_digest, const std::vector<std::string>& files);

// Refuses partitions that two shares have, or none.
void check_shares(const ShareSet& set);

}  // namespace idxfsck::audit
