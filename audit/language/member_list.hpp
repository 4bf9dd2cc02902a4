// audit/language/member_list.hpp
//
// The members of a container attribute, taken apart and put together again: list, set, map, text
// with separators, JSON array.
//
// Shape    A member is what entry.hpp calls the pointer of an entry in a container: the element, or
//          name and value.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "audit/spec.hpp"
#include "store/value.hpp"

namespace idxfsck::audit::language {

// The elements of an attribute that holds members, but of a map; none where it cannot be read.
std::vector<store::Value> members_of(const ContainerSpec& container,
                                     const store::ValueView& before);

// The attribute with `member` added; as it is if it has it. `before` may be absent. Nothing if
// `before` is of a kind that cannot hold it.
std::optional<store::Value> with_member(const ContainerSpec& container,
                                        const store::ValueView& before,
                                        std::span<const store::ValueView> member);

// The attribute without `member`; as it is if it does not have it. Absent if nothing is left.
std::optional<store::Value> without_member(const ContainerSpec& container,
                                           const store::ValueView& before,
                                           std::span<const store::ValueView> member);

// The attribute without any member: sets cannot be empty everywhere, so a set becomes absent.
store::Value empty_members(const ContainerSpec& container, const store::ValueView& before);

// Equal as entries are: numbers compared as numbers.
bool same_value(const store::ValueView& a, const store::ValueView& b);

// The members of a JSON array as a list; nothing if the text is no such array.
std::optional<store::Value> json_members(store::BytesView text);
// The reverse; nothing if a member cannot stand in JSON.
std::optional<store::Value> json_text(const std::vector<store::Value>& members);

}  // namespace idxfsck::audit::language
