// store/rocksdb/table_access.hpp
//
// Reading one table of a RocksDB database: what readers and writers do alike, in tables of this
// tool and of others.
//
// A scan hands rows straight from the iterator's blocks: nothing is copied and nothing allocated
// per row. Its blocks do not go through the cache, which point reads would miss.
//
// Threads  A plain bundle of references; make one per call.

#pragma once

#include "store/key_range.hpp"
#include "store/reader.hpp"
#include "store/rocksdb/key_walk.hpp"
#include "store/rocksdb/row_form.hpp"

namespace idxfsck::store {

class TableAccess {
public:
    // A table of this tool.
    TableAccess(const Database& database, Family* family, const TableSchema& schema)
        : TableAccess{database, family, schema, own_row_form(schema)} {}
    TableAccess(const Database& database, Family* family, const TableSchema& schema,
                std::shared_ptr<const RowForm> form);

    const TableSchema& schema() const { return schema_; }
    Family* family() const { return family_; }

    std::optional<std::uint64_t> rows_estimate() const;
    std::vector<Partition> split(std::size_t target) const;
    std::vector<Partition> split_rest(const Partition& partition, const Position& position) const;
    ScanEnd scan(const Partition& partition, const ScanOptions& options, RowSink& sink) const;
    std::vector<std::optional<Row>> read(std::span<const Key> keys) const;

    // The row that lies as `value` under `key`. Throws Error if the bytes are none.
    Row to_row(const Key& key, BytesView value) const;
    // Throws Error if the key does not have the components of the table, or cannot be one of it.
    Bytes encode(const Key& key) const;

private:
    KeySpace space() const { return {database_.db(), family_, database_.path()}; }
    // What of `range` is the table's: a token may come from anywhere.
    KeyRange inside(KeyRange range) const;
    Row to_row(RowDecoder& decoder, BytesView place, BytesView value) const;
    std::vector<Partition> cut(const KeyRange& range, BytesView label_key,
                               std::size_t parts) const;

    const Database& database_;
    Family* const family_;
    const TableSchema& schema_;
    std::shared_ptr<const RowForm> form_;
    KeyRange whole_;
};

}  // namespace idxfsck::store
