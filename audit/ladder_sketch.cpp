#include "audit/ladder_sketch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace idxfsck::audit {

namespace {

// The last level that takes an entry of this hash.
std::size_t level_of(const Fingerprint& fingerprint) {
    const auto zeros = static_cast<std::size_t>(std::countr_zero(fingerprint.low));
    return std::min(zeros / ladder_level_bits, ladder_levels_count - 1);
}

}  // namespace

LadderSketch::LadderSketch(std::uint64_t seed, std::size_t cell_size)
    : payload_{seed, cell_size}, levels_(ladder_levels_count - 1) {}

void LadderSketch::add_to_levels(Side side, const Fingerprint& fingerprint) {
    const std::size_t last = level_of(fingerprint);
    for (std::size_t level = 1; level <= last; ++level) levels_[level - 1].add(side, fingerprint);
}

void LadderSketch::add(Side side, const Fingerprint& fingerprint, store::BytesView bytes) {
    payload_.add(side, fingerprint, bytes);
    add_to_levels(side, fingerprint);
}

void LadderSketch::add(const LadderSketch& other) {
    payload_.add(other.payload_);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        levels_[level].add(other.levels_[level]);
    }
}

void LadderSketch::save(StateWriter& writer) const {
    payload_.save(writer);
    for (const SketchCells& level : levels_) level.save(writer);
}

void LadderSketch::load(StateReader& reader) {
    payload_.load(reader);
    for (SketchCells& level : levels_) level.load(reader);
}

SketchDifference LadderSketch::decode() && {
    SketchDifference result;
    result.complete = std::move(payload_).peel(result.entries);
    std::sort(result.entries.begin(), result.entries.end());
    result.estimate = static_cast<double>(result.entries.size());
    if (result.complete) return result;
    for (std::size_t level = 1; level < ladder_levels_count; ++level) {
        std::vector<PeeledFingerprint> sample;
        const bool decoded = levels_[level - 1].peel(sample);
        result.level = level;
        result.estimate = static_cast<double>(sample.size()) *
                          std::pow(2.0, static_cast<double>(ladder_level_bits * level));
        if (decoded) break;
    }
    return result;
}

}  // namespace idxfsck::audit
