// audit/conclude.hpp
//
// From the outcomes of single suspects to findings: several claims of one place become one finding,
// the two halves of a move are linked, everything is put into report order.
//
// Shape    The result depends on the outcomes only, not on their order.
// Threads  Plain functions.

#pragma once

#include <vector>

#include "audit/judge.hpp"

namespace idxfsck::audit {

struct Conclusion {
    std::vector<Finding> findings;  // in report order
    // One an index: what became of its suspects. They add up to their number.
    std::vector<std::uint64_t> settled;
    std::vector<std::uint64_t> shared;
    std::vector<std::uint64_t> legacy;
    std::vector<std::uint64_t> uncovered;
    std::vector<std::uint64_t> expiring;
    std::vector<std::uint64_t> accounted;  // by a finding
    std::vector<std::uint64_t> moves;
};

// Outcomes that are still `unclaimed` are taken for findings.
Conclusion conclude(const Programs& programs, Outcomes outcomes);

}  // namespace idxfsck::audit
