// audit/scratch.hpp
//
// Working memory of the compiled programs: reset for each row, kept between rows, so that a scan
// allocates nothing per row once it has grown.
//
// Shape    An arena for bytes that templates make, and the vectors in which an entry is put
//          together. Every program resets what it uses; a caller only keeps the Scratch alive.
// Threads  Belongs to one thread.

#pragma once

#include <cstdint>
#include <vector>

#include "audit/language/arena.hpp"
#include "audit/language/seen.hpp"
#include "audit/program.hpp"

namespace idxfsck::audit {

class Scratch {
public:
    language::Arena arena;

    // The entry in hand.
    std::vector<store::ValueView> key;
    std::vector<store::ValueView> pointer;
    std::vector<NamedView> copies;

    // The entries that the row in hand has yielded.
    language::Seen seen;

    // The pieces of the text that a template puts together.
    std::vector<store::BytesView> pieces;

    // Where canonical numbers are spelled out before they move to the arena.
    store::Bytes number;

    // Why the last evaluation failed, and which attribute it was about.
    Damage damage = Damage::none;
    store::BytesView damaged_attribute;

    void reset() {
        arena.reset();
        seen.clear();
        damage = Damage::none;
        damaged_attribute = {};
    }
};

}  // namespace idxfsck::audit
