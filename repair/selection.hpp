// repair/selection.hpp
//
// Which operations a person left out on the command line.
//
// Errors   Throws Error (usage) for an id that the plan does not have.

#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "repair/executor.hpp"

namespace idxfsck::repair {

class Selection {
public:
    Selection(const Plan& plan, const RepairOptions& options);

    bool leaves_out(const std::string& id) const {
        return (!only_.empty() && !only_.contains(id)) || except_.contains(id);
    }

private:
    std::unordered_set<std::string> only_;
    std::unordered_set<std::string> except_;
};

}  // namespace idxfsck::repair
