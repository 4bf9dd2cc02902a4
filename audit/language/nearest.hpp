// audit/language/nearest.hpp
//
// The name that someone who mistyped one most likely meant.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace idxfsck::audit::language {

// Insertions, deletions, replacements and swaps of neighbours between two names, case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `names`, or "" if none is near: a third of the letters may differ.
std::string_view nearest(std::string_view name, std::span<const std::string_view> names);

// "did you mean `lower`?", or else "one of: a, b, c"; "" if there are no names.
std::string suggest(std::string_view name, std::span<const std::string_view> names);

}  // namespace idxfsck::audit::language
