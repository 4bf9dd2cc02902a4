// audit/confirm_context.hpp
//
// What confirming rests on, and the lists that it starts from.
//
// Threads  Plain functions. The context refers to what the audit owns.

#pragma once

#include <queue>
#include <span>
#include <vector>

#include "audit/audit_run.hpp"
#include "audit/differences.hpp"
#include "audit/scan.hpp"
#include "audit/suspect.hpp"

namespace idxfsck::audit {

struct ConfirmContext {
    const Programs& programs;
    const TableReaders& readers;
    const TableReaders& look_readers;  // through which suspects are looked at again
    const std::vector<store::Reader*>& refreshable;  // of these each once
    const ScanResult& scan;
    // The scan in which the places of an index lie: the second one, if it had to be scanned again.
    const std::vector<const ScanResult*>& scan_of_index;
    TaskPool& pool;
    Clock& clock;
    std::uint64_t seed;
    std::int64_t scan_end_ms;
    bool resumed;  // the scan saw more than one moment, snapshot or not
    MemoryBudget& budget;
};

// Indexes by their position in the programs: true, those that are meant.
using Included = std::vector<bool>;

// The differences of these indexes that have a place, in order of place, batch by batch.
class PlacedDifferences {
public:
    PlacedDifferences(const std::vector<Differences>& differences, const Included& included);

    bool done() const { return next_.empty(); }
    std::vector<Wanted> take(std::size_t count_max);
    // Those that were not taken, one an index.
    std::vector<std::uint64_t> rest() const;

private:
    struct Next {
        Wanted wanted;
        std::size_t position = 0;

        bool operator<(const Next& other) const { return wanted > other.wanted; }  // least on top
    };

    const std::vector<Differences>& differences_;
    std::priority_queue<Next> next_;  // one an index that has some left
};

// Entries of one index that came with their own bytes.
std::vector<Suspect> carried_suspects(const Programs& programs, std::size_t index,
                                      std::span<const Unmatched> entries);

// Can all of them be confirmed? A base row that its entry does not tell cannot be read again.
bool can_carry(const IndexProgram& program, const std::vector<Unmatched>& unmatched);

// The rows of these indexes that cannot become, or be read as, entries.
std::vector<Suspect> damaged_suspects(const ScanResult& scan, const Included& included);

// How to walk the tables of these indexes, or their base tables alone.
WalkSettings walk_of(const Programs& programs, const Included& included, bool bases_only);

}  // namespace idxfsck::audit
