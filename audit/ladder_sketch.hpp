// audit/ladder_sketch.hpp
//
// The sketch of one index: five levels of invertible Bloom lookup tables, whatever the size of the
// data. Level 0 takes every entry and carries its bytes; level l takes the entries whose 4·l low
// hash bits are zero, as fingerprints. Exact up to about 10,000 differences; beyond that the first
// level that decodes is a fair sample of one in 16^l, which tells the size of the drift and true
// examples.
//
// Shape    3 or 4 MB, by the width of the cells of level 0. Sketches of parts add up to the sketch
//          of the whole, on any number of threads or machines, if they share seed and width.
// Errors   decode() says how much of it is exact. It never takes a sketch that will not peel for an
//          empty one.
// Threads  A plain value, one per thread.
// Source   Goodrich and Mitzenmacher, "Invertible Bloom Lookup Tables", Allerton 2011; the ladder
//          is the strata estimator of Eppstein, Goodrich, Uyeda and Varghese, "What's the
//          Difference? Efficient Set Reconciliation without Prior Context", SIGCOMM 2011, with
//          every level wide enough to be of use by itself.

#pragma once

#include "audit/sketch_payload.hpp"

namespace idxfsck::audit {

constexpr std::size_t ladder_levels_count = 5;
constexpr std::size_t ladder_level_bits = 4;

struct SketchDifference {
    bool complete = false;             // `entries` is all that differs
    std::vector<PeeledEntry> entries;  // true differences, sorted
    double estimate = 0;               // of the number of differences
    std::size_t level = 0;             // that the estimate comes from
};

class LadderSketch {
public:
    LadderSketch(std::uint64_t seed, std::size_t cell_size);

    void add(Side side, const Fingerprint& fingerprint, store::BytesView bytes);
    void add(const LadderSketch& other);

    // As SketchPayload: adding in two steps; the levels above 0 apart.
    bool fits(store::BytesView bytes) const { return payload_.fits(bytes); }
    void make_ready(SketchChunk& chunk, Side side, const Fingerprint& fingerprint,
                    store::BytesView bytes) const {
        payload_.make_ready(chunk, side, fingerprint, bytes);
    }
    void add(const SketchChunk& chunk) { payload_.add(chunk); }
    // Does it go into a level above 0?
    static bool is_sampled(const Fingerprint& fingerprint) {
        return (fingerprint.low & ((1U << ladder_level_bits) - 1)) == 0;
    }
    void add_to_levels(Side side, const Fingerprint& fingerprint);

    SketchDifference decode() const& { return LadderSketch{*this}.decode(); }
    // The same, without a copy.
    SketchDifference decode() &&;

    // The cell size and all cells; load() throws Error if the size is another.
    void save(StateWriter& writer) const;
    void load(StateReader& reader);

private:
    SketchPayload payload_;            // level 0
    std::vector<SketchCells> levels_;  // levels 1 to 4
};

}  // namespace idxfsck::audit
