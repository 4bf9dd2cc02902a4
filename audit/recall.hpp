// audit/recall.hpp
//
// From fingerprints back to entries: reads again the rows in which unmatched entries were seen.
//
// Reads    recall_pages: only the pages of those rows, where the reader still shows the moment of
//          the scan. recall_tables: whole tables, where it does not and rows may have moved.
// Gives    Suspects. What recall_tables does not find again is gone: no row derives it, or no entry
//          holds it, any more.
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

struct RecalledTables {
    std::vector<Suspect> suspects;
    std::vector<Gap> gaps;
};

// In the tables of `settings`, everything with one of the marks of `wanted`.
RecalledTables recall_tables(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                             const WalkSettings& settings, std::span<const Wanted> wanted,
                             std::uint64_t seed);

}  // namespace idxfsck::audit
