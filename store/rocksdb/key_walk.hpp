// store/rocksdb/key_walk.hpp
//
// Walks a run of keys of a column family in ascending order of their bytes, whether the database
// keeps them in that order or in the reverse one.
//
// Errors   Throws Error when the database fails. Throws nothing for the end of the range.
// Threads  Belongs to one thread.

#pragma once

#include <memory>

#include <rocksdb/db.h>
#include <rocksdb/sst_file_reader.h>

#include "store/key_range.hpp"
#include "store/rocksdb/database.hpp"

namespace idxfsck::store {

struct KeySpace {
    rocksdb::DB& db;
    Family* family;
    const std::string& path;
};

// Does the family keep its keys in descending order of bytes?
bool is_reversed(const KeySpace& space);

class KeyWalk {
public:
    // Stands on the first key of `range`, or is at the end. Both must outlive the walk. With a
    // `file`, which must outlive it too, the keys of that file alone: see sorted_run.hpp.
    KeyWalk(const KeySpace& space, const KeyRange& range, rocksdb::ReadOptions options,
            rocksdb::SstFileReader* file = nullptr);

    // False at the end of the range.
    bool valid() const {
        return at_->Valid() && (!checks_end_ || end_.empty() || key() < end_.ToStringView());
    }
    void next() { reversed_ ? at_->Prev() : at_->Next(); }
    BytesView key() const { return at_->key().ToStringView(); }
    BytesView value() const { return at_->value().ToStringView(); }

    // Throws Error if the walk ended because the database failed.
    void check() const;

    // Goes to the last key of the range; false if it is empty.
    bool seek_last();

private:
    const std::string& path_;
    const KeyRange& range_;
    const bool reversed_;
    // RocksDB's own bound, where the order is its own; an upper bound of a walk backwards would be
    // inclusive.
    const bool checks_end_;
    rocksdb::Slice end_;
    std::unique_ptr<rocksdb::Iterator> at_;
};

}  // namespace idxfsck::store
