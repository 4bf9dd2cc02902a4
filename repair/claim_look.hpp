// repair/claim_look.hpp
//
// For deletes of entries that name no base row: one look at all base rows of an index serves them
// all.

#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "repair/live_view.hpp"
#include "repair/outcome.hpp"

namespace idxfsck::repair {

class ClaimLook {
public:
    // All must outlive it. Operations whose result is not `not_run` are not asked about.
    ClaimLook(LiveView& view, const Plan& plan, const std::vector<OperationResult>& results,
              const StillUnclaimed& still_unclaimed)
        : view_{view}, plan_{plan}, results_{results}, still_unclaimed_{still_unclaimed} {}

    // Does no base row derive the entry that the operation deletes? Nothing: the entry names its
    // base row, or it could not be told. The first question about an index looks at its base table.
    std::optional<bool> unclaimed(const Operation& operation);

private:
    void look(const std::string& index);

    LiveView& view_;
    const Plan& plan_;
    const std::vector<OperationResult>& results_;
    const StillUnclaimed& still_unclaimed_;
    std::unordered_set<std::string> looked_at_;         // indexes
    std::unordered_map<std::string, bool> unclaimed_;   // by operation
};

}  // namespace idxfsck::repair
