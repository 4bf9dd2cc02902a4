// store/rocksdb/raw_reader.hpp
//
// A database that some other application wrote, for reading: a fixed view of the tables that a spec
// lays out, all at one moment.
//
// Opens the database read-only, also a checkpoint, also while the application has it open. Keys of
// the families that fit no table's prefix are of no table; keys and values that do not fit their
// table's layout are damaged rows.
//
// Errors   As the contract. Where the database is set up with parts that are not RocksDB's own, the
//          first of them is the field `foreign`.

#pragma once

#include "store/inspection.hpp"
#include "store/rocksdb/raw_tables.hpp"

namespace idxfsck::store {

class RawReader : public Reader, public Inspectable {
public:
    RawReader(std::string path, RawTables tables, bool checkpoint = false);

    const Capabilities& capabilities() const override { return capabilities_; }
    Bytes identity() const override { return view_->identity(); }
    std::vector<TableSchema> tables() const override { return view_->tables(); }
    std::optional<TableSchema> table(BytesView name) const override { return view_->table(name); }
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
    Row as_stored(BytesView table, const Row& row) const override;
    void refresh() override;

private:
    const std::string path_;
    const RawTables tables_;
    const bool checkpoint_;
    const Capabilities capabilities_;
    std::string foreign_;
    std::unique_ptr<RawTablesAccess> view_;
};

}  // namespace idxfsck::store
