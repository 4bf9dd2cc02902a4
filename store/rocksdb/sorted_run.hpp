// store/rocksdb/sorted_run.hpp
//
// A table that lies in one run of files, no two of which share a key, can be walked file by file:
// RocksDB's iterator then merges nothing, which is a fifth of what it costs. So it lies after it
// was loaded or compacted.
//
// Shape    pieces() cuts a range of keys where one file ends and the next begins. A piece names its
//          file, or none: then it must be walked through the database. A file that is gone, as a
//          compaction elsewhere has replaced it, is walked through the database as well, which
//          still holds it open.
// Errors   None: what cannot be walked in this way has one piece, without a file.
// Threads  Constant; its database must be open for reading only.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/sst_file_reader.h>

#include "store/key_range.hpp"

namespace idxfsck::store {

struct RunPiece {
    KeyRange range;
    std::string file;  // "": none
};

class SortedRun {
public:
    SortedRun(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family);

    std::vector<RunPiece> pieces(const KeyRange& range) const;

    // Null if the file cannot be opened, or holds what only the database can resolve.
    std::unique_ptr<rocksdb::SstFileReader> open(const RunPiece& piece) const;

private:
    struct File {
        std::string name;
        Bytes first;  // key
        Bytes last;
    };

    rocksdb::Options options_;
    std::vector<File> files_;  // in order of key; empty: the table is not one run
};

}  // namespace idxfsck::store
