// tests/reports/seed_world.hpp
//
// The tables of a seed in memory, as plain maps of text, for tests to look at.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "fixtures/seed_tables.hpp"

namespace idxfsck::tests {

using Words = std::vector<std::string>;

// Tables by name; rows by the texts of their key; attributes by name.
struct SeedWorld : fixtures::TableSink {
    using Attributes = std::map<std::string, store::Value>;

    std::map<std::string, std::map<Words, Attributes>> tables;
    std::string table;
    bool key_twice = false;

    void begin_table(const store::TableSchema& schema) override {
        table = schema.name;
        tables[table];
    }

    void row(const store::Row& row) override {
        Attributes attributes;
        for (store::NamedValue& named : store::decode_attributes(row.attributes)) {
            attributes[named.name] = named.value;
        }
        Words key;
        for (const store::Value& component : row.key) key.push_back(component.payload);
        key_twice |= !tables[table].emplace(key, attributes).second;
    }

    void end_table() override { table.clear(); }
};

inline SeedWorld make_world(const fixtures::SeedOptions& options) {
    SeedWorld world;
    fixtures::write_tables(options, fixtures::choose_faults(options), world);
    return world;
}

}  // namespace idxfsck::tests
