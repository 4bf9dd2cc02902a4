// repair/draft.hpp
//
// One finding in, the operation that mends it out: the table of repair/README.md as code.
//
// Shape    Pure. `after` is not set yet: that takes all operations (make_plan.cpp).

#pragma once

#include <optional>

#include "repair/plan.hpp"
#include "repair/survey.hpp"

namespace idxfsck::repair {

// Nothing: another operation mends this finding too (the stale half of a replace_entry).
std::optional<Operation> draft(const audit::Spec& spec, const Survey& survey,
                               const audit::Finding& finding);

// Turns an operation into one for a person.
void make_manual(Operation& operation, std::string_view why);

}  // namespace idxfsck::repair
