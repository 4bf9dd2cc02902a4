#include "audit/sketch_cells.hpp"

#include <algorithm>

#include "audit/state_file.hpp"

namespace idxfsck::audit {

namespace {

// Spreads the bits of one word over all of another (the finisher of SplitMix64): the check must not
// be a sum that the fingerprint's own sums imply.
std::uint64_t mixed(std::uint64_t word) {
    word ^= word >> 30;
    word *= 0xbf58476d1ce4e5b9;
    word ^= word >> 27;
    word *= 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

std::uint64_t check_of(const Fingerprint& fingerprint) {
    return mixed(fingerprint.low ^ (fingerprint.high * 0x9e3779b97f4a7c15));
}

constexpr std::int64_t sign_of(Side side) { return side == Side::base ? 1 : -1; }

}  // namespace

void SketchCells::Cell::add(std::int64_t sign, const Fingerprint& fingerprint,
                            std::uint64_t check_word) {
    const auto factor = static_cast<std::uint64_t>(sign);
    count += sign;
    check += factor * check_word;
    low += factor * fingerprint.low;
    high += factor * fingerprint.high;
}

void SketchCells::add(Side side, const Fingerprint& fingerprint) {
    const std::uint64_t check = check_of(fingerprint);
    for (const std::uint32_t position : sketch_positions(fingerprint)) {
        cells_[position].add(sign_of(side), fingerprint, check);
    }
}

void SketchCells::add(const SketchCells& other) {
    for (std::size_t position = 0; position < cells_.size(); ++position) {
        cells_[position].count += other.cells_[position].count;
        cells_[position].check += other.cells_[position].check;
        cells_[position].low += other.cells_[position].low;
        cells_[position].high += other.cells_[position].high;
    }
}

void SketchCells::save(StateWriter& writer) const {
    for (const Cell& cell : cells_) {
        const std::array words{static_cast<std::uint64_t>(cell.count), cell.check, cell.low,
                               cell.high};
        writer.words(words);
    }
}

void SketchCells::load(StateReader& reader) {
    for (Cell& cell : cells_) {
        std::array<std::uint64_t, 4> words{};
        reader.words(words);
        cell = {static_cast<std::int64_t>(words[0]), words[1], words[2], words[3]};
    }
}

bool SketchCells::single(const Cell& cell, std::size_t position, PeeledFingerprint& out) {
    if (cell.count != 1 && cell.count != -1) return false;
    const auto sign = static_cast<std::uint64_t>(cell.count);
    const Fingerprint fingerprint{sign * cell.low, sign * cell.high};
    if (sign * cell.check != check_of(fingerprint)) return false;
    const auto positions = sketch_positions(fingerprint);
    if (std::find(positions.begin(), positions.end(), position) == positions.end()) return false;
    out = {cell.count == 1 ? Side::base : Side::index, fingerprint};
    return true;
}

bool SketchCells::peel(std::vector<PeeledFingerprint>& out) const {
    std::vector<Cell> cells = cells_;
    std::vector<std::uint32_t> ready;
    for (std::uint32_t position = 0; position < cells.size(); ++position) ready.push_back(position);
    // More than one a cell cannot come off: cells that are no sums of entries would peel for ever.
    const std::size_t peeled_max = out.size() + cells.size();
    while (!ready.empty() && out.size() < peeled_max) {
        const std::uint32_t position = ready.back();
        ready.pop_back();
        PeeledFingerprint peeled;
        if (!single(cells[position], position, peeled)) continue;
        const std::uint64_t check = check_of(peeled.fingerprint);
        for (const std::uint32_t other : sketch_positions(peeled.fingerprint)) {
            cells[other].add(-sign_of(peeled.side), peeled.fingerprint, check);
            ready.push_back(other);
        }
        out.push_back(peeled);
    }
    return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.empty(); });
}

}  // namespace idxfsck::audit
