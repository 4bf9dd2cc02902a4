#include "audit/ground.hpp"

#include <random>
#include <set>

#include "audit/live_stores.hpp"
#include "audit/store_facts.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

std::uint64_t random_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

namespace {

// An export does not say of what kinds the keys of its table are; the table itself does.
void add_live_kinds(StoreFacts& facts, const store::Reader& live) {
    for (store::TableSchema& table : facts.tables) {
        const std::optional<store::TableSchema> schema = live.table(table.name);
        if (schema && schema->key == table.key) table.key_kinds = schema->key_kinds;
    }
}

// What holds for the tables of `name`: as its live store has it, if it has one.
StoreFacts facts_of_store(const Spec& spec, const Readers& readers, const std::string& name) {
    StoreFacts facts = facts_of(spec, name, *readers.at(name));
    const auto live = readers.find(live_store_of(spec, name));
    if (live == readers.end()) return facts;
    facts.key_limits = live->second->capabilities().key_limits;
    add_live_kinds(facts, *live->second);
    return facts;
}

}  // namespace

Ground lay_ground(const Spec& spec, const Readers& readers, const std::vector<std::string>& only,
                  std::int64_t now_ms) {
    Ground ground;
    std::map<std::string, StoreFacts> facts;
    for (const auto& [name, reader] : readers) {
        if (!is_only_live(spec, name)) facts[name] = facts_of_store(spec, readers, name);
        ground.stores.emplace_back(name, reader->identity());
    }
    ground.programs = compile(spec, facts, only, now_ms);
    std::set<store::Reader*> distinct;
    for (const TableProgram& table : ground.programs.tables) {
        const auto place = readers.find(table.store);
        store::ensure(place != readers.end(), "compile() knows only the stores it is given");
        ground.readers.push_back(place->second);
        const std::string live_name = live_store_of(spec, table.store);
        const auto live = readers.find(live_name);
        if (live != readers.end()) check_live_table(table, live_name, *live->second);
        store::Reader* const look = live != readers.end() ? live->second : place->second;
        ground.look_readers.push_back(look);
        if (distinct.insert(look).second) ground.refreshable.push_back(look);
    }
    return ground;
}

std::uint64_t Ground::rows_to_read() const {
    std::uint64_t sum = 0;
    for (std::size_t number = 0; number < programs.tables.size(); ++number) {
        const auto rows = readers[number]->rows_estimate(programs.tables[number].schema.name);
        if (!rows) return 0;
        sum += *rows;
    }
    return sum;
}

}  // namespace idxfsck::audit
