// store/json/load_rocksdb.hpp
//
// Rows from files of NDJSON into a table of the embedded store: all of them, or none.
//
// Errors   Throws what load_rows and TableLoad throw. Then the table is as it was before, and a
//          store that was made for this load is gone again. A load that is killed leaves at most a
//          store without the table.

#pragma once

#include "store/json/load.hpp"
#include "store/rocksdb/table_load.hpp"

namespace idxfsck::store {

struct RocksdbTarget {
    std::string path;  // of the store; made if there is nothing there or an empty folder
    Bytes table;
    LoadMode mode = LoadMode::create;
};

// Without key names in the request, those of a table that is there already hold.
LoadCount load_into_rocksdb(const RocksdbTarget& target, LoadRequest request,
                            const LoadObserver& observer = {});

}  // namespace idxfsck::store
