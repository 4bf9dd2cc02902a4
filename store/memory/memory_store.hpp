// store/memory/memory_store.hpp
//
// A store in memory for tests and simulations: it can play every kind of store that the contract
// knows, with or without snapshot, versions, order and limits.
//
// Shape    Rows lie sorted by what capabilities().order says; `none` is the order of a hash of the
//          key, so nothing can rest on it by accident. With a snapshot the view freezes at the
//          first read after the making and at each refresh(), by a copy of everything.
// Errors   write() throws Error for a key that key_limits refuses, a guard beyond the reach, a
//          table that is not there. The direct calls below skip limits and guards.
// Threads  All calls may run at once, except refresh() beside reads. A sink may write to the store
//          while it is handed rows: a scan holds no lock then.

#pragma once

#include <map>
#include <mutex>

#include "store/key_codec.hpp"
#include "store/key_range.hpp"
#include "store/store.hpp"

namespace idxfsck::store {

// Ordered, no snapshot, with versions, guards on any row: the most that a live store can do.
Capabilities memory_capabilities();

class MemoryStore : public Store {
public:
    explicit MemoryStore(Capabilities capabilities = memory_capabilities(),
                         Bytes identity = "memory");

    // Direct access: a table must be there. put() gives the row a new version where there are any.
    void create_table(TableSchema schema);
    void put(BytesView table, const Row& row);
    // False if there is no such row.
    bool erase(BytesView table, const Key& key);
    // Puts bytes that need not be a row.
    void put_bytes(BytesView table, BytesView encoded_key, BytesView attributes);
    // The rows now, in order of encoded key; those that are no rows left out.
    std::vector<Row> rows(BytesView table) const;

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
    void refresh() override;

    WriteOutcome write(const GuardedWrite& write) override;
    void sync() override {}

private:
    struct StoredRow {
        Bytes encoded_key;
        Bytes attributes;
        std::uint64_t version = 0;
    };
    struct Table {
        TableSchema schema;
        std::map<Bytes, StoredRow> rows;  // by scan_place
    };
    using Tables = std::map<Bytes, Table, std::less<>>;
    struct Page {
        std::vector<std::pair<Bytes, StoredRow>> rows;
        bool last = false;
    };

    // What readers see. Hold the mutex for the call and while using the result.
    const Tables& view() const;
    const Table& viewed_table(BytesView name) const;
    Table& live_table(BytesView name);
    Bytes place(BytesView encoded_key) const;
    std::optional<Row> find_row(const Table& table, const Key& key) const;
    Row to_row(const StoredRow& stored) const;
    // Copies the next rows of a range, so that the sink runs without the lock.
    Page next_page(BytesView table, const KeyRange& range, std::size_t rows_max) const;
    bool holds(const Guard& guard);
    void store_bytes(Table& table, BytesView encoded_key, BytesView attributes);

    const Capabilities capabilities_;
    const Bytes identity_;
    mutable std::mutex mutex_;
    Tables live_;
    mutable std::optional<Tables> frozen_;
    std::uint64_t version_ = 0;
};

}  // namespace idxfsck::store
