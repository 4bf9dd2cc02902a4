// store/rocksdb/raw_options.hpp
//
// What to open a database with that some other application configured.
//
// For reading: as its OPTIONS file says, as far as this tool has what that names, and only the
// families that are asked for. For writing: exactly as the file says, all families; opening writes
// the options down again, so whatever would be lost on the way is refused.
//
// Errors   Throws Error, with what is in the way by name: a comparator or, for writing, a merge
//          operator or a compaction filter that is not RocksDB's own; a log in another folder.

#pragma once

#include <set>

#include "store/rocksdb/database.hpp"

namespace idxfsck::store {

struct RawOpening {
    std::set<Bytes> families;
    // The folder is a checkpoint: its log lies in it, whatever its options say of the original's.
    bool checkpoint = false;
};

MakePlan raw_reading_plan(RawOpening opening);
MakePlan raw_writing_plan(RawOpening opening);

// The first part of the database's set-up that is not RocksDB's own, "MergeOperator: shop.Append";
// "" if there is none, or no file of options.
std::string raw_foreign_part(const std::string& path);

}  // namespace idxfsck::store
