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

// Their values in `row`, absent ones too; with `copies = all`, also whatever else is copied.
std::vector<store::NamedValue> depended_values(const NameSet& names, const Layout& layout,
                                               const store::Row& row);

}  // namespace idxfsck::audit::language
