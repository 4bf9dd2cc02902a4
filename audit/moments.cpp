#include "audit/moments.hpp"

#include "audit/live_stores.hpp"

namespace idxfsck::audit {

namespace {

std::size_t base_table(const Programs& programs, std::size_t index) {
    return programs.bases[programs.indexes[index].base].table;
}

std::size_t index_table(const Programs& programs, std::size_t index) {
    return programs.indexes[index].table;
}

std::optional<std::int64_t> moment_of(const Programs& programs, const TableReaders& readers,
                                      std::size_t table) {
    return readers[table]->as_of_ms(programs.tables[table].schema.name);
}

}  // namespace

Moments moments_of(const Programs& programs, const TableReaders& readers, std::size_t index) {
    return {moment_of(programs, readers, base_table(programs, index)),
            moment_of(programs, readers, index_table(programs, index))};
}

bool shares_snapshot(const Programs& programs, const TableReaders& readers, std::size_t index) {
    const store::Reader* const of_base = readers[base_table(programs, index)];
    const store::Reader* const of_index = readers[index_table(programs, index)];
    if (!of_base->capabilities().snapshot || !of_index->capabilities().snapshot) return false;
    const Moments moments = moments_of(programs, readers, index);
    if (moments.base_ms != moments.index_ms) return false;
    // Exports of one moment are one snapshot, in however many stores they lie.
    return of_base == of_index || moments.base_ms.has_value();
}

bool looks_elsewhere(const Programs& programs, const TableReaders& readers,
                     const TableReaders& look_readers, std::size_t index) {
    const std::size_t base = base_table(programs, index);
    const std::size_t own = index_table(programs, index);
    return readers[base] != look_readers[base] || readers[own] != look_readers[own];
}

bool are_apart(const Programs& programs, const TableReaders& readers, std::size_t index) {
    const Moments moments = moments_of(programs, readers, index);
    return moments.base_ms != moments.index_ms;
}

bool rests_on_both_sides(const Outcome& outcome) {
    switch (outcome.ruling) {
        case Ruling::unclaimed:
            return true;
        case Ruling::claim:
            return !outcome.entry_there;
        case Ruling::finding:
            return outcome.finding.kind == FindingKind::orphaned_write ||
                   outcome.finding.kind == FindingKind::stale_pointer ||
                   outcome.finding.kind == FindingKind::divergent_copy;
        default:
            return false;
    }
}

void cover_moments(const Spec& spec, const Programs& programs, const TableReaders& readers,
                   Coverage& coverage) {
    for (std::size_t table = 0; table < programs.tables.size(); ++table) {
        coverage.tables[table].as_of_ms = moment_of(programs, readers, table);
        coverage.tables[table].live_store = live_store_of(spec, programs.tables[table].store);
    }
}

}  // namespace idxfsck::audit
