// store/files/file_range.hpp
//
// A run of rows in the files of a table, which lie one behind the other: [begin, end).
//
// Shape    A place is the number of a file and an offset in its text; behind the last row of a file
//          comes the next file at offset 0. Tokens: a partition is begin and end, four varints; a
//          position is 01 and the place behind the last row that was handed over, two varints.
// Errors   Tokens may come from a checkpoint on disk: parsing refuses what was not made here by an
//          Error.

#pragma once

#include <compare>
#include <vector>

#include "store/files/file_part.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

struct FilePlace {
    std::uint64_t file = 0;
    std::uint64_t offset = 0;

    friend auto operator<=>(const FilePlace&, const FilePlace&) = default;
};

struct FileRange {
    FilePlace begin;
    FilePlace end;

    friend bool operator==(const FileRange&, const FileRange&) = default;
};

Partition make_file_partition(const FileRange& range, const std::vector<FilePart>& parts);
Position make_file_position(const FilePlace& place);

FileRange parse_file_partition(const Partition& partition, const std::vector<FilePart>& parts);
// What is left of `partition` after `position`.
FileRange parse_file_rest(const Partition& partition, const Position& position,
                          const std::vector<FilePart>& parts);

}  // namespace idxfsck::store
