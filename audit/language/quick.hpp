// audit/language/quick.hpp
//
// Which indexes can take the short way (quick_entry.hpp), and by which plan.
//
// Threads  Plain functions.

#pragma once

#include <optional>
#include <vector>

#include "audit/language/key_check.hpp"
#include "audit/language/layout.hpp"
#include "audit/quick_entry.hpp"
#include "audit/spec.hpp"

namespace idxfsck::audit::language {

// How a base row is derived: nothing if its templates or conditions need the long way. `key` are
// the templates in the order of the index's schema; `base_rows` the projection of the base table.
std::optional<QuickEntry> quick_derive(const Layout& layout, const std::vector<NamedTemplate>& key,
                                       const IndexLimits& limits,
                                       store::Projection& base_rows);

// How a row of the index table is decoded, if it is known to be one of this index.
std::optional<QuickEntry> quick_decode(const Layout& layout, const std::vector<NamedTemplate>& key,
                                       const IndexLimits& limits,
                                       store::Projection& index_rows);

// Is every row of the index table one of this index?
bool owns_every_row(const Layout& layout, const std::vector<NamedTemplate>& key);

}  // namespace idxfsck::audit::language
