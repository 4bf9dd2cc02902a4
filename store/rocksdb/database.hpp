// store/rocksdb/database.hpp
//
// An open RocksDB database: the handle, its column families by name, and how both are configured.
//
// Errors   Opening throws Error: usage if there is nothing at the path, or something else.
// Threads  As RocksDB: all calls may run at once, but for adding and removing families.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>

#include "store/bytes.hpp"
#include "store/rocksdb/sorted_run.hpp"

namespace rocksdb {
class TransactionDB;
}

namespace idxfsck::store {

using Family = rocksdb::ColumnFamilyHandle;

// What a database is opened with.
struct OpenPlan {
    rocksdb::DBOptions options;
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
};

// Makes the plan for the database at `path`, whose files are to be read through the environment.
using MakePlan = std::function<OpenPlan(const std::string& path, rocksdb::Env* environment)>;

// The plan for reading a database of this tool: all families, as this tool configures them, and
// without their filters.
OpenPlan reading_plan(const std::string& path, rocksdb::Env* environment);

class Database {
public:
    // A fixed view that never writes into the folder, also while another process writes there.
    static std::unique_ptr<Database> open_for_reading(const std::string& path,
                                                      const MakePlan& make_plan = reading_plan);
    static std::unique_ptr<Database> open_for_writing(const std::string& path);
    // Without transactions, and with no other options than those of the plan.
    static std::unique_ptr<Database> open_plain(const std::string& path,
                                                const MakePlan& make_plan);
    // Makes a database in a folder that is not there or is empty.
    static std::unique_ptr<Database> create(const std::string& path);
    // Throws Error (usage) if there is something at the path.
    static void require_room(const std::string& path);

    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::string& path() const { return path_; }
    rocksdb::DB& db() const { return *db_; }
    // Only if opened by open_for_writing or create.
    rocksdb::TransactionDB& transactions() const { return *transactions_; }

    // Nothing if there is no such family.
    Family* family(BytesView name) const;
    const std::map<Bytes, Family*, std::less<>>& families() const { return families_; }
    // How the family can be walked file by file; null unless opened by open_for_reading.
    const SortedRun* run(const Family* family) const;
    Family* add_family(const Bytes& name);
    void drop_family(BytesView name);

private:
    explicit Database(std::string path) : path_{std::move(path)} {}

    static std::unique_ptr<Database> open_transactions(const std::string& path, OpenPlan plan);
    void keep_families(const std::vector<Family*>& handles);

    std::string path_;
    std::unique_ptr<rocksdb::Env> environment_;  // of a reader: it outlives the database
    std::unique_ptr<rocksdb::DB> db_;
    rocksdb::TransactionDB* transactions_ = nullptr;
    std::map<Bytes, Family*, std::less<>> families_;
    std::map<const Family*, SortedRun> runs_;
};

rocksdb::Options database_options();
// RocksDB would write its own log into the folder of the database.
std::shared_ptr<rocksdb::Logger> null_logger();

// Filters of keys lie in memory as long as a file is open, 1.25 bytes a key: more than all else
// that a scan needs, and of use to point reads alone.
enum class Filters { use, leave };
rocksdb::ColumnFamilyOptions family_options(Filters filters = Filters::use);

// The names of the families of the database at `path`.
std::vector<std::string> family_names(const rocksdb::DBOptions& options, const std::string& path);

// Is there a RocksDB database at `path`?
bool is_database(const std::string& path);

}  // namespace idxfsck::store
