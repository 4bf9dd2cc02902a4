// audit/winner.hpp
//
// Which of several base rows that claim one key shall have it, by the rule of the spec.
//
// Threads  Plain functions.

#pragma once

#include <optional>
#include <vector>

#include "audit/spec.hpp"
#include "store/value.hpp"

namespace idxfsck::audit {

// Does `rank` win against `other`? Not if they are equal, or cannot be compared.
bool outranks(const WinnerSpec& winner, const store::Value& rank, const store::Value& other);

// The position of the one that wins against all others; nothing if none does.
std::optional<std::size_t> winner_of(const WinnerSpec& winner,
                                     const std::vector<store::Value>& ranks);

}  // namespace idxfsck::audit
