// repair/evidence.hpp
//
// What the live rows say about one operation: all that a decision rests on, as plain data.

#pragma once

#include <optional>
#include <vector>

#include "audit/entry.hpp"
#include "audit/program.hpp"

namespace idxfsck::repair {

// A base row as one index sees it.
struct BaseEvidence {
    bool present = false;
    audit::RowClass row_class = audit::RowClass::other;
    std::vector<audit::Entry> entries;  // that it calls for; none unless it is real

    // The entry that it calls for with the key and pointer of `entry`, if it does.
    const audit::Entry* derives(const audit::Entry& entry) const;
    // Is it there, but not real? Then a person decides.
    bool partial() const { return present && row_class == audit::RowClass::partial; }
};

// A row of the index table.
struct IndexEvidence {
    bool present = false;
    bool owned = false;     // it is one of this index
    bool readable = false;  // every entry in it could be read; an empty container is readable
    bool full = false;      // a container that takes no more members
    bool as_seen = false;   // same bytes, and same version, as when it was audited
    std::vector<audit::Entry> held;

    const audit::Entry* holds(const audit::Entry& entry) const;
};

// An entry that a write would push out.
struct Displaced {
    audit::Entry entry;
    std::optional<store::Key> base_key;  // of the base row that it names, if it tells
    BaseEvidence base;
};

struct Evidence {
    BaseEvidence base;  // the row that the operation names as its base
    IndexEvidence index;
    std::vector<Displaced> displaced;
    // Does the entry tell which base row it names, and is it the one that the operation names?
    bool names_base = false;
    // Of an entry that names no base row: whether none derives it, if that could be told.
    std::optional<bool> still_unclaimed;
    bool lossy = false;  // several base rows may share the key: any one of them is right
};

// The same base row? Numbers compare as numbers.
bool same_row_key(const store::Key& a, const store::Key& b);

}  // namespace idxfsck::repair
