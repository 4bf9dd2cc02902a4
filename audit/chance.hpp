// audit/chance.hpp
//
// How likely an audit misses a difference: the arithmetic behind "odds of a missed difference".
//
// Shape    An entry that only the base calls for and one that only the index holds hide each other
//          if nothing that an engine keeps of them differs. With d differences there are at most
//          (d/2)^2 such pairs, each of odds 2^-bits, and by the union bound no more than the sum of
//          these. An entry that both sides have hides nothing: a third of the same identity still
//          shows in the count. One of those found is added to each side, so that the odds after a
//          clean audit are not zero.
// Source   The birthday bound for two sets: Mitzenmacher and Upfal, "Probability and Computing",
//          2nd edition, 2017, chapter 5.1.
// Threads  A plain function.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace idxfsck::audit {

// `bits`: of the hash of an entry that the engine compares.
inline double odds_of_a_miss(std::uint64_t differences, int bits) {
    const double half = static_cast<double>(differences) / 2 + 1;
    return std::min(1.0, std::ldexp(half * half, -bits));
}

}  // namespace idxfsck::audit
