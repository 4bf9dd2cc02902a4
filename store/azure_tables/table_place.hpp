// store/azure_tables/table_place.hpp
//
// Places between the rows of a table, in the service's order, ranges of them, and both as tokens.
//
// Shape    The order is by partition key, then row key, each by UTF-16 code unit. That is not the
//          order of the bytes: U+1F600 comes before U+FFEE.
//          A range becomes up to three legs, each a condition on one run of rows: what is left of
//          the first partition, the partitions in between, the front of the last partition. A
//          condition with `or` would make the service read the table from its start.
//          Tokens: a mark, then places. A place: varint size and partition key, a byte ('p' before
//          the partition, 'r' before a row, 'a' after it), and for rows varint size and row key.
//          Partition 'T' place, 'e' or 'n', place; and where rows come in no order, 'C' leg and
//          continuation. Position 'P' place; 'C' leg and continuation; 'E' digest of the
//          partition: its end. A continuation: for its partition and its row 'y', varint size and
//          text, or 'n' for none.
// Errors   Tokens may come from a checkpoint on disk: parsing throws Error for what was not made
//          here, and for a position of another partition.
// Source   "Understanding the Table service data model"; measured on azurite 3.35.0.

#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

// By UTF-16 code unit, of two texts in UTF-8.
std::strong_ordering compare_utf16(BytesView a, BytesView b);

struct TablePlace {
    Bytes partition_key;
    std::optional<Bytes> row_key;  // nothing: before all rows of the partition
    bool after = false;            // just behind the row instead of before it

    // Does the row come behind this place?
    bool is_before(BytesView partition, BytesView row) const;

    friend bool operator==(const TablePlace&, const TablePlace&) = default;
};

std::strong_ordering compare_places(const TablePlace& a, const TablePlace& b);

struct PlaceRange {
    TablePlace begin;
    std::optional<TablePlace> end;  // nothing: the end of the table; never `after` a row

    friend bool operator==(const PlaceRange&, const PlaceRange&) = default;
};

// The conditions of the legs, in order, not encoded; "" is none. No leg: the range is empty.
std::vector<Bytes> legs_of(const PlaceRange& range);

// Where a page goes on: opaque, any part may be missing. One that is there is sent back even if it
// is empty: an emulator says so that the partition key is the empty one, and would take its lack
// for the end of the table.
struct Continuation {
    std::optional<Bytes> partition;
    std::optional<Bytes> row;
    std::optional<Bytes> table;  // of a list of tables

    // One of empty parts alone is none.
    bool more() const;
    // Begins with '&'; "" if there is none.
    Bytes query() const;

    friend bool operator==(const Continuation&, const Continuation&) = default;
};

// Where a scan of a range stands.
struct ScanPlace {
    PlaceRange range;  // what is left
    bool ended = false;
    // Where rows come in no order: the leg of the whole range, and its next page.
    std::size_t leg = 0;
    Continuation next;
};

Partition range_partition(const PlaceRange& range);
// What is left from a place on.
Partition rest_partition(const ScanPlace& place);

Position row_position(const TablePlace& place);
Position page_position(std::size_t leg, const Continuation& next);
Position end_position(const Partition& partition);
// Where to go on in the partition; nothing for `position`: at its start.
ScanPlace parse_position(const Partition& partition, const std::optional<Position>& position);

}  // namespace idxfsck::store
