// audit/interpreter.hpp
//
// What owned rows say: the entries that a base row calls for, the entries that an index row holds.
// The same programs as in the scan, for rows that were read one by one.
//
// Threads  Belongs to one thread.

#pragma once

#include <string>
#include <vector>

#include "audit/finding.hpp"
#include "audit/scratch.hpp"

namespace idxfsck::audit {

struct Damaged {
    Damage damage = Damage::none;
    std::string attribute;
};

struct BaseReading {
    bool present = false;
    RowClass row_class = RowClass::other;
    Derived derived = Derived::exempt;
    std::vector<Entry> entries;
    std::vector<Damaged> damages;

    // The row is real and calls for this entry, copies aside.
    const Entry* claim(const Entry& entry) const;
};

struct IndexReading {
    bool owned = false;  // there is a row, and it is one of this index
    bool expired = false;  // there is one that would be, were its time not over
    std::vector<Entry> entries;
    std::vector<Damaged> damages;

    const Entry* claim(const Entry& entry) const;
};

// The digest of the attributes of a base row on which its entries rest, absent ones too.
std::string base_digest(const IndexProgram& program, const store::Row& row);

class Interpreter {
public:
    explicit Interpreter(const Programs& programs);

    // `row` may be null: there is none. `index` is a position in the programs.
    BaseReading read_base(std::size_t index, const store::Row* row);
    IndexReading read_index(std::size_t index, const store::Row* row);

    // May entries in this row be accused? See IndexProgram.
    bool accusable(std::size_t index, const store::Row& row);

    // Does the container row expire before that base row, one of a member of it?
    bool expires_before(std::size_t index, const store::Row& container, const store::Row& base);

    // The base key that the entry names, if it tells one.
    std::optional<store::Key> locate(std::size_t index, const Entry& entry) const;

    // A row as a finding keeps it.
    SeenRow seen_base(std::size_t index, const store::Key& key, const store::Row* row) const;
    SeenRow seen_index(std::size_t index, const store::Key& key, const store::Row* row) const;

private:
    const Programs& programs_;
    Scratch scratch_;
    std::vector<store::Projector> projectors_;  // one a table
};

}  // namespace idxfsck::audit
