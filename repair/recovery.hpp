// repair/recovery.hpp
//
// What an executor that was stopped, or whose store failed, left in doubt: intents without an
// outcome. Each may have been written or not, and, where no guard reaches the base rows, its second look may be missing.
//
// Errors   Throws what the journal throws. A store that fails leaves the intent in doubt, for the
//          next run.

#pragma once

#include "repair/write_group.hpp"

namespace idxfsck::repair {

// Closes the open intents of `journal`, so far as they belong to operations of `plan`. Gives the
// number of writes that it took back.
std::uint64_t recover(LiveView& view, Journal& journal, const Plan& plan);

}  // namespace idxfsck::repair
