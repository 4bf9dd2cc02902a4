// store/key_range.hpp
//
// A run of places in a scan, [begin, end), and its form in the tokens of partitions and positions:
// for stores that walk keys in an order.
//
// Shape    Partition token: varint size of begin, begin, end. An empty begin is the start, an empty
//          end means no end. Position token: empty before the first row, else 01 and the place of
//          the last row that was handed over.
// Errors   Tokens may come from a checkpoint on disk: parsing refuses what was not made here by an
//          Error.

#pragma once

#include <span>

#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

struct KeyRange {
    Bytes begin;
    Bytes end;
    // Begin just behind `begin` instead of at it.
    bool after_begin = false;

    friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

// The label names `label_key`, an encoded key, if there is one.
Partition make_partition(const KeyRange& range, BytesView label_key);
Position make_position(BytesView last_place);

KeyRange parse_partition(const Partition& partition);
// What is left of `partition` after `position`.
KeyRange parse_rest(const Partition& partition, const Position& position);

// An encoded key for people: components with slashes between, cut if long; raw bytes if damaged.
Bytes readable_key(BytesView encoded_key);
Bytes readable_key(std::span<const Value> key);

}  // namespace idxfsck::store
