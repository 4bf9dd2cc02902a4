// audit/confirm_context.hpp
//
// What confirming rests on, and the lists that it starts from.
//
// Threads  Plain functions. The context refers to what the audit owns.

#pragma once

#include <vector>

#include "audit/audit_run.hpp"
#include "audit/scan.hpp"
#include "audit/suspect.hpp"

namespace idxfsck::audit {

struct ConfirmContext {
    const Programs& programs;
    const TableReaders& readers;
    const std::vector<store::Reader*>& refreshable;  // each reader once
    const ScanResult& scan;
    TaskPool& pool;
    Clock& clock;
    std::uint64_t seed;
    std::int64_t scan_end_ms;
};

// Indexes by their position in the programs: true, those that are meant.
using Included = std::vector<bool>;

// The unmatched entries of these indexes, in order of place.
std::vector<Wanted> wanted_of(const std::vector<std::vector<Unmatched>>& unmatched,
                              const Included& included);

// The rows of these indexes that cannot become, or be read as, entries.
std::vector<Suspect> damaged_suspects(const ScanResult& scan, const Included& included);

// How to walk the tables of these indexes, or their base tables alone.
WalkSettings walk_of(const Programs& programs, const Included& included, bool bases_only);

}  // namespace idxfsck::audit
