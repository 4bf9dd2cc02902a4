// audit/language/key_kinds.hpp
//
// Which kinds of values a template can make, where a table's key takes one kind alone: a part of a
// key that can never be of that kind would make every row look moved, so the spec is refused.
//
// Shape    Told by templates alone, before a row is seen. In doubt a kind is possible: what a field
//          holds is known row by row, and check_key() looks at it there.
// Threads  Plain functions.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "audit/language/ast.hpp"
#include "audit/spec_toml.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit::language {

// Numeric kinds stand in it as `number`.
using KindSet = std::set<store::Kind>;

// The kinds of attributes whose table takes no other: those of its key.
using KnownKinds = std::map<std::string, store::Kind>;
KnownKinds known_kinds(const store::TableSchema& table);

// All that the templates may make of rows whose attributes are as `known`.
KindSet possible_kinds(const NamedTemplate& named, const KnownKinds& known);

// The name of the attribute that the template copies as it is; "" if it does more than that.
std::string copied_attribute(const NamedTemplate& named);

// Parts of the index's key that the key of its table can never take. `base` are the attributes of
// the base's key.
std::vector<Complaint> kind_complaints(const IndexSpec& index, const store::TableSchema& table,
                                       const KnownKinds& base);
// The same of the base's key, as `types` and `locate` make it of an entry.
std::vector<Complaint> kind_complaints(const BaseSpec& base, const store::TableSchema& table);

}  // namespace idxfsck::audit::language
