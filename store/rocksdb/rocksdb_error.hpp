// store/rocksdb/rocksdb_error.hpp
//
// What RocksDB says went wrong, as an Error with a fixed text and what to do about it.

#pragma once

#include <string>

#include <rocksdb/status.h>

#include "store/error.hpp"

namespace idxfsck::store {

Error rocksdb_error(const rocksdb::Status& status, const std::string& path);

// Throws the Error for `status` unless it is ok.
void check_status(const rocksdb::Status& status, const std::string& path);

}  // namespace idxfsck::store
