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
    bool uncovered = false;  // the index says nothing of it
    // Under older key versions whose rows cannot be told from current ones.
    std::vector<audit::Entry> older{};

    // The entry that it calls for with the key and pointer of `entry`, if it does.
    const audit::Entry* derives(const audit::Entry& entry) const;
    // Does it call for the entry under such an older version?
    bool derives_older(const audit::Entry& entry) const;
    // Is it there, but not real, not for long, or not covered? Then a person decides.
    bool partial() const {
        return present && (uncovered || row_class == audit::RowClass::partial ||
                           row_class == audit::RowClass::expiring);
    }
};

// A row of the index table.
struct IndexEvidence {
    bool present = false;
    bool owned = false;     // it is one of this index
    bool readable = false;  // every entry in it could be read; an empty container is readable
    bool full = false;      // a container that takes no more members
    bool as_seen = false;   // same bytes, and same version, as when it was audited
    std::vector<audit::Entry> held;
    bool expired = false;  // it would be one of this index, were its time not over: as good as gone

    const audit::Entry* holds(const audit::Entry& entry) const;
};

// An entry that a write would push out.
struct Displaced {
    audit::Entry entry;
    std::optional<store::Key> base_key;  // of the base row that it names, if it tells
    BaseEvidence base;
    // By the rule of the spec, the base row of the operation wins the key against this one.
    bool outranked = false;

    // Does the base row that it names keep its claim?
    bool keeps_claim() const {
        return base.derives_older(entry) || (base.derives(entry) != nullptr && !outranked);
    }
};

struct Evidence {
    BaseEvidence base;  // the row that the operation names as its base
    IndexEvidence index;
    std::vector<Displaced> displaced;
    // Does the entry tell which base row it names, and is it the one that the operation names?
    bool names_base = false;
    // Of an entry that names no base row: whether none derives it, if that could be told.
    std::optional<bool> still_unclaimed;
    // Of an entry under an older key version: are those under the current one there? Of one that
    // may stand in several rows: is it in another?
    std::optional<bool> newer_there;
    bool lossy = false;  // several base rows may share the key: any one of them is right
};

// The same base row? Numbers compare as numbers.
bool same_row_key(const store::Key& a, const store::Key& b);

}  // namespace idxfsck::repair
