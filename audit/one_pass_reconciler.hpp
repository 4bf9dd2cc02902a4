// audit/one_pass_reconciler.hpp
//
// Reconciling in one pass, whatever the drift: for stores whose tables must not be scanned twice.
// The entries go into a sketch and, as 16 bytes each, into the journal of the exact engine. Where
// the sketch gives back what differs word for word, nothing need be read again and the journal is
// dropped. Where more differs than it holds, or an entry does not tell its base row, the journal is
// matched, and its places say which pages to read again.
//
// Shape    Counts as Counting::multiset does. Memory: the sketch, and the journal within the
//          budget; the rest of the journal lies on disk.
// Errors   As the engines that it is made of. It is exhausted only if neither memory nor disk could
//          take the journal.
// Threads  As Reconciler says.

#pragma once

#include <functional>
#include <string>

#include "audit/exact_reconciler.hpp"
#include "audit/sketch_reconciler.hpp"

namespace idxfsck::audit {

class OnePassReconciler : public Reconciler {
public:
    // Do all entries that came out of the sketch lead to their rows?
    using Carries = std::function<bool(const std::vector<Unmatched>&)>;

    // As SketchReconciler and ExactReconciler.
    OnePassReconciler(std::uint64_t seed, std::size_t cell_size, MemoryBudget& budget,
                      std::string spill_directory, Carries carries);
    ~OnePassReconciler() override;

    std::string_view name() const override { return "one-pass"; }
    Lane& lane() override;
    void save(StateWriter& writer, Places places) override;
    void load(StateReader& reader) override;
    void close() override;
    std::size_t parts_count() const override;
    std::vector<Unmatched> unmatched(std::size_t part) override;
    bool exhausted() const override { return from_journal_ && journal_.exhausted(); }
    double differences_estimate() const override { return journal_.differences_estimate(); }
    double differences_error() const override { return journal_.differences_error(); }
    double miss_probability(std::uint64_t differences) const override;

    // After close(): did the answer have to come from the journal?
    bool from_journal() const { return from_journal_; }

private:
    class BothLane;

    SketchReconciler sketch_;
    ExactReconciler journal_;
    Carries carries_;
    std::mutex mutex_;  // of lanes_
    std::vector<std::unique_ptr<BothLane>> lanes_;
    bool from_journal_ = false;
    std::vector<Unmatched> entries_;  // from the sketch
};

}  // namespace idxfsck::audit
