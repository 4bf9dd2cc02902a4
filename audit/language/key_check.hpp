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

// What the key of an index may be.
struct IndexLimits {
    store::KeyLimits each;                      // of every component
    std::optional<std::size_t> sort_bytes_max;  // of those after the first, where it is less
    std::vector<store::Kind> kinds{};  // that its table takes, of each component; empty: any

    // Of the component at this place.
    std::optional<std::size_t> bytes_max_at(std::size_t place) const {
        return place > 0 && sort_bytes_max ? sort_bytes_max : each.bytes_max;
    }
    // Absent: any.
    store::Kind kind_at(std::size_t place) const {
        return place < kinds.size() ? kinds[place] : store::Kind::absent;
    }
};

// Damage::none if it can. `place` is the component's in the key.
Damage check_key(const store::ValueView& component, std::size_t place, const IndexLimits& limits);

// The limits of a kind of store, by the name that `limits = "…"` gives; nothing: no such name.
std::optional<store::KeyLimits> named_limits(std::string_view name);
std::vector<std::string_view> limits_names();
// Of the components after the first, where that kind of store takes less of them.
std::optional<std::size_t> named_sort_bytes_max(std::string_view name);

}  // namespace idxfsck::audit::language
