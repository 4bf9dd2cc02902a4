// reports/plan_text.hpp
//
// A plan, and what became of it, for people: operations one a line, in the order in which they run,
// then the sums.
//
// Shape    "  ID  put_entry  users-by-email  "ann@x.org" -> "u1": why". IDs are what --only and
//          --except take.

#pragma once

#include <string>
#include <vector>

#include "repair/outcome.hpp"
#include "repair/plan.hpp"

namespace idxfsck::reports {

// One line of a list of operations: the columns, and what stands after them.
struct OperationLine {
    std::string id;
    std::vector<std::string> columns;
    std::string facts;
};

// `lines_max` lines at most (0: all), with "showing N of M" if that cuts them.
std::string operation_lines(const std::vector<OperationLine>& lines, std::size_t lines_max);

// All operations of a plan; those for a person say why, the others only if `with_why`.
std::vector<OperationLine> plan_lines(const repair::Plan& plan, bool with_why);

// The operations with these outcomes: all but those that are done, unless `all`.
std::vector<OperationLine> outcome_lines(const repair::Plan& plan,
                                         const repair::RepairResult& result, bool all);

// "2 put_entry, 1 delete_entry, 3 manual"; "" of an empty plan.
std::string operation_counts(const repair::Plan& plan);

// "4 applied, 1 superseded"; "" if there are none.
std::string outcome_counts(const repair::RepairResult& result);

}  // namespace idxfsck::reports
