// audit/second_scan.hpp
//
// What to do where more differs than a sketch holds, or its entries do not tell their base rows.
// Where reading is free, the tables are scanned once more: into a sketch made to measure for the
// drift that is now known, if that is smaller than the exact engine, and else into that. Where it
// is not, or where that could not finish, the size of the drift is said as an estimate, and what
// was found stands for a sample: never for all, and never for nothing.
//
// Reads    Tables of free sources, once more, or twice if the sketch made to measure does not peel.
// Gives    For each index what does not cancel, the scan in which its places lie, and why it was
//          scanned again.
// Threads  The scan runs on the pool; everything else on the calling thread.

#pragma once

#include <deque>

#include "audit/coverage.hpp"
#include "audit/differences.hpp"
#include "audit/engines.hpp"
#include "audit/scan.hpp"

namespace idxfsck::audit {

class SecondScan {
public:
    // All must outlive this, but for `settings`, of which the tables are left out.
    SecondScan(const Programs& programs, const TableReaders& readers, Engines& engines,
               TaskPool& pool, MemoryBudget& budget, std::uint64_t seed, WalkSettings settings);

    // `differences`, `coverage` and `scan_of_index` are those of the first scan; what the second
    // one finds is put in their place. False if none was needed.
    bool run(std::vector<Differences>& differences, Coverage& coverage,
             std::vector<const ScanResult*>& scan_of_index);

private:
    using Included = std::vector<bool>;

    // Those whose sketch is not the answer, among the included.
    Included unanswered(const Included& included,
                        const std::vector<Differences>& differences) const;
    void set_engine(std::size_t index, const IndexCoverage& counts, bool carried);
    std::size_t tables_for(std::size_t index, const IndexCoverage& counts) const;
    void scan(const Included& included, std::vector<Differences>& differences, Coverage& coverage,
              std::vector<const ScanResult*>& scan_of_index);

    const Programs& programs_;
    const TableReaders& readers_;
    Engines& engines_;
    TaskPool& pool_;
    MemoryBudget& budget_;
    std::uint64_t seed_;
    WalkSettings settings_;
    std::vector<std::string> reasons_;  // one an index
    std::deque<ScanResult> scans_;  // of which the page books are still needed
};

// Says of each index of which not all that differs was found how much that is, about.
void say_estimates(const Engines& engines, Coverage& coverage);

}  // namespace idxfsck::audit
