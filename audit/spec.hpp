// audit/spec.hpp
//
// What a user declares: stores, base tables and indexes, as read from TOML and checked. Plain data;
// program.hpp compiles it, spec_toml.hpp reads it, SPEC.md describes the language.
//
// Shape    Texts of templates and conditions are kept as written; they have been parsed once, so
//          that a Spec that exists is a spec that makes sense. Offline: whether the tables are
//          there is found out by the audit.
// Units    Durations are in milliseconds, `limit_share` is a fraction.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/files/file_table.hpp"
#include "store/rocksdb/raw_layout.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit {

// Where something stands in the spec file; line and column start at 1. A column counts characters,
// not bytes.
struct SpecPlace {
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    friend auto operator<=>(const SpecPlace&, const SpecPlace&) = default;
};

struct StoreSpec {
    std::string name;
    std::string kind;                             // "rocksdb", "memory", …
    std::map<std::string, std::string> settings;  // the other keys, as text: path, region, …
    // The name of the limits of the store that the rows came from ("azure"), where the store that
    // holds them now is more liberal; "" : those of the store itself.
    std::string key_limits;
    store::RawTables raw_tables;  // of kind "rocksdb_raw": how others laid out its tables
    store::FileTables file_tables;  // of kind "files": where its tables lie, and how
    SpecPlace place;
};

// What becomes of a template when an attribute that it uses is absent, null or empty text.
enum class MissingAction {
    skip,  // the row calls for no entry (key, pointer); the attribute is left out (copies)
    keep,  // null and empty text are values like others
    use,   // `text` stands in for it
};

struct MissingRule {
    MissingAction action = MissingAction::skip;
    std::string text;  // of `use`

    friend bool operator==(const MissingRule&, const MissingRule&) = default;
};

struct MissingPolicy {
    MissingRule absent{MissingAction::skip, {}};
    MissingRule null{MissingAction::skip, {}};
    MissingRule empty{MissingAction::keep, {}};

    friend bool operator==(const MissingPolicy&, const MissingPolicy&) = default;
};

// One way to make a value: taken if `when` is true of the row, or is "".
struct TemplateChoice {
    std::string when;
    std::string text;
    SpecPlace place;
};

// A part of a key component that may be any one of several texts: a salt, a shard. `{@any(10)}`
// stands in a template as the first of them, which stands for all.
struct AnyOf {
    enum class Part { none, whole, first, last };
    Part part = Part::none;          // of the component
    std::vector<std::string> texts;
    bool numbers = false;            // whole: they are numbers
    char beside = '\0';              // first, last: the literal character next to it
};

// A template for one named attribute or key component.
struct NamedTemplate {
    std::string name;
    std::string text;  // of the last choice, which for most templates is the only one
    SpecPlace place;
    std::vector<TemplateChoice> choices;  // those before it, in order
    bool otherwise = true;  // is there a text for rows that meet no condition? Else: absent
    AnyOf any;
    MissingPolicy missing;
};

// When a row counts as gone although its store may still hold it.
struct ExpirySpec {
    std::string at;  // template of a number or a time; "": rows do not expire
    std::chrono::milliseconds unit{1000};  // of a number
    // So long before and after that moment nobody can say whether the row is there.
    std::chrono::milliseconds grace{0};
    bool reservation = false;  // of an index: an entry that will expire is not judged before
    SpecPlace place;

    bool given() const { return !at.empty(); }
};

struct BaseSpec {
    std::string name;
    std::string store;
    std::string table;
    std::vector<std::string> key;        // names of the key components
    std::string rows;                    // condition: which rows of the table are its; "" all
    std::vector<std::string> real_if;    // attributes without which a row is not real
    std::vector<NamedTemplate> locate;   // base key, where it is a function of other attributes
    // The kind that an attribute has where it must be recovered from text, as in "USER#{UserId}".
    // What is not named here is text.
    std::map<std::string, store::Bytes> types;
    bool may_be_empty = false;
    ExpirySpec expires;
    SpecPlace place;
    SpecPlace store_place;
    SpecPlace rows_place;
};

enum class ContainerKind {
    none,       // an index row is one entry
    list,       // an attribute holds one member per element: list, set
    map,        // an attribute holds one member per map member
    columns,    // every other attribute of the row is a member; its name is data
    delimited,  // a text attribute holds members with `separator` between them
    json,       // a text attribute holds a JSON array of members
};

struct ContainerSpec {
    ContainerKind kind = ContainerKind::none;
    std::string attribute;             // all but columns: where the members are; see `parts`
    std::string item;                  // list, delimited, json: template of the element
    std::string name;                  // map, columns: template of the member's name
    std::string value;                 // map, columns: template of the member's value
    std::string separator;             // delimited
    // list: what a list is created as where there is none: "list", "text_set", …
    std::string create_as;
    std::vector<std::string> except;   // columns: attributes that are no members
    bool keep_empty = false;           // an empty container is all right, and stays
    std::uint64_t members_max = 0;     // a container that holds so many is full; 0: no limit
    // delimited, json: the members lie in so many attributes, named `attribute` and a number from 0
    // on; 0: in `attribute` itself
    std::uint64_t parts = 0;
    // delimited, json: what one of these texts may hold, in UTF-16 code units; 0: no limit
    std::uint64_t characters_max = 0;
    SpecPlace place;
    SpecPlace item_place;
    SpecPlace name_place;
    SpecPlace value_place;
};

enum class CopiesMode { none, named, all_except };

// Of several base rows that claim one key: which shall have it.
enum class Wins { nobody, smallest, largest };

struct WinnerSpec {
    Wins wins = Wins::nobody;
    std::string by;  // template of what is compared: numbers, times, or texts by their bytes
    SpecPlace place;
};

// What entries under an older key version are worth.
enum class OldVersions {
    accept,   // as good as current ones
    migrate,  // good for readers, and still to be written under the current key
};

// In which order the application writes a base row and its entry.
enum class WriteOrder { unknown, base_first, index_first, together };

struct IndexSpec {
    std::string name;
    std::string of;     // base
    std::string store;
    std::string table;
    std::string rows;   // condition: which rows of the index table are of this index; "" by the key
    std::vector<NamedTemplate> key;
    // Empty: no pointer. A pointer attribute may be a key component of the index table. Where the
    // key holds the whole base key and no pointer was written, these are the key templates that
    // hold it, and `pointer_in_key` is set.
    std::vector<NamedTemplate> pointer;
    bool pointer_in_key = false;
    ContainerSpec container;
    CopiesMode copies_mode = CopiesMode::none;
    std::vector<NamedTemplate> copies;        // named
    std::vector<std::string> copies_except;   // all_except: base attributes that are not copied
    // Attributes that every row of the index has. Of rows that are entries they are checked as
    // copies; container rows get them when they are created.
    std::vector<NamedTemplate> constants;
    std::string when;   // condition: which base rows call for an entry; "" all
    std::string each;   // template of a list: one entry for each element; "" one entry
    bool unique = false;
    std::vector<std::string> unique_scope;  // attributes within whose values the key is unique
    bool lossy = false;
    bool read_only = false;
    bool claim_by_insert = false;  // writers claim by insert-if-absent (pointer-less deletes)
    std::chrono::milliseconds settle{0};
    // An older key version of another index: its name. "": an index by itself. The versions of an
    // index stand behind it in Spec::indexes, each an index of its own.
    std::string version_of;
    OldVersions old_versions = OldVersions::accept;
    // Of an older version: its rows cannot be told from current ones, so that every row of the
    // index is first read as a current one.
    bool tried_in_order = false;
    // The index attributes lie in the base row: `key` names them, the base key is the pointer.
    bool inside = false;
    bool repair_in_row = false;  // inside: these attributes may be written
    std::string covers;          // condition: base rows of which the index says anything; "" all
    ExpirySpec expires;
    WinnerSpec winner;
    WriteOrder writes = WriteOrder::unknown;
    std::string severity = "error";                 // "error", "warning", "info"
    std::map<std::string, std::string> severities;  // by kind of finding, where another
    std::vector<std::string> reported_only;  // kinds of findings for which nothing is planned
    SpecPlace place;
    SpecPlace of_place;
    SpecPlace store_place;
    SpecPlace rows_place;
    SpecPlace when_place;
    SpecPlace each_place;
    SpecPlace covers_place;

    // The index of which this is a version, or itself.
    const std::string& family() const { return version_of.empty() ? name : version_of; }

    // Does an entry say whose it is? If not, one entry serves every base row that derives it.
    bool has_pointer() const { return !pointer.empty() || container.kind != ContainerKind::none; }
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
