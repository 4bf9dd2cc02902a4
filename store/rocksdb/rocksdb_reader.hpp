// store/rocksdb/rocksdb_reader.hpp
//
// The embedded store for reading: a fixed view of a RocksDB database, of all tables at one moment.
//
// Opens the database read-only: nothing is written into its folder, and another process may have it
// open for writing. Holds every file of the view open, so the view lasts however the other process
// compacts. refresh() opens it anew.
//
// Errors   As the contract. Each has the field `store`, the path.

#pragma once

#include <memory>

#include "store/key_codec.hpp"
#include "store/inspection.hpp"
#include "store/rocksdb/catalog.hpp"
#include "store/rocksdb/database.hpp"

namespace idxfsck::store {

class RocksdbReader : public Reader, public Inspectable {
public:
    explicit RocksdbReader(std::string path);

    const Capabilities& capabilities() const override { return capabilities_; }
    Bytes identity() const override { return catalog_.identity; }
    std::vector<TableSchema> tables() const override;
    std::optional<TableSchema> table(BytesView name) const override;
    std::optional<std::uint64_t> rows_estimate(BytesView table) const override;
    StoreInspection inspect() const override;
    TableInspection inspect_table(BytesView table, const TableUse&) const override {
        return plain_inspection(*this, table);
    }
    std::vector<Partition> split(BytesView table, std::size_t target) const override;
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override;
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override;
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override;
    Row as_stored(BytesView, const Row& row) const override { return with_stored_key(row); }
    void refresh() override;

private:
    std::string path_;
    Capabilities capabilities_;
    std::unique_ptr<Database> database_;
    Catalog catalog_;
};

// Of the embedded store; only a reader has a snapshot.
Capabilities rocksdb_capabilities(bool snapshot);

}  // namespace idxfsck::store
