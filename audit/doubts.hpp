// audit/doubts.hpp
//
// What makes the answer of an audit doubtful although everything was read: a selector that matches
// nothing, an empty base table against entries, an attribute that no row has.
//
// Shape    A doubt about an index silences it: no findings, and the verdict is "could not tell".

#pragma once

#include <vector>

#include "audit/scan.hpp"

namespace idxfsck::audit {

struct Doubts {
    std::vector<Doubt> doubts;
    std::vector<bool> silenced;  // one an index of the programs
};

Doubts find_doubts(const Programs& programs, const ScanResult& scan);

}  // namespace idxfsck::audit
