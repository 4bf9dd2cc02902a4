// store/rocksdb/catalog.hpp
//
// What the embedded store knows about itself: its identity, and which column family holds which
// table. It lies in the default column family; one write of it makes a load visible.
//
// Shape    FORMAT.md.
// Errors   Reading throws Error if the database was not made by this tool, was made by a later
//          version of it, or is damaged.

#pragma once

#include <map>

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "store/schema.hpp"

namespace idxfsck::store {

struct CatalogTable {
    TableSchema schema;
    Bytes family;

    friend bool operator==(const CatalogTable&, const CatalogTable&) = default;
};

struct Catalog {
    Bytes identity;                 // 32 hex digits, random, for ever
    std::uint64_t generation = 0;   // how often the store was written to by a process
    std::uint64_t family_last = 0;  // the highest number given to a column family of a table
    std::map<Bytes, CatalogTable, std::less<>> tables;

    friend bool operator==(const Catalog&, const Catalog&) = default;
};

Bytes family_name(std::uint64_t number);

// A catalog without tables, of a new identity.
Catalog new_catalog();

Catalog read_catalog(rocksdb::DB& db, const std::string& path);

// What makes an empty database a store.
void write_new_catalog(rocksdb::WriteBatch& batch, const Catalog& catalog);
void write_table(rocksdb::WriteBatch& batch, const CatalogTable& table);
void erase_table(rocksdb::WriteBatch& batch, BytesView name);
void write_generation(rocksdb::WriteBatch& batch, std::uint64_t generation);
void write_family_last(rocksdb::WriteBatch& batch, std::uint64_t number);

}  // namespace idxfsck::store
