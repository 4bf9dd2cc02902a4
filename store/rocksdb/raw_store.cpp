#include "store/rocksdb/raw_store.hpp"

#include "store/expectation.hpp"
#include "store/rocksdb/raw_reader.hpp"
#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

// Opening for writing changes files of the database, so it is looked at first.
std::unique_ptr<Database> open_foreign(const std::string& path, const RawTables& tables,
                                       bool checkpoint) {
    static_cast<void>(RawReader{path, tables, checkpoint});
    return Database::open_plain(path, raw_writing_plan(raw_opening(tables, checkpoint)));
}

}  // namespace

RawStore::RawStore(std::string path, RawTables tables, bool checkpoint)
    : capabilities_{raw_capabilities(false)},
      view_{open_foreign(path, tables, checkpoint), tables} {}

std::vector<Partition> RawStore::split(BytesView table, std::size_t target) const {
    return view_.access(table).split(target);
}

std::vector<Partition> RawStore::split_rest(BytesView table, const Partition& partition,
                                            const Position& position) const {
    return view_.access(table).split_rest(partition, position);
}

ScanEnd RawStore::scan(BytesView table, const Partition& partition, const ScanOptions& options,
                       RowSink& sink) const {
    return view_.access(table).scan(partition, options, sink);
}

std::vector<std::optional<Row>> RawStore::read(BytesView table, std::span<const Key> keys) const {
    return view_.access(table).read(keys);
}

Row RawStore::as_stored(BytesView table, const Row& row) const {
    return view_.form(table).as_stored_or_same(row);
}

std::optional<Row> RawStore::row(BytesView table, const Key& key) const {
    return std::move(read(table, {&key, 1})[0]);
}

WriteOutcome RawStore::write(const GuardedWrite& given) {
    const TableAccess table = view_.access(given.table);
    check_write(given, table.schema(), capabilities_.guard);
    GuardedWrite write = given;
    if (write.after) write.after = view_.form(given.table).as_stored(*given.after);
    const std::lock_guard<std::mutex> alone{write_mutex_};
    for (const Guard& guard : write.guards) {
        const TableSchema& schema = view_.access(guard.table).schema();
        if (!meets(guard.expected, row(guard.table, guard.key), schema)) {
            return WriteOutcome::superseded;
        }
    }
    const WriteOutcome outcome = judge(write, row(write.table, write.key), table.schema());
    if (outcome != WriteOutcome::applied) return outcome;
    if (write.after) {
        put(table, *write.after);
    } else {
        erase(table, write.key);
    }
    return outcome;
}

void RawStore::put(const TableAccess& table, const Row& row) {
    const Bytes value = view_.form(table.schema().name).encode_value(row);
    const rocksdb::Status done = view_.database().db().Put(
        rocksdb::WriteOptions{}, table.family(), table.encode(row.key), value);
    check_status(done, view_.database().path());
}

void RawStore::erase(const TableAccess& table, const Key& key) {
    const rocksdb::Status done = view_.database().db().Delete(rocksdb::WriteOptions{},
                                                              table.family(), table.encode(key));
    check_status(done, view_.database().path());
}

void RawStore::sync() {
    check_status(view_.database().db().FlushWAL(true), view_.database().path());
}

}  // namespace idxfsck::store
