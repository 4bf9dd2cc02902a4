#include "audit/live_stores.hpp"

#include <algorithm>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

bool has_tables(const Spec& spec, const std::string& store) {
    const auto is_there = [&](const auto& declared) { return declared.store == store; };
    return std::any_of(spec.bases.begin(), spec.bases.end(), is_there) ||
           std::any_of(spec.indexes.begin(), spec.indexes.end(), is_there);
}

std::string names_of(const std::vector<store::Bytes>& key) {
    std::string out;
    for (const store::Bytes& name : key) out.append(out.empty() ? "" : ", ").append(name);
    return out;
}

}  // namespace

std::string live_store_of(const Spec& spec, const std::string& store) {
    const StoreSpec* const found = spec.store(store);
    if (found == nullptr) return {};
    const auto live = found->settings.find(live_setting);
    return live == found->settings.end() ? std::string{} : live->second;
}

bool is_only_live(const Spec& spec, const std::string& store) {
    const bool is_live =
        std::any_of(spec.stores.begin(), spec.stores.end(), [&](const StoreSpec& other) {
            return live_store_of(spec, other.name) == store;
        });
    return is_live && !has_tables(spec, store);
}

Spec at_live_stores(Spec spec) {
    const auto move = [&](auto& declared) {
        const std::string live = live_store_of(spec, declared.store);
        if (!live.empty()) declared.store = live;
    };
    std::for_each(spec.bases.begin(), spec.bases.end(), move);
    std::for_each(spec.indexes.begin(), spec.indexes.end(), move);
    std::erase_if(spec.stores, [&](const StoreSpec& store) {
        return store.settings.contains(live_setting) && !has_tables(spec, store.name);
    });
    return spec;
}

void check_live_table(const TableProgram& table, const std::string& live_name,
                      const store::Reader& live) {
    const auto fail = [&](const char* text, const std::string& seen, const char* hint) {
        throw store::Error{text, store::Trouble::usage}
            .with("store", live_name)
            .with("table", table.schema.name)
            .with("seen", seen)
            .hint(hint);
    };
    const std::optional<store::TableSchema> schema = live.table(table.schema.name);
    if (!schema) {
        fail("the live store has no such table", "",
             "call the table of the export as the live one is called; `files` says where it lies");
    }
    if (schema->key == table.schema.key) return;
    fail("the live table has another key", names_of(schema->key),
         "write the key in the spec as the live table has it, in that order");
}

}  // namespace idxfsck::audit
