// store/azure_tables/key_model.hpp
//
// Keys as numbers between 0 and 1, and numbers as keys: where to look for a key about half way
// between two others.
//
// Shape    Each character takes a share of what the ones before it left, as in arithmetic coding:
//          digits and letters much, other ASCII less, all else an eighth together. The gap between
//          partition key and row key is a character too, the least one. That puts points where keys
//          are likely; nothing rests on it.
// Threads  Plain functions.

#pragma once

#include <vector>

#include "store/azure_tables/table_place.hpp"

namespace idxfsck::store {

// Places between the two (nothing: the end of the table), ascending, about evenly spread by the
// model; at most `count`. Real keys need not be there.
std::vector<TablePlace> places_between(const TablePlace& low, const std::optional<TablePlace>& high,
                                       std::size_t count);

// Places just behind all keys that share the first n characters of `low`, for as many n as there
// are, or `count` of them, ascending: where keys of another kind may begin.
std::vector<TablePlace> places_behind_prefixes(const TablePlace& low, std::size_t count);

}  // namespace idxfsck::store
