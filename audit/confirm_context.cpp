#include "audit/confirm_context.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "audit/entry_bytes.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

std::vector<Wanted> wanted_of(const std::vector<std::vector<Unmatched>>& unmatched,
                              const Included& included) {
    std::vector<Wanted> result;
    for (std::size_t index = 0; index < unmatched.size(); ++index) {
        if (!included[index]) continue;
        for (const Unmatched& entry : unmatched[index]) {
            if (!entry.entry.empty()) continue;
            result.push_back({entry.place, index, entry.side, entry.mark});
        }
    }
    std::sort(result.begin(), result.end());
    // An entry that a row holds twice stands in two records of one place.
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

namespace {

// Nothing if the entry does not tell its base row.
std::optional<Suspect> carried_suspect(const IndexProgram& program, const Unmatched& unmatched) {
    std::optional<Entry> entry = read_entry_bytes(unmatched.entry);
    store::ensure(entry.has_value(), "a sketch gives back the bytes that were put in");
    Suspect suspect{0, unmatched.side, false, std::move(*entry), {}, unmatched.mark};
    if (unmatched.side == Side::index) {
        const auto rows = program.rows_of(EntryLoan{suspect.entry}.view());
        if (rows.empty()) return std::nullopt;
        suspect.row = rows.front();
        return suspect;
    }
    const auto base_key = program.locate(EntryLoan{suspect.entry}.view());
    if (!base_key) return std::nullopt;
    suspect.row = *base_key;
    return suspect;
}

}  // namespace

bool can_carry(const IndexProgram& program, const std::vector<Unmatched>& unmatched) {
    return std::all_of(unmatched.begin(), unmatched.end(), [&](const Unmatched& entry) {
        return entry.entry.empty() || carried_suspect(program, entry).has_value();
    });
}

std::vector<Suspect> carried_suspects(const Programs& programs,
                                      const std::vector<std::vector<Unmatched>>& unmatched,
                                      const Included& included) {
    std::vector<Suspect> suspects;
    for (std::size_t index = 0; index < unmatched.size(); ++index) {
        if (!included[index]) continue;
        for (const Unmatched& entry : unmatched[index]) {
            if (entry.entry.empty()) continue;
            suspects.push_back(*carried_suspect(*programs.indexes[index].program, entry));
            suspects.back().index = index;
        }
    }
    return suspects;
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
