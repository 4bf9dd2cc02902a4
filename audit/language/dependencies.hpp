// audit/language/dependencies.hpp
//
// The attributes of a base row on which its entries rest.

#pragma once

#include <string>
#include <vector>

#include "audit/language/layout.hpp"
#include "audit/spec.hpp"
#include "store/row.hpp"

namespace idxfsck::audit::language {

// Names of attributes outside the base key that selector, existence, condition, each, key, pointer
// and named copies use. Sorted.
NameSet dependencies_of(const IndexSpec& index, const BaseSpec& base, const Layout& layout,
                        const std::vector<std::string>& base_key);

// Those without which there is no entry: of each, key and pointer. None where an absent attribute
// does not skip the row.
std::vector<std::string> needs_of(const IndexSpec& index);

// The values of the dependencies in `row`, absent ones too; with `copies = "all"`, also whatever
// else is copied.
std::vector<store::NamedValue> depended_values(const NameSet& names, const Layout& layout,
                                               const store::Row& row);

}  // namespace idxfsck::audit::language
