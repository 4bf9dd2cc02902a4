// store/rocksdb/database.hpp
//
// An open RocksDB database: the handle, its column families by name, and how both are configured.
//
// Errors   Opening throws Error: usage if there is nothing at the path, or something else.
// Threads  As RocksDB: all calls may run at once, but for adding and removing families.

#pragma once

#include <map>
#include <memory>
#include <string>

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>

#include "store/bytes.hpp"

namespace rocksdb {
class TransactionDB;
}

namespace idxfsck::store {

using Family = rocksdb::ColumnFamilyHandle;

class Database {
public:
    // A fixed view that never writes into the folder, also while another process writes there.
    static std::unique_ptr<Database> open_for_reading(const std::string& path);
    static std::unique_ptr<Database> open_for_writing(const std::string& path);
    // Makes a database in a folder that is not there or is empty.
    static std::unique_ptr<Database> create(const std::string& path);
    // Throws Error (usage) if there is something at the path.
    static void require_room(const std::string& path);

    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::string& path() const { return path_; }
    rocksdb::DB& db() const { return *db_; }
    // Only if opened for writing.
    rocksdb::TransactionDB& transactions() const { return *transactions_; }

    // Nothing if there is no such family.
    Family* family(BytesView name) const;
    const std::map<Bytes, Family*, std::less<>>& families() const { return families_; }
    Family* add_family(const Bytes& name);
    void drop_family(BytesView name);

private:
    explicit Database(std::string path) : path_{std::move(path)} {}

    static std::unique_ptr<Database> open_transactions(const std::string& path, bool create);
    void keep_families(const std::vector<Family*>& handles);

    std::string path_;
    std::unique_ptr<rocksdb::Env> environment_;  // of a reader: it outlives the database
    std::unique_ptr<rocksdb::DB> db_;
    rocksdb::TransactionDB* transactions_ = nullptr;
    std::map<Bytes, Family*, std::less<>> families_;
};

rocksdb::Options database_options();
rocksdb::ColumnFamilyOptions family_options();

// Is there a RocksDB database at `path`?
bool is_database(const std::string& path);

}  // namespace idxfsck::store
