#include <algorithm>

#include "audit/language/nearest.hpp"
#include "audit/live_stores.hpp"
#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

template <typename Declarations>
std::vector<std::string_view> names_of(const Declarations& declarations) {
    std::vector<std::string_view> names;
    for (const auto& declaration : declarations) names.push_back(declaration.name);
    return names;
}

// Names that were left out have their complaint already.
void check_known(const std::string& name, SpecPlace place, const std::string& what,
                 const std::vector<std::string_view>& names, Reading& reading) {
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    reading.complain(place, "no such " + what, name,
                     names.empty() ? "the spec declares none: [" + what + "." + name + "]"
                                   : suggest(name, names));
}

void check_doubles(const Spec& spec, Reading& reading) {
    for (std::size_t index = 0; index < spec.indexes.size(); ++index) {
        for (std::size_t before = 0; before < index; ++before) {
            const IndexSpec& first = spec.indexes[before];
            if (first.name.empty() || first.name != spec.indexes[index].name) continue;
            reading.complain(spec.indexes[index].place, "two indexes of one name", first.name,
                             "the first stands in line " + std::to_string(first.place.line));
            break;
        }
    }
}

constexpr std::string_view files_kind = "files";

// Rows in files do not change: another store of files confirms nothing.
void check_live(const Spec& spec, const std::vector<std::string_view>& stores, Reading& reading) {
    for (const StoreSpec& store : spec.stores) {
        const std::string live = live_store_of(spec, store.name);
        if (live.empty() || store.kind != files_kind) continue;
        check_known(live, store.place, "store", stores, reading);
        const StoreSpec* const found = spec.store(live);
        if (found == nullptr || found->kind != files_kind) continue;
        reading.complain(store.place, "`live` names a store of files", live,
                         "it names the store that the files came from");
    }
}

bool is_store_used(const Spec& spec, const std::string& name) {
    if (is_only_live(spec, name)) return true;
    return std::any_of(spec.bases.begin(), spec.bases.end(),
                       [&](const BaseSpec& base) { return base.store == name; }) ||
           std::any_of(spec.indexes.begin(), spec.indexes.end(),
                       [&](const IndexSpec& index) { return index.store == name; });
}

void check_used(const Spec& spec, Reading& reading) {
    for (const StoreSpec& store : spec.stores) {
        if (is_store_used(spec, store.name)) continue;
        reading.complain(store.place, "no base and no index uses this store", store.name, {});
    }
    // An `of` that leads nowhere has its complaint already, and may well mean this base.
    const bool known = std::all_of(spec.indexes.begin(), spec.indexes.end(),
                                   [&](const IndexSpec& index) { return spec.base(index.of); });
    for (const BaseSpec& base : spec.bases) {
        if (!known || spec.indexes.empty()) continue;
        const bool used =
            std::any_of(spec.indexes.begin(), spec.indexes.end(),
                        [&](const IndexSpec& index) { return index.of == base.name; });
        if (!used) reading.complain(base.place, "no index is of this base", base.name, {});
    }
}

}  // namespace

void check_names(const Spec& spec, Reading& reading) {
    const std::vector<std::string_view> stores = names_of(spec.stores);
    const std::vector<std::string_view> bases = names_of(spec.bases);
    for (const BaseSpec& base : spec.bases) {
        check_known(base.store, base.store_place, "store", stores, reading);
    }
    for (const IndexSpec& index : spec.indexes) {
        check_known(index.of, index.of_place, "base", bases, reading);
        check_known(index.store, index.store_place, "store", stores, reading);
    }
    check_live(spec, stores, reading);
    check_doubles(spec, reading);
    check_used(spec, reading);
    if (spec.indexes.empty()) {
        reading.complain({1, 1}, "the spec declares no index", {}, "add an [[index]] table");
    }
}

}  // namespace idxfsck::audit::language
