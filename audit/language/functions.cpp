#include "audit/language/functions.hpp"

#include <array>

namespace idxfsck::audit::language {

namespace {

constexpr std::array<FunctionInfo, 9> table{{
    {Function::exists, "exists", "(a)", "The row has the attribute, be it null or empty.", 1},
    {Function::missing, "missing", "(a)", "The row has no such attribute.", 1},
    {Function::is_null, "is_null", "(a)", "The attribute is there and null.", 1},
    {Function::is_empty, "is_empty", "(a)",
     "The attribute is there: a text or binary without bytes, a list, set or map without elements.",
     1},
    {Function::has_value, "has_value", "(a)",
     "The attribute is there, not null, and not empty: exists, not is_null, not is_empty.", 1},
    {Function::starts_with, "starts_with", "(a, 'text')", "The bytes of a begin so.", 2},
    {Function::ends_with, "ends_with", "(a, 'text')", "The bytes of a end so.", 2},
    {Function::contains, "contains", "(a, 'text')",
     "The text holds the other one; a list or set has such an element; a map such a member.", 2},
    {Function::matches, "matches", "(a, 'expression')",
     "The regular expression (RE2) matches somewhere in the text; anchor it with ^ and $.", 2},
}};

}  // namespace

std::span<const FunctionInfo> functions() {
    return table;
}

const FunctionInfo* find_function(std::string_view name) {
    for (const FunctionInfo& info : table) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

std::vector<std::string_view> function_names() {
    std::vector<std::string_view> names;
    for (const FunctionInfo& info : table) names.push_back(info.name);
    return names;
}

}  // namespace idxfsck::audit::language
