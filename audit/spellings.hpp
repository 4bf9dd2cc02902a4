// audit/spellings.hpp
//
// The keys under which a store may hold the row that a key names.
//
// An index may keep as a decimal what the base table has as an integer: they are one number to the
// audit, but two keys to the store. So a key with numbers is looked for in every numeric kind.

#pragma once

#include <vector>

#include "store/row.hpp"

namespace idxfsck::audit {

// Can a table hold a row under this key? A pointer is data: it may be a list, or a number that is
// none.
bool can_be_key(const store::Key& key);

// `key` itself first. It must be one that can be a key.
std::vector<store::Key> spellings(const store::Key& key);

}  // namespace idxfsck::audit
