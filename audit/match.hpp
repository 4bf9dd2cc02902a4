// audit/match.hpp
//
// Matching of the records of one part: which marks stand on one side only, or oftener on one than
// on the other.
//
// Threads  A plain function.

#pragma once

#include <span>

#include "audit/exact_reconciler.hpp"

namespace idxfsck::audit {

constexpr std::uint64_t side_bit(Side side) {
    return side == Side::index ? std::uint64_t{1} << 63 : 0;
}

void append_unmatched(std::vector<Unmatched>& out,
                      std::span<const ExactReconciler::Record> records, Counting counting);

}  // namespace idxfsck::audit
