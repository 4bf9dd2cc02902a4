// audit/suspect.hpp
//
// A difference seen by the scan, before it is confirmed: an entry that only one side has, or a row
// that cannot become or be read as an entry.

#pragma once

#include <vector>

#include "audit/entry.hpp"
#include "audit/reconcile.hpp"

namespace idxfsck::audit {

struct Suspect {
    std::size_t index = 0;  // position in Programs::indexes
    Side side = Side::base;
    bool damaged = false;   // then there is no entry
    Entry entry;
    store::Key row;         // the base row that derives it, or the index row that holds it
    std::uint64_t mark = 0; // of the fingerprint
};

// An unmatched entry of one index, to be recalled.
struct Wanted {
    Place place;
    std::size_t index = 0;
    Side side = Side::base;
    std::uint64_t mark = 0;

    friend auto operator<=>(const Wanted&, const Wanted&) = default;
};

}  // namespace idxfsck::audit
