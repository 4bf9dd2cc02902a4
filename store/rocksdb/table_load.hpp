// store/rocksdb/table_load.hpp
//
// Loads many rows into one table of the embedded store: all of them, or none.
//
// Rows may come in any order. They are sorted aside and become visible in one step, at commit(). A
// load that is dropped or killed before leaves nothing: what lies aside is removed at the next
// opening for writing.
//
// Errors   Throws Error: usage if the mode does not fit the table; for a key that comes twice or is
//          in the table already, with the field `key`; if the disk fails. The load is then over.
// Threads  Belongs to one thread. Other loads may run at once. Nobody else should write to the
//          table of an append between its begin and its commit: a row that appears meanwhile is
//          replaced.

#pragma once

#include <optional>

#include "store/rocksdb/rocksdb_store.hpp"
#include "store/rocksdb/sorted_files.hpp"

namespace idxfsck::store {

enum class LoadMode {
    create,   // the table must not be there, or be empty
    replace,  // the rows of the load and no others
    append,   // to the rows that are there; the key names must be the same
};

class TableLoad {
public:
    static constexpr std::size_t memory_bytes_default = 128 << 20;

    // The store must outlive the load.
    TableLoad(RocksdbStore& store, TableSchema schema, LoadMode mode,
              std::size_t memory_bytes_max = memory_bytes_default);
    ~TableLoad();
    TableLoad(const TableLoad&) = delete;
    TableLoad& operator=(const TableLoad&) = delete;

    void add(const Row& row);
    void add(std::span<const ValueView> key, BytesView attributes);

    std::uint64_t rows() const { return rows_; }

    // Makes the rows visible. No add() after it.
    void commit();

private:
    void check_mode() const;
    void refuse_present(BytesView encoded_key) const;

    RocksdbStore& store_;
    const TableSchema schema_;
    const LoadMode mode_;
    const std::string folder_;
    const Bytes version_;
    SortedFiles sorted_;
    std::uint64_t rows_ = 0;
    Bytes key_;
    Bytes value_;
};

}  // namespace idxfsck::store
