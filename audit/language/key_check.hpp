// audit/language/key_check.hpp
//
// Can a store hold this value as a key component?

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "audit/program.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit::language {

// Damage::none if it can.
Damage check_key(const store::ValueView& component, const store::KeyLimits& limits);

// The limits of a kind of store, by the name that `limits = "…"` gives; nothing: no such name.
std::optional<store::KeyLimits> named_limits(std::string_view name);
std::vector<std::string_view> limits_names();

}  // namespace idxfsck::audit::language
