#include <algorithm>

#include "audit/language/nearest.hpp"
#include "audit/language/raw_reader.hpp"
#include "store/rocksdb/raw_form.hpp"

namespace idxfsck::audit::language {

namespace {

using Names = std::vector<std::string>;

std::string quoted(const Names& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "\"" : ", \"") + name + "\"";
    return "[" + out + "]";
}

Names sorted(Names names) {
    std::sort(names.begin(), names.end());
    return names;
}

// `table` of a base or index, and the names of its key: are they those of the store's layout? Their
// order in an index says nothing, and in a base is looked at when the table is.
void check_table(const Spec& spec, const std::string& store_name, SpecPlace place,
                 const std::string& table, const Names& key, Reading& reading) {
    const StoreSpec* const store = spec.store(store_name);
    // A store without layouts has its complaint already, or is of another kind.
    if (store == nullptr || store->raw_tables.empty() || table.empty()) return;
    std::vector<std::string_view> declared;
    for (const store::RawTable& raw : store->raw_tables) {
        declared.push_back(raw.name);
        if (raw.name != table) continue;
        const store::TableSchema schema = store::raw_schema(raw);
        if (key.empty() || schema.key.empty() || sorted(schema.key) == sorted(key)) return;
        return reading.complain(place, "the key of " + table + " has other names in its store",
                                quoted(key), "it is laid out as " + quoted(schema.key));
    }
    reading.complain(place, "the store lays out no such table", table, suggest(table, declared));
}

}  // namespace

void check_raw_tables(const Spec& spec, Reading& reading) {
    for (const BaseSpec& base : spec.bases) {
        check_table(spec, base.store, base.store_place, base.table, base.key, reading);
    }
    for (const IndexSpec& index : spec.indexes) {
        Names key;
        for (const NamedTemplate& component : index.key) key.push_back(component.name);
        check_table(spec, index.store, index.store_place, index.table, key, reading);
    }
}

}  // namespace idxfsck::audit::language
