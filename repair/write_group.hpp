// repair/write_group.hpp
//
// The writing half of the executor: journal, write under guards, read back, journal. SAFETY.md says
// of each step why stopping there is safe.
//
// Errors   Throws what the journal throws; then no write was begun on its word. What the store
//          throws becomes the outcome of the operation.

#pragma once

#include <vector>

#include "repair/attempt.hpp"
#include "repair/journal.hpp"

namespace idxfsck::repair {

// How an operation ended, and whether the store was changed for it.
struct Written {
    Outcome outcome = Outcome::failed;
    std::string why;
    std::uint64_t writes = 0;
};

// One result for each attempt, in order. All of them have decided to write, no two of them the same
// row.
std::vector<Written> write_group(LiveView& view, Journal& journal,
                                 std::vector<Attempt*> attempts);

// The intent that is journalled for an attempt.
Intent intent_of(const Attempt& attempt);

// Takes back a write whose base rows moved meanwhile, where no guard reaches them, unless the row
// was written again since. `left` is the row as our write left it, `before` as it was.
Written compensate(LiveView& view, Journal& journal, const Attempt& attempt,
                   const std::optional<store::Row>& left);

// Is the row, apart from its version, the one that `expected` says?
bool same_bytes(const std::optional<store::Row>& row, const std::optional<store::Row>& expected);

}  // namespace idxfsck::repair
