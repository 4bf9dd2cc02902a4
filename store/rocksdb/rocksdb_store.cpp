#include "store/rocksdb/rocksdb_store.hpp"

#include <filesystem>
#include <set>

#include "store/expectation.hpp"
#include "store/rocksdb/locked_rows.hpp"
#include "store/rocksdb/rocksdb_error.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;
using Shared = std::shared_lock<std::shared_mutex>;
using Alone = std::unique_lock<std::shared_mutex>;

constexpr const char* loading_folder = "loading";

std::string loading_path(const std::string& path) { return path + "/" + loading_folder; }

rocksdb::WriteOptions synced() {
    rocksdb::WriteOptions out;
    out.sync = true;
    return out;
}

[[noreturn]] void no_table(const std::string& path, BytesView name) {
    throw Error{"there is no such table"}.with("store", path).with("table", name);
}

[[noreturn]] void no_rows(const std::string& path, BytesView name) {
    throw Error{"the store is damaged: the rows of a table are not there"}
        .with("store", path)
        .with("table", name);
}

// Opening for writing changes a database, so it is looked at first: another program's is left
// alone.
std::unique_ptr<Database> open_own(const std::string& path) {
    static_cast<void>(RocksdbReader{path});
    return Database::open_for_writing(path);
}

}  // namespace

bool store_exists(const std::string& path) { return is_database(path); }

RocksdbStore::RocksdbStore(std::string path)
    : capabilities_{rocksdb_capabilities(false)},
      database_{open_own(path)},
      catalog_{read_catalog(database_->db(), database_->path())} {
    identity_ = catalog_.identity;
    for (const auto& [name, table] : catalog_.tables) {
        if (database_->family(table.family) == nullptr) no_rows(database_->path(), name);
    }
    drop_unknown_families();
    std::error_code ignored;
    files::remove_all(loading_path(database_->path()), ignored);
}

RocksdbStore::~RocksdbStore() {
    std::error_code ignored;
    files::remove_all(loading_path(database_->path()), ignored);
}

// A load that was killed leaves a column family that no table names.
void RocksdbStore::drop_unknown_families() {
    std::set<Bytes> known{rocksdb::kDefaultColumnFamilyName};
    for (const auto& [name, table] : catalog_.tables) known.insert(table.family);
    std::vector<Bytes> unknown;
    for (const auto& [name, family] : database_->families()) {
        if (!known.contains(name)) unknown.push_back(name);
    }
    for (const Bytes& name : unknown) database_->drop_family(name);
}

std::vector<TableSchema> RocksdbStore::tables() const {
    const Shared lock{catalog_mutex_};
    std::vector<TableSchema> out;
    for (const auto& [name, table] : catalog_.tables) out.push_back(table.schema);
    return out;
}

std::optional<TableSchema> RocksdbStore::table(BytesView name) const {
    const Shared lock{catalog_mutex_};
    const auto found = catalog_.tables.find(name);
    if (found == catalog_.tables.end()) return std::nullopt;
    return found->second.schema;
}

TableAccess RocksdbStore::access(BytesView name) const {
    const auto found = catalog_.tables.find(name);
    if (found == catalog_.tables.end()) no_table(database_->path(), name);
    return {*database_, database_->family(found->second.family), found->second.schema};
}

std::vector<Partition> RocksdbStore::split(BytesView table, std::size_t target) const {
    const Shared lock{catalog_mutex_};
    return access(table).split(target);
}

std::vector<Partition> RocksdbStore::split_rest(BytesView table, const Partition& partition,
                                                const Position& position) const {
    const Shared lock{catalog_mutex_};
    return access(table).split_rest(partition, position);
}

ScanEnd RocksdbStore::scan(BytesView table, const Partition& partition,
                           const ScanOptions& options, RowSink& sink) const {
    const Shared lock{catalog_mutex_};
    return access(table).scan(partition, options, sink);
}

std::vector<std::optional<Row>> RocksdbStore::read(BytesView table,
                                                   std::span<const Key> keys) const {
    const Shared lock{catalog_mutex_};
    return access(table).read(keys);
}

WriteOutcome RocksdbStore::write(const GuardedWrite& write) {
    const Shared lock{catalog_mutex_};
    const TableAccess table = access(write.table);
    check_write(write, table.schema(), capabilities_.guard);
    LockedRows rows{database_->transactions(), database_->path()};
    rows.want(table, write.key);
    for (const Guard& guard : write.guards) rows.want(access(guard.table), guard.key);
    rows.lock();
    for (const Guard& guard : write.guards) {
        const TableAccess guarded = access(guard.table);
        const std::optional<Row>& row = rows.row(guarded, guard.key);
        if (!meets(guard.expected, row, guarded.schema())) return WriteOutcome::superseded;
    }
    const WriteOutcome outcome = judge(write, rows.row(table, write.key), table.schema());
    if (outcome != WriteOutcome::applied) return outcome;
    try {
        if (write.after) {
            rows.put(table, write.key, write.after->attributes, next_version());
        } else {
            rows.erase(table, write.key);
        }
    } catch (const Error& error) {
        const std::lock_guard<std::mutex> failing{failure_mutex_};
        if (!failure_) failure_ = error;
        throw;
    }
    return outcome;
}

// RocksDB may end the program if its log is synced after a write to it has failed.
void RocksdbStore::sync() {
    const std::lock_guard<std::mutex> failing{failure_mutex_};
    if (failure_) throw *failure_;
    check_status(database_->db().FlushWAL(true), database_->path());
}

void RocksdbStore::create_table(const TableSchema& schema) {
    if (table(schema.name)) {
        throw Error{"the table is there already", Trouble::usage}
            .with("store", database_->path())
            .with("table", schema.name);
    }
    publish_table(schema, {});
}

bool RocksdbStore::drop_table(BytesView name) {
    const Alone lock{catalog_mutex_};
    const auto found = catalog_.tables.find(name);
    if (found == catalog_.tables.end()) return false;
    rocksdb::WriteBatch batch;
    erase_table(batch, name);
    commit_catalog(batch);
    const Bytes family = found->second.family;
    catalog_.tables.erase(found);
    database_->drop_family(family);
    return true;
}

// The generation is written before the first version of it is given, and the log keeps that order.
void RocksdbStore::begin_generation() {
    rocksdb::WriteBatch batch;
    write_generation(batch, catalog_.generation + 1);
    check_status(database_->db().Write({}, &batch), database_->path());
    ++catalog_.generation;
    generation_begun_ = true;
}

Bytes RocksdbStore::next_version() {
    const std::lock_guard<std::mutex> lock{version_mutex_};
    if (!generation_begun_) begin_generation();
    return std::to_string(catalog_.generation) + "." + std::to_string(++versions_given_);
}

// Up to the catalog's write nothing is visible, and from then on everything is. A crash between the
// two leaves a column family that no table names; the next opening drops it.
void RocksdbStore::publish_table(const TableSchema& schema, const std::vector<std::string>& files) {
    const Alone lock{catalog_mutex_};
    const CatalogTable table{schema, family_name(++catalog_.family_last)};
    try {
        ingest(database_->add_family(table.family), files);
        rocksdb::WriteBatch batch;
        write_family_last(batch, catalog_.family_last);
        write_table(batch, table);
        commit_catalog(batch);
    } catch (const Error&) {
        database_->drop_family(table.family);
        throw;
    }
    CatalogTable& slot = catalog_.tables[schema.name];
    const Bytes before = slot.family;
    slot = table;
    database_->drop_family(before);
}

void RocksdbStore::add_files(BytesView table, const std::vector<std::string>& files) {
    const Alone lock{catalog_mutex_};
    ingest(access(table).family(), files);
}

void RocksdbStore::commit_catalog(rocksdb::WriteBatch& batch) {
    check_status(database_->db().Write(synced(), &batch), database_->path());
}

void RocksdbStore::ingest(Family* family, const std::vector<std::string>& files) {
    if (files.empty()) return;
    rocksdb::IngestExternalFileOptions options;
    options.move_files = true;
    options.verify_checksums_before_ingest = false;
    check_status(database_->db().IngestExternalFile(family, files, options), database_->path());
}

std::string RocksdbStore::new_loading_folder() {
    const Alone lock{catalog_mutex_};
    const std::string path =
        loading_path(database_->path()) + "/" + std::to_string(++loading_folders_);
    std::error_code error;
    files::create_directories(path, error);
    if (error) {
        throw Error{"cannot make the folder for a load"}
            .with("store", path)
            .with("cause", error.message());
    }
    return path;
}

}  // namespace idxfsck::store
