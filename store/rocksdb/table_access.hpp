// store/rocksdb/table_access.hpp
//
// Reading one table of the embedded store: what its reader and its writer do alike.
//
// A scan hands rows straight from the iterator's blocks: nothing is copied and nothing allocated
// per row. Its blocks do not go through the cache, which point reads would miss.
//
// Threads  A plain bundle of references; make one per call.

#pragma once

#include "store/key_range.hpp"
#include "store/reader.hpp"
#include "store/rocksdb/database.hpp"

namespace idxfsck::store {

class TableAccess {
public:
    TableAccess(const Database& database, Family* family, const TableSchema& schema)
        : database_{database}, family_{family}, schema_{schema} {}

    const TableSchema& schema() const { return schema_; }
    Family* family() const { return family_; }

    std::optional<std::uint64_t> rows_estimate() const;
    std::vector<Partition> split(std::size_t target) const;
    std::vector<Partition> split_rest(const Partition& partition, const Position& position) const;
    ScanEnd scan(const Partition& partition, const ScanOptions& options, RowSink& sink) const;
    std::vector<std::optional<Row>> read(std::span<const Key> keys) const;

    // The row that lies as `value` under `key`. Throws Error if the bytes are none.
    Row to_row(const Key& key, BytesView value) const;
    // Throws Error if the key does not have the components of the table.
    Bytes encode(const Key& key) const;

private:
    std::vector<Partition> cut(const KeyRange& range, BytesView label_key,
                               std::size_t parts) const;

    const Database& database_;
    Family* const family_;
    const TableSchema& schema_;
};

}  // namespace idxfsck::store
