// repair/unguarded.hpp
//
// The indexes of a plan whose writes cannot be guarded on their base rows in one step of the store:
// SAFETY.md says what remains possible there. A person is told before anything is written.
//
// Threads  A plain function.

#pragma once

#include <string>
#include <vector>

#include "repair/executor.hpp"
#include "repair/plan.hpp"

namespace idxfsck::repair {

// By name, each once, in the order of the plan.
std::vector<std::string> unguarded_indexes(const Plan& plan, const audit::Spec& spec,
                                           const Stores& stores);

}  // namespace idxfsck::repair
