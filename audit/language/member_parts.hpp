// audit/language/member_parts.hpp
//
// The attributes in which the members of a container lie: one, or several that are numbered, as a
// store whose attributes are small has them (ids_0, ids_1, …).
//
// Shape    A member is in one part only. A new one goes into the last part that is there, then into
//          the next one that is not, then wherever there is room; none of them is written longer
//          than the spec's `characters_max`, in UTF-16 code units. Parts without members go.
// Threads  Plain functions.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "store/row.hpp"

namespace idxfsck::audit::language {

// The names of the parts, in order. Of `columns`, whose members have their own names: one, empty.
std::vector<std::string> part_names(const ContainerSpec& container);

// Is there no part that could take one more member, as long as the longest that is there? `parts`
// are the attributes of that name, absent ones too.
bool is_full(const ContainerSpec& container, std::span<const store::ValueView> parts);

// Adds the member to the row, which stays as it is if it has it, or where no part can take it.
void add_to_parts(const ContainerSpec& container, std::span<const store::ValueView> member,
                  store::Row& row);

// Takes the member out of the row. False if no member is left.
bool take_from_parts(const ContainerSpec& container, std::span<const store::ValueView> member,
                     store::Row& row);

}  // namespace idxfsck::audit::language
