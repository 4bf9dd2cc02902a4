// audit/sketch_payload.hpp
//
// An invertible Bloom lookup table whose cells carry the entries' own bytes, so that what differs
// comes out word for word, without a second scan. Positions of rows cannot ride along: those of the
// two sides would not cancel.
//
// Shape    15,000 cells of 64 or 128 bytes: a signed count, a header word, and 48 or 112 bytes of
//          the entry, all of them sums modulo 2^64, word by word. The header says how many bytes
//          there are, which chunk of how many, and 32 bits of the chunk's hash. An entry that does
//          not fit into a cell goes in as chunks of 40 or 104 bytes, each led by 8 bytes of the
//          entry's fingerprint.
// Errors   A chunk that comes off has been hashed again, and so has every entry put together from
//          chunks: what comes out went in. peel() says whether everything came off.
// Threads  A plain value, one per thread.
// Source   As sketch_cells.hpp.

#pragma once

#include <array>
#include <vector>

#include "audit/large_pages.hpp"
#include "audit/sketch_cells.hpp"
#include "store/bytes.hpp"

namespace idxfsck::audit {

struct PeeledEntry {
    Side side = Side::base;
    Fingerprint fingerprint;
    store::Bytes bytes;  // canonical bytes of the entry

    friend auto operator<=>(const PeeledEntry&, const PeeledEntry&) = default;
};

// An entry, or a chunk of one, ready to be added.
struct SketchChunk {
    alignas(64) std::array<std::uint64_t, 16> words;
    std::array<std::uint32_t, sketch_hashes_count> positions;
    Side side = Side::base;
    bool narrow = false;  // only the first eight words count
};

class SketchPayload {
public:
    // `seed` is that of the fingerprints. `cell_size` is 64 or 128.
    SketchPayload(std::uint64_t seed, std::size_t cell_size, Pages pages = Pages::large);

    void add(Side side, const Fingerprint& fingerprint, store::BytesView bytes);
    void add(const SketchPayload& other);

    // The two steps of adding an entry that fits into a cell, for a queue: what is made ready now
    // is added later, when its cells have come into the cache.
    bool fits(store::BytesView bytes) const { return bytes.size() <= words_per_cell() * 8 - 16; }
    void make_ready(SketchChunk& chunk, Side side, const Fingerprint& fingerprint,
                    store::BytesView bytes) const;
    void add(const SketchChunk& chunk);

    // Takes off what it can; true if nothing is left and every entry is whole.
    bool peel(std::vector<PeeledEntry>& out) const&;
    // The same, without a copy of the cells.
    bool peel(std::vector<PeeledEntry>& out) &&;

    // The words of a cell, then the cells.
    void save(StateWriter& writer) const;
    void load(StateReader& reader);

private:
    friend class SketchPeeler;

    void add_chunk(Side side, const Fingerprint& hash, std::uint64_t header,
                   store::BytesView bytes);
    void add_chunks(Side side, const Fingerprint& fingerprint, store::BytesView bytes);

    // A cell is one or two: it never lies across more lines of the cache than it must.
    struct alignas(64) Line {
        std::array<std::uint64_t, 8> words{};
    };

    std::uint64_t* cell(std::size_t position) {
        return lines_[position * lines_per_cell_].words.data();
    }
    const std::uint64_t* cell(std::size_t position) const {
        return lines_[position * lines_per_cell_].words.data();
    }
    std::size_t words_per_cell() const { return lines_per_cell_ * 8; }

    std::uint64_t seed_;
    std::size_t lines_per_cell_;
    std::vector<Line, PageAllocator<Line>> lines_;
};

}  // namespace idxfsck::audit
