// audit/sketch_cells.hpp
//
// One level of the ladder: an invertible Bloom lookup table of fingerprints. What both sides add
// cancels; what is left can be peeled off one by one, as long as there is less of it than cells.
//
// Shape    15,000 cells of 32 bytes in 4 equal sections. A fingerprint adds itself to one cell of
//          each section: sums modulo 2^64, not XOR, so that two equal entries on one side show as a
//          count of 2 and do not vanish. Tables of one seed add up cell by cell. Two that share
//          all four cells cannot be told apart: odds of 3e-7 with 10,000 differences; then peel()
//          says so. With three cells they would be 4e-4.
// Errors   peel() says whether everything came off; what came off is true even if not everything
//          did. A cell passes for a single fingerprint although it holds several with odds of
//          2^-64.
// Threads  A plain value; one per thread, aligned so that two never share a cache line.
// Source   Goodrich and Mitzenmacher, "Invertible Bloom Lookup Tables", Allerton 2011.

#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "audit/reconcile.hpp"

namespace idxfsck::audit {

constexpr std::size_t sketch_cells_count = 15'000;
constexpr std::size_t sketch_hashes_count = 4;

// The cells that something with this hash adds itself to, one in each section.
inline std::array<std::uint32_t, sketch_hashes_count> sketch_positions(const Fingerprint& hash) {
    constexpr auto section = static_cast<std::uint32_t>(sketch_cells_count / sketch_hashes_count);
    // A number below `section`, by multiplication instead of division.
    const auto scaled = [](std::uint64_t bits32) {
        return static_cast<std::uint32_t>((bits32 * section) >> 32);
    };
    return {scaled(hash.low & 0xffffffff), section + scaled(hash.low >> 32),
            2 * section + scaled(hash.high & 0xffffffff), 3 * section + scaled(hash.high >> 32)};
}

struct PeeledFingerprint {
    Side side = Side::base;
    Fingerprint fingerprint;

    friend auto operator<=>(const PeeledFingerprint&, const PeeledFingerprint&) = default;
};

class SketchCells {
public:
    SketchCells() : cells_(sketch_cells_count) {}

    void add(Side side, const Fingerprint& fingerprint);
    void add(const SketchCells& other);

    // Takes off what it can; true if nothing is left.
    bool peel(std::vector<PeeledFingerprint>& out) const;

    // Four words a cell: count, check, low, high.
    void save(StateWriter& writer) const;
    void load(StateReader& reader);

private:
    struct alignas(32) Cell {
        std::int64_t count = 0;
        std::uint64_t check = 0;
        std::uint64_t low = 0;
        std::uint64_t high = 0;

        void add(std::int64_t sign, const Fingerprint& fingerprint, std::uint64_t check_of);
        bool empty() const { return count == 0 && check == 0 && low == 0 && high == 0; }
    };

    // The one fingerprint in a cell, if there is just one.
    static bool single(const Cell& cell, std::size_t position, PeeledFingerprint& out);

    std::vector<Cell> cells_;
};

}  // namespace idxfsck::audit
