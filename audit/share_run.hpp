// audit/share_run.hpp
//
// The scan of one share of an audit, into a sketch: merge_run adds them up.
//
// Reads    Every row of the partitions of the share, once.
// Gives    The sketch in its file, and what was seen.
// Errors   Throws Error (usage) if the parameters belong to another audit, or the checkpoint to
//          another share. A partition that cannot be read is a gap, in the sketch too.
// Threads  As many workers as the options say.

#pragma once

#include "audit/share.hpp"
#include "audit/sketch_parameters.hpp"

namespace idxfsck::audit {

struct ShareResult {
    Share share;
    std::vector<TableCoverage> tables;
    std::vector<Gap> gaps;
    std::uint64_t partitions_total = 0;  // of all shares
    bool stopped = false;  // then there is no sketch, but the checkpoint, if one was asked for
};

// `options`: threads, memory, spilling, progress, stop and checkpoint; what the parameters fix is
// not looked at.
ShareResult run_share(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options, const SketchParameters& parameters,
                      const Share& share, const std::string& sketch_file);

}  // namespace idxfsck::audit
