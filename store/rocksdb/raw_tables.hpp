// store/rocksdb/raw_tables.hpp
//
// The tables of a database that some other application wrote, open by the layouts of a spec: what
// reading and writing do alike.
//
// Errors   Throws Error: usage for a family that is not there; what opening throws.
// Threads  Const calls may run at once.

#pragma once

#include <map>
#include <optional>

#include "store/rocksdb/database.hpp"
#include "store/rocksdb/raw_form.hpp"
#include "store/rocksdb/raw_options.hpp"
#include "store/rocksdb/table_access.hpp"

namespace idxfsck::store {

// Of a store that others lay out: no versions, and no order that a key alone could tell.
Capabilities raw_capabilities(bool snapshot);

RawOpening raw_opening(const RawTables& tables, bool checkpoint);

class RawTablesAccess {
public:
    // Every family of the tables must be in the database.
    RawTablesAccess(std::unique_ptr<Database> database, const RawTables& tables);

    const Database& database() const { return *database_; }
    // RocksDB's own name for the database. A checkpoint has none before it is first written to, and
    // is called by its folder.
    Bytes identity() const;
    std::vector<TableSchema> tables() const;
    std::optional<TableSchema> table(BytesView name) const;
    // Throw Error if there is no such table.
    TableAccess access(BytesView name) const;
    const RawRowForm& form(BytesView name) const;

private:
    struct Table {
        TableSchema schema;
        Family* family;
        std::shared_ptr<const RawRowForm> form;
    };

    const Table& find(BytesView name) const;

    std::unique_ptr<Database> database_;
    std::map<Bytes, Table, std::less<>> tables_;
};

}  // namespace idxfsck::store
