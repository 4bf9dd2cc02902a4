// store/rocksdb/raw_store.hpp
//
// A database that some other application wrote, for guarded writes to the tables that a spec lays
// out.
//
// The application must not have it open: RocksDB lets one process write at a time. That makes the
// writes here simple: one at a time, each a look at the rows and then a write, and nobody comes
// between. Transactions would do that too, but opening a database with them changes its options on
// disk (allow_2pc, max_write_buffer_size_to_maintain), and they must stay as they are.
//
// Errors   As the contract. Opening refuses, by a usage Error and with nothing changed, a database
//          whose options cannot be kept: raw_options.hpp.
// Threads  As the contract.

#pragma once

#include <mutex>

#include "store/rocksdb/raw_tables.hpp"
#include "store/store.hpp"

namespace idxfsck::store {

class RawStore : public Store {
public:
    RawStore(std::string path, RawTables tables, bool checkpoint = false);

    const Capabilities& capabilities() const override { return capabilities_; }
    Bytes identity() const override { return view_.identity(); }
    std::vector<TableSchema> tables() const override { return view_.tables(); }
    std::optional<TableSchema> table(BytesView name) const override { return view_.table(name); }
    std::vector<Partition> split(BytesView table, std::size_t target) const override;
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override;
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override;
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override;
    Row as_stored(BytesView table, const Row& row) const override;
    void refresh() override {}

    WriteOutcome write(const GuardedWrite& write) override;
    void sync() override;

private:
    std::optional<Row> row(BytesView table, const Key& key) const;
    void put(const TableAccess& table, const Row& row);
    void erase(const TableAccess& table, const Key& key);

    const Capabilities capabilities_;
    RawTablesAccess view_;
    std::mutex write_mutex_;
};

}  // namespace idxfsck::store
