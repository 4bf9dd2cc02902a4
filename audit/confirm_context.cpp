#include "audit/confirm_context.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "audit/entry_bytes.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

PlacedDifferences::PlacedDifferences(const std::vector<Differences>& differences,
                                     const Included& included)
    : differences_{differences} {
    for (std::size_t index = 0; index < differences.size(); ++index) {
        if (!included[index] || differences[index].placed_count() == 0) continue;
        next_.push({differences[index].placed(0, index), 0});
    }
}

std::vector<Wanted> PlacedDifferences::take(std::size_t count_max) {
    std::vector<Wanted> taken;
    while (!next_.empty() && taken.size() < count_max) {
        const Next next = next_.top();
        next_.pop();
        taken.push_back(next.wanted);
        const std::size_t index = next.wanted.index;
        const std::size_t position = next.position + 1;
        if (position == differences_[index].placed_count()) continue;
        next_.push({differences_[index].placed(position, index), position});
    }
    return taken;
}

std::vector<std::uint64_t> PlacedDifferences::rest() const {
    std::vector<std::uint64_t> counts(differences_.size());
    for (auto next = next_; !next.empty(); next.pop()) {
        const std::size_t index = next.top().wanted.index;
        counts[index] = differences_[index].placed_count() - next.top().position;
    }
    return counts;
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

std::vector<Suspect> carried_suspects(const Programs& programs, std::size_t index,
                                      std::span<const Unmatched> entries) {
    std::vector<Suspect> suspects;
    for (const Unmatched& entry : entries) {
        suspects.push_back(*carried_suspect(*programs.indexes[index].program, entry));
        suspects.back().index = index;
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
