// tests/cases/plan_check.hpp
//
// Compares a plan, and what the tables hold once it was carried out, with the plan of a case.

#pragma once

#include <string>
#include <vector>

#include "play.hpp"

namespace idxfsck::tests {

// The operations of a plan in the words of the cases, sorted: "put_index by-email
// [\"a@example.com\"]". `manual` stands alone, once for however many.
std::vector<std::string> plan_words(const audit::Spec& spec, const repair::Plan& plan);

// The same of a case. Operations that write nothing (recheck, abort) are left out.
std::vector<std::string> expected_plan_words(const Case& of);

// Is this operation the expected one? A key that the case abbreviates, "...:ann", is any that ends
// so.
bool is_operation(const std::string& expected, const std::string& word);

// What the rows at the keys of the case's plan should hold and do not, once it was carried out.
std::vector<std::string> row_complaints(const Case& of, const Play& play);

// What an operation should find (`if`) and does not: absence, or attributes of the row there.
std::vector<std::string> guard_complaints(const Case& of, const Play& play);

}  // namespace idxfsck::tests
