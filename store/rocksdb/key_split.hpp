// store/rocksdb/key_split.hpp
//
// Where to cut a range of keys so that the parts hold about as much data each.
//
// Few rows are counted one by one and cut exactly. Many are cut by RocksDB's estimate of the bytes
// between two keys: a search halves the distance between keys, taken as numbers, until the estimate
// is near the share that is wanted, and then seeks the next real key.
//
// Limits   The estimate knows blocks, not rows. Keys that share all but a few rows with one long
//          prefix take more steps; the search gives up after 128 and leaves the range whole.

#pragma once

#include <vector>

#include "store/rocksdb/key_walk.hpp"

namespace idxfsck::store {

// Real keys inside the range (behind its begin, before its end), ascending, at most `parts` - 1:
// the begins of the second to last part.
std::vector<Bytes> cut_keys(const KeySpace& space, const KeyRange& range, std::size_t parts);

// A key between the two, by their bytes as numbers: about half way. `low` itself if there is none.
Bytes middle_key(BytesView low, BytesView high);

}  // namespace idxfsck::store
