// audit/sketch_queue.hpp
//
// Entries on their way into a sketch: each waits while the cells that it adds itself to come into
// the cache. The table is as large as the second-level cache, which a scan uses for other things
// too; without the wait every entry stands still for four misses.
//
// Shape    A ring of 8 entries: of 16, a sixth of the time is lost again, for their cells have been
//          pushed out of the first-level cache by then. Of those that go into the sampled levels
//          too, one in 16, 64 are gathered. An entry that does not fit into a cell goes into the
//          sketch at once.
// Threads  Belongs to one thread. flush() before the sketch is looked at.

#pragma once

#include <array>

#include "audit/ladder_sketch.hpp"

namespace idxfsck::audit {

class SketchQueue {
public:
    explicit SketchQueue(LadderSketch& sketch) : sketch_{sketch} {}

    void add(Side side, const Fingerprint& fingerprint, store::BytesView bytes) {
        if (!sketch_.fits(bytes)) return sketch_.add(side, fingerprint, bytes);
        SketchChunk& place = ring_[next_ % ring_size];
        if (next_ >= ring_size) sketch_.add(place);
        ++next_;
        sketch_.make_ready(place, side, fingerprint, bytes);
        if (!LadderSketch::is_sampled(fingerprint)) return;
        sampled_[sampled_count_++] = {side, fingerprint};
        if (sampled_count_ == sampled_.size()) add_sampled();
    }

    // Nothing waits any more.
    void flush() {
        for (std::size_t at = next_ > ring_size ? next_ - ring_size : 0; at < next_; ++at) {
            sketch_.add(ring_[at % ring_size]);
        }
        next_ = 0;
        add_sampled();
    }

private:
    static constexpr std::size_t ring_size = 8;

    // All at once, so that one does not wait for the cells of another.
    void add_sampled() {
        for (std::size_t at = 0; at < sampled_count_; ++at) {
            sketch_.add_to_levels(sampled_[at].side, sampled_[at].fingerprint);
        }
        sampled_count_ = 0;
    }

    LadderSketch& sketch_;
    std::array<SketchChunk, ring_size> ring_;
    std::size_t next_ = 0;  // entries since the last flush
    std::array<PeeledFingerprint, 64> sampled_;
    std::size_t sampled_count_ = 0;
};

}  // namespace idxfsck::audit
