#include "store/rocksdb/database.hpp"

#include <filesystem>

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/transaction_db.h>
#include <sys/resource.h>

#include "store/private_file.hpp"
#include "store/rocksdb/pinned_files.hpp"
#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

constexpr std::size_t block_size = 16 << 10;
// For point reads; a scan does not fill it. Those of an audit are spread over all keys, so that a
// larger one would hold little more of what is wanted.
constexpr std::size_t block_cache_size = 4 << 20;
constexpr std::int64_t lock_wait_ms = 30'000;

class NullLogger : public rocksdb::Logger {
public:
    using rocksdb::Logger::Logv;
    void Logv(const char*, std::va_list) override {}
};

// RocksDB puts a slash between folder and file.
std::string without_slash(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

// RocksDB opens files on sixteen threads. Their stacks need memory, and if one of them cannot be
// started, RocksDB ends the program.
bool address_space_is_limited() {
    rlimit limit = {};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void require_database(const std::string& path) {
    if (is_database(path)) return;
    std::error_code ignored;
    const bool there = files::exists(path, ignored);
    throw Error{there ? "this is not a store" : "there is no store at this path", Trouble::usage}
        .with("store", path)
        .hint("look at `path` in the spec, or make a store with `idxfsck load` or `idxfsck seed`");
}

}  // namespace

rocksdb::ColumnFamilyOptions family_options(Filters filters) {
    rocksdb::BlockBasedTableOptions table;
    table.block_size = block_size;
    table.checksum = rocksdb::kXXH3;
    table.format_version = 5;
    if (filters == Filters::use) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    // The first keys of the blocks of a file, too, are of use only while it is read.
    if (filters == Filters::leave) table.cache_index_and_filter_blocks = true;
    static const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(block_cache_size);
    table.block_cache = cache;
    rocksdb::ColumnFamilyOptions out;
    out.compression = rocksdb::kLZ4Compression;
    out.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    return out;
}

std::shared_ptr<rocksdb::Logger> null_logger() { return std::make_shared<NullLogger>(); }

std::vector<std::string> family_names(const rocksdb::DBOptions& options, const std::string& path) {
    std::vector<std::string> names;
    check_status(rocksdb::DB::ListColumnFamilies(options, path, &names), path);
    return names;
}

namespace {

OpenPlan plan_of(const std::string& path, rocksdb::Env* environment, Filters filters) {
    OpenPlan out{database_options(), {}};
    out.options.env = environment;
    for (const std::string& name : family_names(out.options, path)) {
        out.families.emplace_back(name, family_options(filters));
    }
    return out;
}

}  // namespace

OpenPlan reading_plan(const std::string& path, rocksdb::Env* environment) {
    return plan_of(path, environment, Filters::leave);
}

rocksdb::Options database_options() {
    rocksdb::Options out{rocksdb::DBOptions{}, family_options()};
    out.info_log = null_logger();
    // All files are opened at once: a compaction elsewhere may then delete them under a reader.
    out.max_open_files = -1;
    if (address_space_is_limited()) out.max_file_opening_threads = 1;
    out.skip_stats_update_on_db_open = true;
    out.paranoid_checks = true;
    // Damage in the middle of a log is an error; the default would show an older view without a
    // word. The end of a log may be torn: that is what a crash leaves.
    out.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
    return out;
}

bool is_database(const std::string& path) {
    std::error_code ignored;
    return files::is_regular_file(files::path{path} / "CURRENT", ignored);
}

std::unique_ptr<Database> Database::open_for_reading(const std::string& given,
                                                     const MakePlan& make_plan) {
    const std::string path = without_slash(given);
    require_database(path);
    std::unique_ptr<Database> out{new Database{path}};
    const auto pinned = std::make_shared<PinnedFiles>(path);
    out->environment_ = rocksdb::NewCompositeEnv(pinned);
    const OpenPlan plan = make_plan(path, out->environment_.get());
    std::vector<Family*> handles;
    rocksdb::DB* db = nullptr;
    const rocksdb::Status opened =
        rocksdb::DB::OpenForReadOnly(plan.options, path, plan.families, &handles, &db);
    check_status(opened, path);
    out->db_.reset(db);
    out->keep_families(handles);
    for (Family* const handle : handles) out->runs_.try_emplace(handle, *db, handle);
    pinned->release();
    return out;
}

std::unique_ptr<Database> Database::open_transactions(const std::string& path, OpenPlan plan) {
    rocksdb::TransactionDBOptions transaction_options;
    transaction_options.transaction_lock_timeout = lock_wait_ms;
    transaction_options.default_lock_timeout = lock_wait_ms;
    std::unique_ptr<Database> out{new Database{path}};
    std::vector<Family*> handles;
    const rocksdb::Status opened =
        rocksdb::TransactionDB::Open(plan.options, transaction_options, path, plan.families,
                                     &handles, &out->transactions_);
    check_status(opened, path);
    out->db_.reset(out->transactions_);
    out->keep_families(handles);
    return out;
}

std::unique_ptr<Database> Database::open_for_writing(const std::string& given) {
    const std::string path = without_slash(given);
    require_database(path);
    return open_transactions(path, plan_of(path, rocksdb::Env::Default(), Filters::use));
}

std::unique_ptr<Database> Database::open_plain(const std::string& given,
                                               const MakePlan& make_plan) {
    const std::string path = without_slash(given);
    require_database(path);
    const OpenPlan plan = make_plan(path, rocksdb::Env::Default());
    std::unique_ptr<Database> out{new Database{path}};
    std::vector<Family*> handles;
    rocksdb::DB* db = nullptr;
    check_status(rocksdb::DB::Open(plan.options, path, plan.families, &handles, &db), path);
    out->db_.reset(db);
    out->keep_families(handles);
    return out;
}

void Database::require_room(const std::string& path) {
    std::error_code error;
    if (files::exists(path, error) && !files::is_empty(path, error)) {
        throw Error{"a store can be made only in a new or empty folder", Trouble::usage}.with(
            "store", path);
    }
}

std::unique_ptr<Database> Database::create(const std::string& given) {
    const std::string path = without_slash(given);
    require_room(path);
    std::error_code error;
    files::create_directories(path, error);
    if (!error) files::permissions(path, files::perms::owner_all, error);
    if (error) {
        throw Error{"cannot make the folder of the store"}
            .with("store", path)
            .with("cause", error.message())
            .hint(system_hint(error.value()));
    }
    OpenPlan plan{database_options(), {}};
    plan.options.create_if_missing = true;
    plan.families.emplace_back(rocksdb::kDefaultColumnFamilyName, family_options());
    return open_transactions(path, std::move(plan));
}

Database::~Database() {
    if (!db_) return;
    for (const auto& [name, family] : families_) db_->DestroyColumnFamilyHandle(family);
    db_->Close();
}

void Database::keep_families(const std::vector<Family*>& handles) {
    for (Family* const handle : handles) families_.emplace(handle->GetName(), handle);
}

Family* Database::family(BytesView name) const {
    const auto found = families_.find(name);
    return found == families_.end() ? nullptr : found->second;
}

const SortedRun* Database::run(const Family* family) const {
    const auto found = runs_.find(family);
    return found == runs_.end() ? nullptr : &found->second;
}

Family* Database::add_family(const Bytes& name) {
    Family* handle = nullptr;
    check_status(db_->CreateColumnFamily(family_options(), name, &handle), path_);
    families_.emplace(name, handle);
    return handle;
}

void Database::drop_family(BytesView name) {
    const auto found = families_.find(name);
    if (found == families_.end()) return;
    const rocksdb::Status dropped = db_->DropColumnFamily(found->second);
    db_->DestroyColumnFamilyHandle(found->second);
    families_.erase(found);
    check_status(dropped, path_);
}

}  // namespace idxfsck::store
