#include "store/rocksdb/key_walk.hpp"

#include <rocksdb/comparator.h>

#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

bool is_reversed(const KeySpace& space) {
    return space.family->GetComparator() == rocksdb::ReverseBytewiseComparator();
}

KeyWalk::KeyWalk(const KeySpace& space, const KeyRange& range, rocksdb::ReadOptions options,
                 rocksdb::SstFileReader* file)
    : path_{space.path},
      range_{range},
      reversed_{is_reversed(space)},
      checks_end_{reversed_},
      end_{range.end} {
    // A database may be set up so that a walk sees keys of one prefix alone.
    options.total_order_seek = true;
    if (!reversed_ && !end_.empty()) options.iterate_upper_bound = &end_;
    at_.reset(file != nullptr ? file->NewIterator(options)
                              : space.db.NewIterator(options, space.family));
    if (!reversed_) {
        at_->Seek(range.begin);
    } else if (range.begin.empty()) {
        at_->SeekToLast();
    } else {
        at_->SeekForPrev(range.begin);
    }
    if (range.after_begin && at_->Valid() && key() == range.begin) next();
    check();
}

void KeyWalk::check() const { check_status(at_->status(), path_); }

bool KeyWalk::seek_last() {
    if (!reversed_) {
        at_->SeekToLast();
    } else if (end_.empty()) {
        at_->SeekToFirst();
    } else {
        at_->Seek(end_);
        if (at_->Valid() && at_->key() == end_) at_->Next();
    }
    check();
    if (!at_->Valid()) return false;
    return range_.after_begin ? key() > range_.begin : key() >= range_.begin;
}

}  // namespace idxfsck::store
