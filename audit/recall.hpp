// audit/recall.hpp
//
// From fingerprints back to entries: reads again the rows in which unmatched entries were seen.
//
// Reads    recall_pages: only the pages of those rows, where the reader still shows the moment of
//          the scan. recall_tables: whole tables, where it does not and rows may have moved.
//          recall_places: the pages of those rows, where rows may have moved but reading costs
//          money.
// Gives    Suspects. What the latter two do not find again is gone: no row derives it, or no entry
//          holds it, any more; unless it is among the `unknown`.
// Errors   Throws Error if a page cannot be read. `ensure` if a snapshot shows another row than
//          before.

#pragma once

#include <span>

#include "audit/scan.hpp"
#include "audit/suspect.hpp"

namespace idxfsck::audit {

// `wanted` is sorted by place.
std::vector<Suspect> recall_pages(const Programs& programs, const TableReaders& readers,
                                  const std::vector<std::unique_ptr<ScanWorker>>& workers,
                                  std::span<const Wanted> wanted, std::uint64_t seed);

struct Recalled {
    std::vector<Suspect> suspects;
    std::vector<Gap> gaps;
    std::vector<Wanted> unknown;       // their part of the table could not be read to its end
    std::vector<std::uint64_t> pages;  // one a table: read again
};

// Which base rows are asked for what they derive.
enum class Derivers {
    real,
    also_expiring,  // and those about to expire: what claims them may still be wanted
};

// In the tables of `settings`, everything with one of the marks of `wanted`.
Recalled recall_tables(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                       const WalkSettings& settings, std::span<const Wanted> wanted,
                       std::uint64_t seed, Derivers of = Derivers::real);

// `wanted` is sorted by place. A page is read to where it ended in the scan; if that end is not met
// again, up to three pages on.
Recalled recall_places(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                       const std::vector<std::unique_ptr<ScanWorker>>& workers,
                       std::span<const Wanted> wanted, std::uint64_t seed);

}  // namespace idxfsck::audit
