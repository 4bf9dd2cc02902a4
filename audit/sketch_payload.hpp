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

#include <memory>
#include <vector>

#include "audit/sketch_cells.hpp"
#include "store/bytes.hpp"

namespace idxfsck::audit {

struct PeeledEntry {
    Side side = Side::base;
    Fingerprint fingerprint;
    store::Bytes bytes;  // canonical bytes of the entry

    friend auto operator<=>(const PeeledEntry&, const PeeledEntry&) = default;
};

class SketchPayload {
public:
    // `seed` is that of the fingerprints. `cell_size` is 64 or 128.
    SketchPayload(std::uint64_t seed, std::size_t cell_size);

    void add(Side side, const Fingerprint& fingerprint, store::BytesView bytes);
    void add(const SketchPayload& other);

    // Takes off what it can; true if nothing is left and every entry is whole.
    bool peel(std::vector<PeeledEntry>& out) const;

    // The words of a cell, then the cells.
    void save(StateWriter& writer) const;
    void load(StateReader& reader);

private:
    friend class SketchPeeler;

    void add_chunk(std::int64_t sign, const Fingerprint& hash, std::uint64_t header,
                   store::BytesView bytes);
    void add_chunks(std::int64_t sign, const Fingerprint& fingerprint, store::BytesView bytes);

    std::uint64_t seed_;
    std::size_t words_;  // of a cell
    std::vector<std::uint64_t> cells_;
};

}  // namespace idxfsck::audit
