// repair/write_batches.hpp
//
// Which writes of a group are handed to their store together: those that it would take in one step.
//
// Shape    A write that rests on a row which another one writes, as base row or beside it, is never
//          handed over with that one: it is looked at again once the other is done. Where a store
//          takes each write by itself, each is a batch of its own, in the order given.
// Threads  Plain functions.

#pragma once

#include <vector>

#include "repair/attempt.hpp"

namespace idxfsck::repair {

// Positions in `attempts`, each once. They have all decided to write, no two of them the same row.
std::vector<std::vector<std::size_t>> batches_of(const LiveView& view,
                                                 const std::vector<Attempt*>& attempts);

}  // namespace idxfsck::repair
