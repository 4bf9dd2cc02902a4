#include "store/rocksdb/catalog.hpp"

#include <memory>
#include <random>

#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

constexpr std::uint64_t format_version = 1;
constexpr const char* format_key = "format";
constexpr const char* identity_key = "identity";
constexpr const char* generation_key = "generation";
constexpr const char* family_key = "family";
constexpr std::string_view table_prefix = "table/";
constexpr std::uint64_t components_max = 255;

Bytes varint(std::uint64_t value) {
    Bytes out;
    append_varint(out, value);
    return out;
}

Bytes table_key(BytesView name) { return Bytes{table_prefix}.append(name); }

void append_sized(Bytes& out, BytesView bytes) {
    append_varint(out, bytes.size());
    out.append(bytes);
}

bool take_sized(BytesView& in, Bytes& out) {
    std::uint64_t size = 0;
    BytesView bytes;
    if (!take_varint(in, size) || !take_bytes(in, size, bytes)) return false;
    out = bytes;
    return true;
}

[[noreturn]] void refuse(const std::string& path, const char* record) {
    throw Error{"the catalog of the store is damaged"}
        .with("store", path)
        .with("record", record)
        .hint("restore it from a backup; nothing read from it can be trusted");
}

std::optional<Bytes> get(rocksdb::DB& db, const char* key, const std::string& path) {
    Bytes value;
    const rocksdb::Status status = db.Get(rocksdb::ReadOptions{}, key, &value);
    if (status.IsNotFound()) return std::nullopt;
    check_status(status, path);
    return value;
}

std::uint64_t get_number(rocksdb::DB& db, const char* key, const std::string& path) {
    const std::optional<Bytes> value = get(db, key, path);
    if (!value) return 0;
    BytesView rest = *value;
    std::uint64_t number = 0;
    if (!take_varint(rest, number) || !rest.empty()) refuse(path, key);
    return number;
}

void check_format(rocksdb::DB& db, const std::string& path) {
    const std::uint64_t version = get_number(db, format_key, path);
    if (version == format_version) return;
    if (version == 0) {
        throw Error{"this RocksDB database is not a store of this tool", Trouble::usage}
            .with("store", path)
            .hint("make a store with `idxfsck load` or `idxfsck seed`");
    }
    throw Error{"the store was made by a later version of this tool", Trouble::usage}
        .with("store", path)
        .with("format", std::to_string(version))
        .hint("use that version, or dump and load the tables");
}

std::optional<CatalogTable> decode_table(BytesView name, BytesView value) {
    CatalogTable table;
    table.schema.name = name;
    std::uint64_t components = 0;
    if (!take_sized(value, table.family) || !take_varint(value, components)) return std::nullopt;
    if (components == 0 || components > components_max) return std::nullopt;
    table.schema.key.resize(components);
    for (Bytes& component : table.schema.key) {
        if (!take_sized(value, component)) return std::nullopt;
    }
    if (!value.empty()) return std::nullopt;
    return table;
}

}  // namespace

Bytes family_name(std::uint64_t number) { return "t" + std::to_string(number); }

Catalog new_catalog() {
    std::random_device random;
    Bytes bytes;
    while (bytes.size() < 16) bytes.push_back(static_cast<char>(random()));
    Catalog out;
    out.identity = to_hex(bytes);
    return out;
}

Catalog read_catalog(rocksdb::DB& db, const std::string& path) {
    check_format(db, path);
    Catalog out;
    out.identity = get(db, identity_key, path).value_or("");
    if (out.identity.size() != 32) refuse(path, identity_key);
    out.generation = get_number(db, generation_key, path);
    out.family_last = get_number(db, family_key, path);
    const std::unique_ptr<rocksdb::Iterator> record{db.NewIterator(rocksdb::ReadOptions{})};
    for (record->Seek(table_prefix); record->Valid(); record->Next()) {
        BytesView name = record->key().ToStringView();
        if (!name.starts_with(table_prefix)) break;
        name.remove_prefix(table_prefix.size());
        std::optional<CatalogTable> table = decode_table(name, record->value().ToStringView());
        if (!table) refuse(path, "table");
        out.tables.emplace(name, std::move(*table));
    }
    check_status(record->status(), path);
    return out;
}

void write_new_catalog(rocksdb::WriteBatch& batch, const Catalog& catalog) {
    batch.Put(format_key, varint(format_version));
    batch.Put(identity_key, catalog.identity);
}

void write_table(rocksdb::WriteBatch& batch, const CatalogTable& table) {
    Bytes value;
    append_sized(value, table.family);
    append_varint(value, table.schema.key.size());
    for (const Bytes& component : table.schema.key) append_sized(value, component);
    batch.Put(table_key(table.schema.name), value);
}

void erase_table(rocksdb::WriteBatch& batch, BytesView name) { batch.Delete(table_key(name)); }

void write_generation(rocksdb::WriteBatch& batch, std::uint64_t generation) {
    batch.Put(generation_key, varint(generation));
}

void write_family_last(rocksdb::WriteBatch& batch, std::uint64_t number) {
    batch.Put(family_key, varint(number));
}

}  // namespace idxfsck::store
