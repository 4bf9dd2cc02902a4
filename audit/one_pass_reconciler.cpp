#include "audit/one_pass_reconciler.hpp"

#include "audit/state_file.hpp"

namespace idxfsck::audit {

class OnePassReconciler::BothLane : public Lane {
public:
    BothLane(Lane& sketch, Lane& journal) : sketch_{sketch}, journal_{journal} {}

    void add(Side side, const Fingerprint& fingerprint, Place place,
             store::BytesView bytes) override {
        sketch_.add(side, fingerprint, place, bytes);
        journal_.add(side, fingerprint, place, bytes);
    }

private:
    Lane& sketch_;
    Lane& journal_;
};

OnePassReconciler::OnePassReconciler(std::uint64_t seed, std::size_t cell_size,
                                     MemoryBudget& budget, std::string spill_directory,
                                     Carries carries)
    : sketch_{seed, cell_size, &budget},
      journal_{Counting::multiset, budget, std::move(spill_directory)},
      carries_{std::move(carries)} {}

OnePassReconciler::~OnePassReconciler() = default;

Lane& OnePassReconciler::lane() {
    const std::lock_guard lock{mutex_};
    lanes_.push_back(std::make_unique<BothLane>(sketch_.lane(), journal_.lane()));
    return *lanes_.back();
}

void OnePassReconciler::save(StateWriter& writer, Places places) {
    writer.bytes(name());
    sketch_.save(writer, places);
    journal_.save(writer, places);
}

void OnePassReconciler::load(StateReader& reader) {
    if (reader.bytes() != name()) reader.fail();
    sketch_.load(reader);
    journal_.load(reader);
}

// The sketch is asked here, for its answer decides how many parts there are.
void OnePassReconciler::close() {
    lanes_.clear();
    journal_.close();
    sketch_.close();
    entries_ = sketch_.unmatched(0);
    from_journal_ = sketch_.exhausted() || !carries_(entries_);
    if (from_journal_) {
        entries_ = {};
    } else {
        journal_.clear();
    }
}

std::size_t OnePassReconciler::parts_count() const {
    return from_journal_ ? journal_.parts_count() : 1;
}

std::vector<Unmatched> OnePassReconciler::unmatched(std::size_t part) {
    return from_journal_ ? journal_.unmatched(part) : std::move(entries_);
}

double OnePassReconciler::miss_probability(std::uint64_t differences) const {
    return from_journal_ ? journal_.miss_probability(differences)
                         : sketch_.miss_probability(differences);
}

}  // namespace idxfsck::audit
