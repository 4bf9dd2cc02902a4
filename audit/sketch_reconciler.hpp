// audit/sketch_reconciler.hpp
//
// Reconciling by sketch: memory in proportion to the drift, not to the data. What differs comes
// back with its bytes and without a place. If more differs than the sketch can hold, it is
// exhausted: then it gives a sample and the size of the drift, and another engine must do the rest.
//
// Shape    One LadderSketch a lane, added up at the end. Counts as Counting::multiset does; entries
//          without a pointer are many-to-one, and need another engine.
// Threads  As Reconciler says.

#pragma once

#include <mutex>
#include <vector>

#include "audit/ladder_sketch.hpp"
#include "audit/memory_budget.hpp"

namespace idxfsck::audit {

class SketchReconciler : public Reconciler {
public:
    // As LadderSketch. What the lanes hold is taken from `budget`, if there is one.
    SketchReconciler(std::uint64_t seed, std::size_t cell_size, MemoryBudget* budget = nullptr);
    ~SketchReconciler() override;

    std::string_view name() const override { return "sketch"; }
    Lane& lane() override;
    void save(StateWriter& writer, Places places) override;
    void load(StateReader& reader) override;
    void close() override;
    std::size_t parts_count() const override { return 1; }
    std::vector<Unmatched> unmatched(std::size_t part) override;
    bool exhausted() const override { return exhausted_; }
    double differences_estimate() const override { return estimate_; }
    double differences_error() const override { return error_; }
    double miss_probability(std::uint64_t differences) const override;

private:
    class SketchLane;

    LadderSketch sum() const;
    SketchDifference decode_lanes();
    void drop_lanes();

    std::uint64_t seed_;
    std::size_t cell_size_;
    MemoryBudget* budget_;
    std::mutex mutex_;  // of lanes_
    std::vector<std::unique_ptr<SketchLane>> lanes_;
    bool exhausted_ = false;
    double estimate_ = 0;
    double error_ = 0;
};

// The cell size for entries of these sizes: the smaller one if nearly all fit into it.
std::size_t sketch_cell_size(std::vector<std::size_t> entry_sizes);

// What one lane of a sketch holds.
std::uint64_t sketch_bytes(std::size_t cell_size);

// The chunks that an entry of so many bytes goes into a cell as.
std::size_t sketch_chunks(std::size_t entry_size, std::size_t cell_size);

// Is it one of the widths that sketch_cell_size gives?
bool is_sketch_cell_size(std::size_t size);

}  // namespace idxfsck::audit
