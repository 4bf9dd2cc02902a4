// audit/language/entry_writer.hpp
//
// The index row as it is once an entry was put into it or taken out. Nothing is written here: a
// repair makes guarded writes of it.

#pragma once

#include <optional>

#include "audit/entry.hpp"
#include "audit/language/layout.hpp"
#include "store/row.hpp"

namespace idxfsck::audit::language {

// `before` is the row as it is, or nothing. Attributes that the index does not own are kept, and
// the order of a list's members. A container attribute of another kind than the spec says is left
// alone.
store::Row with_entry(const Layout& layout, const EntryView& entry,
                      const std::optional<store::Row>& before);

// Nothing if the row shall be deleted.
std::optional<store::Row> without_entry(const Layout& layout, const EntryView& entry,
                                        const store::Row& before);

}  // namespace idxfsck::audit::language
