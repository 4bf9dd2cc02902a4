// audit/spec.hpp
//
// What a user declares: stores, base tables and indexes, as read from TOML and checked. Plain data;
// program.hpp compiles it, spec_toml.hpp reads it, SPEC.md describes the language.
//
// Shape    Texts of templates and conditions are kept as written; they have been parsed once, so
//          that a Spec that exists is a spec that makes sense. Offline: whether the tables are there
//          is found out by the audit.
// Units    Durations are in milliseconds, `limit_share` is a fraction.

#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/schema.hpp"

namespace idxfsck::audit {

// Where something stands in the spec file; line and column start at 1.
struct SpecPlace {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct StoreSpec {
    std::string name;
    std::string kind;                             // "rocksdb", "memory", …
    std::map<std::string, std::string> settings;  // the other keys, as text: path, region, …
    SpecPlace place;
};

// A template for one named attribute or key component.
struct NamedTemplate {
    std::string name;
    std::string text;
    SpecPlace place;
};

struct BaseSpec {
    std::string name;
    std::string store;
    std::string table;
    std::vector<std::string> key;        // names of the key components
    std::string rows;                    // condition: which rows of the table are of this kind; "" all
    std::vector<std::string> real_if;    // attributes without which a row is not real
    std::vector<NamedTemplate> locate;   // base key from other attributes, where the key is a function
    bool may_be_empty = false;
    SpecPlace place;
};

enum class ContainerKind {
    none,     // an index row is one entry
    list,     // an attribute holds one member per element: list, set
    map,      // an attribute holds one member per map member
    columns,  // every other attribute of the row is a member; its name is data
};

struct ContainerSpec {
    ContainerKind kind = ContainerKind::none;
    std::string attribute;             // list, map: where the members are
    std::string item;                  // list: template of the element
    std::string name;                  // map, columns: template of the member's name
    std::string value;                 // map, columns: template of the member's value
    std::vector<std::string> except;   // columns: attributes that are no members
    bool keep_empty = false;           // an empty container is all right, and stays
};

enum class CopiesMode { none, named, all_except };

struct IndexSpec {
    std::string name;
    std::string of;     // base
    std::string store;
    std::string table;
    std::string rows;   // condition: which rows of the index table are of this index; "" all
    std::vector<NamedTemplate> key;
    std::vector<NamedTemplate> pointer;  // empty: no pointer
    ContainerSpec container;
    CopiesMode copies_mode = CopiesMode::none;
    std::vector<NamedTemplate> copies;        // named
    std::vector<std::string> copies_except;   // all_except: base attributes that are not copied
    std::vector<NamedTemplate> constants;     // attributes that every row of the index has
    std::string when;   // condition: which base rows call for an entry; "" all
    std::string each;   // template of a list: one entry for each element; "" one entry
    bool unique = false;
    bool lossy = false;
    bool read_only = false;
    bool claim_by_insert = false;  // writers claim by insert-if-absent (pointer-less deletes)
    std::chrono::milliseconds settle{0};
    SpecPlace place;
};

struct LimitsSpec {
    std::uint64_t deletes_max = 1000;
    double deletes_share_max = 0.05;
};

struct Spec {
    std::string file;    // as the user named it; for messages
    std::string text;    // the whole file: its digest binds plans and checkpoints
    std::string digest;  // 32 hex digits, XXH3-128 of text
    std::vector<StoreSpec> stores;
    std::vector<BaseSpec> bases;
    std::vector<IndexSpec> indexes;
    LimitsSpec limits;

    const StoreSpec* store(std::string_view name) const;
    const BaseSpec* base(std::string_view name) const;
    const IndexSpec* index(std::string_view name) const;
};

}  // namespace idxfsck::audit
