#include "audit/store_facts.hpp"

#include <set>

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

}  // namespace

StoreFacts facts_of(const Spec& spec, const std::string& name, const store::Reader& reader) {
    StoreFacts facts;
    facts.key_limits = reader.capabilities().key_limits;
    bool all_there = reader.capabilities().metered;
    for (const std::string& table : tables_named(spec, name)) {
        std::optional<store::TableSchema> schema;
        if (all_there) schema = reader.table(table);
        all_there = schema.has_value();
        if (!all_there) break;
        facts.tables.push_back(std::move(*schema));
    }
    // A name that is none of the store's is compared with those that are.
    if (!all_there) facts.tables = reader.tables();
    return facts;
}

}  // namespace idxfsck::audit
