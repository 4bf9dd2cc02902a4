#include <algorithm>

#include "audit/language/file_reader.hpp"

namespace idxfsck::audit::language {

namespace {

constexpr std::string_view files_kind = "files";

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

// What a base or index says of a table.
struct Mention {
    std::string store;
    std::string table;
    Names key;
    SpecPlace place;
};

// Bases first: the order of their keys is that of the table.
std::vector<Mention> mentions_in(const Spec& spec) {
    std::vector<Mention> mentions;
    for (const BaseSpec& base : spec.bases) {
        mentions.push_back({base.store, base.table, base.key, base.store_place});
    }
    for (const IndexSpec& index : spec.indexes) {
        Mention mention{index.store, index.table, {}, index.store_place};
        for (const NamedTemplate& component : index.key) mention.key.push_back(component.name);
        if (!index.inside) mentions.push_back(std::move(mention));
    }
    return mentions;
}

void settle(StoreSpec& store, const Mention& mention, Reading& reading) {
    if (mention.table.empty() || mention.key.empty()) return;
    const auto known =
        std::find_if(store.file_tables.begin(), store.file_tables.end(),
                     [&](const store::FileTable& table) { return table.name == mention.table; });
    if (known == store.file_tables.end()) {
        store::FileTable table;
        table.name = mention.table;
        table.key = mention.key;
        store.file_tables.push_back(std::move(table));
        return;
    }
    if (known->key.empty()) known->key = mention.key;
    if (sorted(known->key) == sorted(mention.key)) return;
    reading.complain(mention.place,
                     "the key of " + mention.table + " has other names elsewhere in the spec",
                     quoted(mention.key), "there it is " + quoted(known->key));
}

}  // namespace

void settle_file_tables(Spec& spec, Reading& reading) {
    const std::vector<Mention> mentions = mentions_in(spec);
    for (StoreSpec& store : spec.stores) {
        if (store.kind != files_kind) continue;
        for (const Mention& mention : mentions) {
            if (mention.store == store.name) settle(store, mention, reading);
        }
        for (const store::FileTable& table : store.file_tables) {
            if (!table.key.empty()) continue;
            reading.complain(store.place, "table " + table.name + " has no `key`", {},
                             "no base and no index says what it is: [\"UserId\"]");
        }
    }
}

}  // namespace idxfsck::audit::language
