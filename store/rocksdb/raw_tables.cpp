#include "store/rocksdb/raw_tables.hpp"

#include <filesystem>

#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace files = std::filesystem;

Capabilities raw_capabilities(bool snapshot) {
    Capabilities out;
    out.order = ScanOrder::none;
    out.snapshot = snapshot;
    out.row_versions = false;
    out.guard = GuardReach::store;
    return out;
}

RawOpening raw_opening(const RawTables& tables, bool checkpoint) {
    RawOpening out{{}, checkpoint};
    for (const RawTable& table : tables) out.families.insert(table.family);
    return out;
}

RawTablesAccess::RawTablesAccess(std::unique_ptr<Database> database, const RawTables& tables)
    : database_{std::move(database)} {
    for (const RawTable& table : tables) {
        tables_.emplace(table.name, Table{raw_schema(table), database_->family(table.family),
                                          std::make_shared<RawRowForm>(table)});
    }
}

Bytes RawTablesAccess::identity() const {
    const std::string& path = database_->path();
    std::error_code error;
    if (!files::exists(path + "/IDENTITY", error)) {
        return "folder " + files::weakly_canonical(path, error).string();
    }
    Bytes identity;
    check_status(database_->db().GetDbIdentity(identity), path);
    return identity;
}

std::vector<TableSchema> RawTablesAccess::tables() const {
    std::vector<TableSchema> out;
    for (const auto& [name, table] : tables_) out.push_back(table.schema);
    return out;
}

std::optional<TableSchema> RawTablesAccess::table(BytesView name) const {
    const auto found = tables_.find(name);
    if (found == tables_.end()) return std::nullopt;
    return found->second.schema;
}

const RawTablesAccess::Table& RawTablesAccess::find(BytesView name) const {
    const auto found = tables_.find(name);
    if (found != tables_.end()) return found->second;
    throw Error{"there is no such table"}
        .with("store", database_->path())
        .with("table", name)
        .hint("the tables of a raw store are those that the spec declares");
}

TableAccess RawTablesAccess::access(BytesView name) const {
    const Table& table = find(name);
    return {*database_, table.family, table.schema, table.form};
}

const RawRowForm& RawTablesAccess::form(BytesView name) const { return *find(name).form; }

}  // namespace idxfsck::store
