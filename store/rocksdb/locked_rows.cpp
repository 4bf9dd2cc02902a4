#include "store/rocksdb/locked_rows.hpp"

#include "store/rocksdb/rocksdb_error.hpp"
#include "store/rocksdb/row_format.hpp"

namespace idxfsck::store {

LockedRows::LockedRows(rocksdb::TransactionDB& transactions, const std::string& path)
    : path_{path}, transaction_{transactions.BeginTransaction(rocksdb::WriteOptions{})} {}

void LockedRows::want(const TableAccess& table, const Key& key) {
    wanted_.emplace(place(table, key), Wanted{table, key, {}});
}

void LockedRows::lock() {
    for (auto& [at, wanted] : wanted_) {
        rocksdb::PinnableSlice value;
        const rocksdb::Status status = transaction_->GetForUpdate(
            rocksdb::ReadOptions{}, wanted.table.family(), at.second, &value);
        if (status.IsNotFound()) continue;
        check_status(status, path_);
        wanted.row = wanted.table.to_row(wanted.key, value.ToStringView());
    }
}

const std::optional<Row>& LockedRows::row(const TableAccess& table, const Key& key) const {
    return wanted_.at(place(table, key)).row;
}

void LockedRows::put(const TableAccess& table, const Key& key, BytesView attributes,
                     BytesView version) {
    Bytes value;
    append_row_value(value, version, attributes);
    check_status(transaction_->Put(table.family(), table.encode(key), value), path_);
    commit();
}

void LockedRows::erase(const TableAccess& table, const Key& key) {
    check_status(transaction_->Delete(table.family(), table.encode(key)), path_);
    commit();
}

LockedRows::Place LockedRows::place(const TableAccess& table, const Key& key) {
    return {table.family()->GetID(), table.encode(key)};
}

void LockedRows::commit() { check_status(transaction_->Commit(), path_); }

}  // namespace idxfsck::store
