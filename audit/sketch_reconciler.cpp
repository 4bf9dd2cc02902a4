#include "audit/sketch_reconciler.hpp"

#include <algorithm>
#include <cmath>

#include "audit/chance.hpp"
#include "audit/sketch_queue.hpp"
#include "audit/state_file.hpp"

namespace idxfsck::audit {

namespace {

constexpr std::size_t small_cell = 64;
constexpr std::size_t large_cell = 128;
constexpr std::size_t cell_overhead = 16;  // count and header

}  // namespace

// Aligned, so that the counters of two lanes never share a cache line.
class alignas(128) SketchReconciler::SketchLane : public Lane {
public:
    SketchLane(std::uint64_t seed, std::size_t cell_size) : sketch{seed, cell_size} {}

    void add(Side side, const Fingerprint& fingerprint, Place, store::BytesView bytes) override {
        queue.add(side, fingerprint, bytes);
    }

    LadderSketch sketch;
    SketchQueue queue{sketch};
};

SketchReconciler::SketchReconciler(std::uint64_t seed, std::size_t cell_size,
                                   MemoryBudget* budget)
    : seed_{seed}, cell_size_{cell_size}, budget_{budget} {}

SketchReconciler::~SketchReconciler() { drop_lanes(); }

void SketchReconciler::drop_lanes() {
    if (budget_ != nullptr) budget_->give_back(lanes_.size() * sketch_bytes(cell_size_));
    lanes_.clear();
}

Lane& SketchReconciler::lane() {
    const std::lock_guard lock{mutex_};
    lanes_.push_back(std::make_unique<SketchLane>(seed_, cell_size_));
    if (budget_ != nullptr) budget_->take(sketch_bytes(cell_size_));
    return *lanes_.back();
}

LadderSketch SketchReconciler::sum() const {
    LadderSketch all{seed_, cell_size_};
    for (const auto& lane : lanes_) {
        lane->queue.flush();
        all.add(lane->sketch);
    }
    return all;
}

void SketchReconciler::save(StateWriter& writer, Places) {
    writer.bytes(name());
    sum().save(writer);
}

void SketchReconciler::load(StateReader& reader) {
    if (reader.bytes() != name()) reader.fail();
    auto lane = std::make_unique<SketchLane>(seed_, cell_size_);
    lane->sketch.load(reader);
    // However many are loaded, they are kept as one.
    if (!lanes_.empty()) return lanes_.front()->sketch.add(lane->sketch);
    lanes_.push_back(std::move(lane));
    if (budget_ != nullptr) budget_->take(sketch_bytes(cell_size_));
}

void SketchReconciler::close() {}

// Into the first lane, and the others go as they are added: no sketch more than the scan had.
SketchDifference SketchReconciler::decode_lanes() {
    if (lanes_.empty()) return LadderSketch{seed_, cell_size_}.decode();
    LadderSketch& all = lanes_.front()->sketch;
    lanes_.front()->queue.flush();
    for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
        lanes_[lane]->queue.flush();
        all.add(lanes_[lane]->sketch);
        lanes_[lane].reset();
    }
    return std::move(all).decode();
}

std::vector<Unmatched> SketchReconciler::unmatched(std::size_t) {
    SketchDifference difference = decode_lanes();
    drop_lanes();
    exhausted_ = !difference.complete;
    estimate_ = difference.estimate;
    // A level took one entry in 16^level: its error is that of a count of so many.
    const double sample = estimate_ / std::pow(16.0, static_cast<double>(difference.level));
    error_ = exhausted_ ? 1 / std::sqrt(std::max(sample, 1.0)) : 0;
    std::vector<Unmatched> result;
    for (PeeledEntry& entry : difference.entries) {
        result.push_back({entry.side, {}, entry.fingerprint.low, std::move(entry.bytes)});
    }
    return result;
}

double SketchReconciler::miss_probability(std::uint64_t differences) const {
    // Two entries that cancel share the cells and the tag, and so all 128 bits. Even these would
    // show, for their bytes differ: this is a bound from above.
    return odds_of_a_miss(differences, 128);
}

std::size_t sketch_cell_size(std::vector<std::size_t> entry_sizes) {
    if (entry_sizes.empty()) return large_cell;
    // The hundredth part may be longer: it goes in as chunks.
    const std::size_t rank = entry_sizes.size() * 99 / 100;
    const auto place = entry_sizes.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(entry_sizes.begin(), place, entry_sizes.end());
    return *place <= small_cell - cell_overhead ? small_cell : large_cell;
}

std::uint64_t sketch_bytes(std::size_t cell_size) {
    const std::uint64_t pages = (sketch_cells_count * cell_size - 1) / large_page_bytes + 1;
    return pages * large_page_bytes + sketch_cells_count * (ladder_levels_count - 1) * 32;
}

std::size_t sketch_chunks(std::size_t entry_size, std::size_t cell_size) {
    const std::size_t room = cell_size - cell_overhead;
    if (entry_size <= room) return 1;
    constexpr std::size_t lead_size = 8;  // of the entry's fingerprint, before each chunk
    return (entry_size + room - lead_size - 1) / (room - lead_size);
}

bool is_sketch_cell_size(std::size_t size) { return size == small_cell || size == large_cell; }

}  // namespace idxfsck::audit
