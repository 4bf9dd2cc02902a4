// repair/recovery.hpp
//
// What an executor that was stopped, or whose store failed, left in doubt: intents without an
// outcome. Each may have been written or not, and, where no guard reaches the base rows, its second
// look may be missing.
//
// Errors   Throws what the journal throws. A store that fails leaves the intent in doubt, for the
//          next run; until then nothing more may be written to its row.

#pragma once

#include <unordered_set>

#include "repair/write_group.hpp"

namespace idxfsck::repair {

struct Recovery {
    std::uint64_t taken_back = 0;                    // writes
    std::unordered_set<store::Bytes> rows_in_doubt;  // still, by address
};

// Closes the open intents of `journal`, so far as they belong to operations of `plan`.
Recovery recover(LiveView& view, Journal& journal, const Plan& plan);

}  // namespace idxfsck::repair
