// audit/scan.hpp
//
// The scan of an audit: every row of every table of the programs, once, into the reconcilers.
//
// Reads    Each table, by way of walk_pass.
// Needs    One reconciler an index; null: the index is left out.
// Gives    Entries in the reconcilers; counts, page books, damaged rows and gaps.
// Threads  As many workers as the pool has.

#pragma once

#include "audit/scan_worker.hpp"
#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

struct ScanResult {
    std::vector<std::unique_ptr<ScanWorker>> workers;
    WalkResult walk;
};

// Begins, or goes on with `so_far`: then with the rest of its walk, and beside its counts.
ScanResult run_scan(const Programs& programs, const TableReaders& readers,
                    const std::vector<Reconciler*>& reconcilers, TaskPool& pool,
                    WalkSettings settings, std::uint64_t seed, ScanResult so_far = {});

}  // namespace idxfsck::audit
