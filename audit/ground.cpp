#include "audit/ground.hpp"

#include <random>
#include <set>

#include "store/error.hpp"

namespace idxfsck::audit {

std::uint64_t random_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

Ground lay_ground(const Spec& spec, const Readers& readers, const std::vector<std::string>& only,
                  std::int64_t now_ms) {
    Ground ground;
    std::map<std::string, StoreFacts> facts;
    for (const auto& [name, reader] : readers) {
        facts[name] = {reader->tables(), reader->capabilities().key_limits};
        ground.stores.emplace_back(name, reader->identity());
    }
    ground.programs = compile(spec, facts, only, now_ms);
    std::set<store::Reader*> distinct;
    for (const TableProgram& table : ground.programs.tables) {
        const auto place = readers.find(table.store);
        store::ensure(place != readers.end(), "compile() knows only the stores it is given");
        ground.readers.push_back(place->second);
        if (distinct.insert(place->second).second) ground.refreshable.push_back(place->second);
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
