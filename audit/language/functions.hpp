// audit/language/functions.hpp
//
// The functions of conditions: one table that the parser, the programs and the manual share.
//
// Shape    A function takes one operand, and for some a literal after it, and gives true, false or
//          unknown. A transform may be written as a function too: lower(a) is a|lower.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace idxfsck::audit::language {

enum class Function : std::uint8_t {
    exists,
    missing,
    is_null,
    is_empty,
    has_value,
    starts_with,
    ends_with,
    contains,
    matches,
};

struct FunctionInfo {
    Function function;
    std::string_view name;
    std::string_view arguments;    // as the manual shows them: "(a, 'text')"
    std::string_view description;  // one sentence, for the manual
    std::size_t operands = 1;
};

// All functions, in the order of the manual.
std::span<const FunctionInfo> functions();

// The function of that name, or nothing.
const FunctionInfo* find_function(std::string_view name);

std::vector<std::string_view> function_names();

}  // namespace idxfsck::audit::language
