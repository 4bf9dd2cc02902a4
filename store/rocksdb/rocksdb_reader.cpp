#include "store/rocksdb/rocksdb_reader.hpp"

#include "store/error.hpp"
#include "store/rocksdb/table_access.hpp"

namespace idxfsck::store {

namespace {

TableAccess access(const Database& database, const Catalog& catalog, BytesView name) {
    const auto found = catalog.tables.find(name);
    if (found == catalog.tables.end()) {
        throw Error{"there is no such table"}.with("store", database.path()).with("table", name);
    }
    const CatalogTable& table = found->second;
    Family* const family = database.family(table.family);
    if (family == nullptr) {
        throw Error{"the store is damaged: the rows of a table are not there"}
            .with("store", database.path())
            .with("table", name)
            .with("family", table.family);
    }
    return {database, family, table.schema};
}

}  // namespace

Capabilities rocksdb_capabilities(bool snapshot) {
    Capabilities out;
    out.order = ScanOrder::by_bytes;
    out.snapshot = snapshot;
    out.row_versions = true;
    out.guard = GuardReach::store;
    return out;
}

RocksdbReader::RocksdbReader(std::string path)
    : path_{std::move(path)}, capabilities_{rocksdb_capabilities(true)} {
    refresh();
}

std::vector<TableSchema> RocksdbReader::tables() const {
    std::vector<TableSchema> out;
    for (const auto& [name, table] : catalog_.tables) out.push_back(table.schema);
    return out;
}

std::optional<TableSchema> RocksdbReader::table(BytesView name) const {
    const auto found = catalog_.tables.find(name);
    if (found == catalog_.tables.end()) return std::nullopt;
    return found->second.schema;
}

std::optional<std::uint64_t> RocksdbReader::rows_estimate(BytesView table) const {
    return access(*database_, catalog_, table).rows_estimate();
}

StoreInspection RocksdbReader::inspect() const {
    StoreInspection out;
    out.facts = {{"path", path_}, {"opened", "for reading only"}};
    return out;
}

std::vector<Partition> RocksdbReader::split(BytesView table, std::size_t target) const {
    return access(*database_, catalog_, table).split(target);
}

std::vector<Partition> RocksdbReader::split_rest(BytesView table, const Partition& partition,
                                                 const Position& position) const {
    return access(*database_, catalog_, table).split_rest(partition, position);
}

ScanEnd RocksdbReader::scan(BytesView table, const Partition& partition,
                            const ScanOptions& options, RowSink& sink) const {
    return access(*database_, catalog_, table).scan(partition, options, sink);
}

std::vector<std::optional<Row>> RocksdbReader::read(BytesView table,
                                                    std::span<const Key> keys) const {
    return access(*database_, catalog_, table).read(keys);
}

void RocksdbReader::refresh() {
    std::unique_ptr<Database> fresh = Database::open_for_reading(path_);
    catalog_ = read_catalog(fresh->db(), path_);
    database_ = std::move(fresh);
}

}  // namespace idxfsck::store
