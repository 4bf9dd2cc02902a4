// audit/parted_sketch.hpp
//
// A sketch made to measure, for a second scan of sources that are free to read: the first sketch
// told how much differs, and this one has the cells for so much. Memory in proportion to the drift,
// and one for all workers.
//
// Shape    Tables of 15,000 cells, as many as the drift calls for; a hash of the fingerprint says
//          which one an entry goes into, so that each peels by itself. A lane gathers entries for
//          each table and puts them in together, so that a table stays in the cache while it is
//          written: tables wait for their lock once in 4 KiB of entries.
// Units    1.43 cells a difference and four standard deviations of the estimate: 8 deviations of a
//          table's share below the 1.295 at which four hashes stop peeling.
// Errors   Exhausted if one table does not peel: then what it gave is true, but not all.
// Threads  As Reconciler says.
// Source   As sketch_cells.hpp; the threshold: Molloy, "Cores in random hypergraphs and Boolean
//          formulas", Random Structures & Algorithms 27(1), 2005.

#pragma once

#include <atomic>
#include <mutex>

#include "audit/memory_budget.hpp"
#include "audit/sketch_payload.hpp"

namespace idxfsck::audit {

// Tables for so many chunks (sketch_payload.hpp) that differ, known to `error`, one standard
// deviation as a share. 0: more than anybody would want.
std::size_t parted_sketch_tables(double chunks, double error);

// What a sketch of so many tables and workers holds.
std::uint64_t parted_sketch_bytes(std::size_t tables, std::size_t cell_size, std::size_t workers);

class PartedSketch : public Reconciler {
public:
    PartedSketch(std::uint64_t seed, std::size_t cell_size, std::size_t tables,
                 MemoryBudget& budget);
    ~PartedSketch() override;

    std::string_view name() const override { return "sketch"; }
    Lane& lane() override;
    // Never part of a checkpoint: a second scan starts anew.
    void save(StateWriter& writer, Places places) override;
    void load(StateReader& reader) override;
    void close() override;
    std::size_t parts_count() const override { return tables_.size(); }
    std::vector<Unmatched> unmatched(std::size_t part) override;
    bool exhausted() const override { return exhausted_; }
    double miss_probability(std::uint64_t differences) const override;

private:
    struct Table;
    class GatheringLane;

    MemoryBudget& budget_;
    std::size_t table_bytes_;
    std::vector<std::unique_ptr<Table>> tables_;
    std::mutex lanes_mutex_;
    std::vector<std::unique_ptr<GatheringLane>> lanes_;
    std::atomic<bool> exhausted_{false};
};

}  // namespace idxfsck::audit
