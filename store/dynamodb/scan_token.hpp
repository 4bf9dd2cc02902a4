// store/dynamodb/scan_token.hpp
//
// Partitions and positions of a parallel Scan, as tokens.
//
// Shape    A mark, varint segment, varint total, a byte, and with 'a' an encoded key: 's' start,
//          'a' after this key, 'e' end. The mark of a partition is 'S', and it never begins at the
//          end; that of a position is 'P'.
// Errors   Tokens may come from a checkpoint on disk: parsing throws Error for what was not made
//          here, and for a position of another partition.

#pragma once

#include <optional>

#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

struct Segment {
    std::uint64_t number = 0;
    std::uint64_t total = 1;

    friend bool operator==(const Segment&, const Segment&) = default;
};

struct SegmentPlace {
    Segment segment;
    std::optional<Key> after;  // nothing: at the start
    bool ended = false;

    friend bool operator==(const SegmentPlace&, const SegmentPlace&) = default;
};

// What Scan allows.
constexpr std::uint64_t segments_max = 1'000'000;

Partition segment_partition(const Segment& segment);
// What is left of a segment from a place on. A segment cannot be cut, so this is all of it.
Partition rest_partition(const SegmentPlace& place);

Position segment_position(const SegmentPlace& place);
// Where to go on in the partition; nothing for `position`: at its start.
SegmentPlace parse_place(const Partition& partition, const std::optional<Position>& position);

}  // namespace idxfsck::store
