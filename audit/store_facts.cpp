#include "audit/store_facts.hpp"

#include <set>

#include "store/error.hpp"
#include "store/inspection.hpp"

namespace idxfsck::audit {

namespace {

std::set<std::string> tables_named(const Spec& spec, const std::string& store) {
    std::set<std::string> names;
    for (const BaseSpec& base : spec.bases) {
        if (base.store == store) names.insert(base.table);
    }
    for (const IndexSpec& index : spec.indexes) {
        if (index.store == store) names.insert(index.table);
    }
    return names;
}

// A name that is none of the store's is compared with those that are, if these may be seen: one who
// may read the tables of the spec alone still hears which of them is missing.
void add_all_tables(StoreFacts& facts, const store::Reader& reader) {
    try {
        facts.tables = reader.tables();
    } catch (const store::Error&) {
        if (!reader.capabilities().metered) throw;
    }
}

}  // namespace

StoreFacts facts_of(const Spec& spec, const std::string& name, const store::Reader& reader) {
    StoreFacts facts;
    facts.key_limits = reader.capabilities().key_limits;
    std::vector<std::string> missing;
    if (reader.capabilities().metered) {
        for (const std::string& table : tables_named(spec, name)) {
            std::optional<store::TableSchema> schema = reader.table(table);
            if (schema) facts.tables.push_back(std::move(*schema));
            else missing.push_back(table);
        }
        if (missing.empty()) return facts;
    }
    // Now that the others are known the store may see that a name is that of an index of its own.
    for (const std::string& table : missing) static_cast<void>(reader.table(table));
    add_all_tables(facts, reader);
    facts.missing_hint = store::missing_hint(reader);
    return facts;
}

}  // namespace idxfsck::audit
