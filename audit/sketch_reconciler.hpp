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

namespace idxfsck::audit {

class SketchReconciler : public Reconciler {
public:
    // As LadderSketch.
    SketchReconciler(std::uint64_t seed, std::size_t cell_size);
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
    double miss_probability(std::uint64_t differences) const override;

private:
    class SketchLane;

    LadderSketch sum() const;
    SketchDifference decode_lanes();

    std::uint64_t seed_;
    std::size_t cell_size_;
    std::mutex mutex_;  // of lanes_
    std::vector<std::unique_ptr<SketchLane>> lanes_;
    bool exhausted_ = false;
    double estimate_ = 0;
};

// The cell size for entries of these sizes: the smaller one if nearly all fit into it.
std::size_t sketch_cell_size(std::vector<std::size_t> entry_sizes);

// Is it one of the widths that sketch_cell_size gives?
bool is_sketch_cell_size(std::size_t size);

}  // namespace idxfsck::audit
