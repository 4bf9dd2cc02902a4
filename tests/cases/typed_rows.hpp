// tests/cases/typed_rows.hpp
//
// The rows of a case, which are written as it comes, as rows of tables with a key.
//
// Shape    README.md says what becomes of `table`, `key`, `column`, `json`, `members` and of fields
//          that begin with `_`. The schema of a table is what the spec says of it: the key of the
//          base, or the names of the index's key templates.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "store/json/value_json.hpp"
#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::tests {

struct TypedRow {
    std::string table;
    store::Row row;
};

// Numbers keep their spelling; an array is a list, an object a map.
store::Value typed_value(const store::Json& json);

// A key as a plan of a case writes it: an array of components, or the only one.
store::Key typed_key(const store::Json& json);

std::vector<store::TableSchema> schemas_of(const audit::Spec& spec);

// A row of the side that `table` is the usual table of. Nothing for a row that only repeats what
// stands in a base row. `now_s` is the moment from which `_ttl_s` counts.
std::optional<TypedRow> typed_row(const store::Json& json, const std::string& table,
                                  const std::vector<store::TableSchema>& schemas,
                                  std::int64_t now_s);

}  // namespace idxfsck::tests
