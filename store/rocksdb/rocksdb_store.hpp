// store/rocksdb/rocksdb_store.hpp
//
// The embedded store for writing: guarded writes, tables made and dropped, loads made visible.
//
// Reads what was last written (no snapshot); a scan sees the table as it was when the scan began.
// One process has a store open for writing at a time; others may read.
//
// Errors   As the contract. Making a store where there is something else is a usage Error.
// Threads  As the contract. Tables are made, dropped and loaded one at a time, beside reads and
//          writes of other tables; replacing or dropping a table waits for calls that run on it.

#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/rocksdb/catalog.hpp"
#include "store/rocksdb/database.hpp"
#include "store/rocksdb/table_access.hpp"
#include "store/store.hpp"

namespace idxfsck::store {

// Makes an empty store in a folder that is not there or is empty. Where it fails, the folder is as
// it was.
void create_store(const std::string& path);

// Is there a database at the path? It need not be one of this tool.
bool store_exists(const std::string& path);

class RocksdbStore : public Store {
public:
    explicit RocksdbStore(std::string path);
    ~RocksdbStore() override;

    const Capabilities& capabilities() const override { return capabilities_; }
    Bytes identity() const override { return identity_; }
    std::vector<TableSchema> tables() const override;
    std::optional<TableSchema> table(BytesView name) const override;
    std::vector<Partition> split(BytesView table, std::size_t target) const override;
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override;
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override;
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override;
    Row as_stored(BytesView, const Row& row) const override { return with_stored_key(row); }
    void refresh() override {}

    WriteOutcome write(const GuardedWrite& write) override;
    void sync() override;

    // An empty table. It must not be there.
    void create_table(const TableSchema& schema);
    // False if there is no such table.
    bool drop_table(BytesView name);

    // For loads. A version that no row has had: it says which process wrote, and its how-manieth
    // write it was.
    Bytes next_version();
    // Makes sorted files, whose keys do not overlap, the whole of a table, in one step.
    void publish_table(const TableSchema& schema, const std::vector<std::string>& files);
    // Adds sorted files to a table, in one step. None of their keys may be in the table.
    void add_files(BytesView table, const std::vector<std::string>& files);
    // A new folder for files that are being made; gone with the store, or at its next opening.
    std::string new_loading_folder();
    const std::string& path() const { return database_->path(); }

private:
    // Throws Error if there is no such table.
    TableAccess access(BytesView name) const;
    void drop_unknown_families();
    void begin_generation();
    void commit_catalog(rocksdb::WriteBatch& batch);
    void ingest(Family* family, const std::vector<std::string>& files);

    const Capabilities capabilities_;
    std::unique_ptr<Database> database_;
    Bytes identity_;
    // Held shared while a table is used, alone while the catalog changes.
    mutable std::shared_mutex catalog_mutex_;
    Catalog catalog_;
    std::mutex version_mutex_;
    bool generation_begun_ = false;
    std::uint64_t versions_given_ = 0;
    std::uint64_t loading_folders_ = 0;
    std::mutex failure_mutex_;
    std::optional<Error> failure_;  // of a write: what of the log is durable is not known
};

}  // namespace idxfsck::store
