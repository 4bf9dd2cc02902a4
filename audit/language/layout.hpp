// audit/language/layout.hpp
//
// Where in an index row the parts of an entry lie, and which attributes are whose.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit::language {

// Names, sorted, each once.
class NameSet {
public:
    NameSet() = default;
    explicit NameSet(std::vector<std::string> names);

    bool has(std::string_view name) const;
    const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<std::string> names_;
};

struct PointerPlace {
    std::string name;
    std::optional<std::size_t> component;  // of the key, if it is one
    // That the key of the base takes, if it is a copy of a part of that; absent: any.
    store::Kind kind = store::Kind::absent;
};

struct Layout {
    const IndexSpec* spec = nullptr;
    store::TableSchema schema;           // of the index table
    std::vector<PointerPlace> pointer;   // in the order of the spec
    std::vector<NamedTemplate> copies;   // named copies and constants, in order of name
    NameSet copied;                      // their names
    NameSet not_copied;                  // all_except: what is no copy, whatever its value
    NameSet not_members;                 // columns: what is no member

    bool copies_all() const { return spec->copies_mode == CopiesMode::all_except; }

    // Of the attributes outside the key: does the entry's copies own it?
    bool is_copy(std::string_view name) const {
        return copied.has(name) || (copies_all() && !not_copied.has(name));
    }
};

// `base_schema` is that of the base's table.
Layout make_layout(const IndexSpec& index, const BaseSpec& base, store::TableSchema schema,
                   const store::TableSchema& base_schema);

}  // namespace idxfsck::audit::language
