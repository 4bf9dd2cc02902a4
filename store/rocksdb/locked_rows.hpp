// store/rocksdb/locked_rows.hpp
//
// The rows of one guarded write, locked and read in one transaction, so that nobody changes them
// between the look and the write.
//
// Errors   Throws Error if a row stays locked by another writer, or the store fails. Nothing has
//          been written then, unless it is the commit that failed.
// Threads  Belongs to one thread. All writers lock in one order, so two never wait for each other.

#pragma once

#include <map>
#include <memory>

#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>

#include "store/rocksdb/table_access.hpp"

namespace idxfsck::store {

class LockedRows {
public:
    LockedRows(rocksdb::TransactionDB& transactions, const std::string& path);

    // Before lock(): a row to be locked. Twice is once.
    void want(const TableAccess& table, const Key& key);
    void lock();

    // A row that was wanted, as locked; nothing if it is not there.
    const std::optional<Row>& row(const TableAccess& table, const Key& key) const;

    // Write a row that was wanted, and end. At most one call.
    void put(const TableAccess& table, const Key& key, BytesView attributes, BytesView version);
    void erase(const TableAccess& table, const Key& key);

private:
    using Place = std::pair<std::uint32_t, Bytes>;  // of the family, and encoded key

    struct Wanted {
        TableAccess table;
        Key key;
        std::optional<Row> row;
    };

    static Place place(const TableAccess& table, const Key& key);
    void commit();

    const std::string& path_;
    std::unique_ptr<rocksdb::Transaction> transaction_;
    std::map<Place, Wanted> wanted_;
};

}  // namespace idxfsck::store
