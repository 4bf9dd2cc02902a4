// audit/moments.hpp
//
// Of which moments the two sides of an index are: of now, or of the time of an export.
//
// What was written between two moments looks like drift: it accuses nobody. Where both sides are of
// one moment, that is a snapshot.
//
// Units    Unix milliseconds; nothing: of the moment in which the table is read.
// Threads  Plain functions.

#pragma once

#include "audit/judge.hpp"
#include "audit/spec.hpp"
#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

struct Moments {
    std::optional<std::int64_t> base_ms;
    std::optional<std::int64_t> index_ms;
};

Moments moments_of(const Programs& programs, const TableReaders& readers, std::size_t index);

// Do base and index of it come from one snapshot?
bool shares_snapshot(const Programs& programs, const TableReaders& readers, std::size_t index);

// Are suspects of it looked at again in another store than they were read from?
bool looks_elsewhere(const Programs& programs, const TableReaders& readers,
                     const TableReaders& look_readers, std::size_t index);

// Are the two sides of two moments, however often they are read?
bool are_apart(const Programs& programs, const TableReaders& readers, std::size_t index);

// Could a write between the moments of the two sides have made it? Not what lies in one side alone:
// several base rows that claim one key, and rows that cannot be read.
bool rests_on_both_sides(const Outcome& outcome);

// Says in the coverage of the tables of which moments they are, and where suspects are looked at
// again.
void cover_moments(const Spec& spec, const Programs& programs, const TableReaders& readers,
                   Coverage& coverage);

}  // namespace idxfsck::audit
