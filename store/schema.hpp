// store/schema.hpp
//
// What a table and its store can do: key schema, identity, capabilities, partitions, positions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "store/value.hpp"

namespace idxfsck::store {

struct TableSchema {
    Bytes name;
    std::vector<Bytes> key;  // names of the key components, in order
    // Of each component, the kind that the table takes: text, number (every numeric kind) or
    // binary. Empty: it takes several, or nobody says which.
    std::vector<Kind> key_kinds{};

    friend bool operator==(const TableSchema&, const TableSchema&) = default;
};

// May a value of that kind be a key component of which the table takes `taken`? Absent: it takes
// any.
constexpr bool is_taken(Kind kind, Kind taken) {
    return taken == Kind::absent || kind == taken || (taken == Kind::number && is_numeric(kind));
}

enum class ScanOrder { none, by_bytes, by_utf16 };

// How far one atomic write can be guarded.
enum class GuardReach {
    row,        // on the written row alone
    partition,  // on rows of the same partition
    store,      // on any rows of the store
};

// What a key may be. Nothing: no limit.
struct KeyLimits {
    std::optional<std::size_t> bytes_max;       // each component
    std::optional<std::size_t> characters_max;  // each component, in UTF-16 code units
    bool empty_text = true;                     // is "" a key component
    bool null = true;                           // is null a key component
    Bytes forbidden;                            // characters (ASCII) that no component may hold
    bool control_characters = true;             // U+0000-001F and U+007F-009F allowed

    friend bool operator==(const KeyLimits&, const KeyLimits&) = default;
};

struct Capabilities {
    ScanOrder order = ScanOrder::none;
    bool snapshot = false;      // all calls on one Reader see one moment
    bool row_versions = false;  // rows carry a version that changes with every write
    bool metered = false;       // reading costs money: never scan twice
    bool reads_by_scan = false;  // there is no way to a row but reading the table from its start
    GuardReach guard = GuardReach::row;
    KeyLimits key_limits;
};

// A part of a table. The token means something only to the store that made it.
struct Partition {
    Bytes token;
    Bytes label;  // for people: "segment 3 of 8", "from user/7"

    friend bool operator==(const Partition&, const Partition&) = default;
};

// A place in the scan of a partition: all rows up to it have been handed over.
struct Position {
    Bytes token;

    friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace idxfsck::store
