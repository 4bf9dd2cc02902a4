#include "audit/confirm_context.hpp"

#include <algorithm>
#include <set>

namespace idxfsck::audit {

std::vector<Wanted> wanted_of(const std::vector<std::vector<Unmatched>>& unmatched,
                              const Included& included) {
    std::vector<Wanted> result;
    for (std::size_t index = 0; index < unmatched.size(); ++index) {
        if (!included[index]) continue;
        for (const Unmatched& entry : unmatched[index]) {
            result.push_back({entry.place, index, entry.side, entry.mark});
        }
    }
    std::sort(result.begin(), result.end());
    // An entry that a row holds twice stands in two records of one place.
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<Suspect> damaged_suspects(const ScanResult& scan, const Included& included) {
    std::vector<Suspect> suspects;
    for (const auto& worker : scan.workers) {
        for (const DamagedRow& row : worker->damaged) {
            if (!included[row.index]) continue;
            suspects.push_back({row.index, row.side, true, {}, row.key, 0});
        }
    }
    return suspects;
}

WalkSettings walk_of(const Programs& programs, const Included& included, bool bases_only) {
    std::set<std::size_t> tables;
    for (std::size_t index = 0; index < included.size(); ++index) {
        if (!included[index]) continue;
        tables.insert(programs.bases[programs.indexes[index].base].table);
        if (!bases_only) tables.insert(programs.indexes[index].table);
    }
    WalkSettings settings;
    settings.tables.assign(tables.begin(), tables.end());
    return settings;
}

}  // namespace idxfsck::audit
