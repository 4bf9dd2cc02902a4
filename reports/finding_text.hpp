// reports/finding_text.hpp
//
// One finding as one line for people.
//
// Shape    Marker, kind, reason or damage, key, and whose it is:
//            + an entry to add      - an entry to delete     > one that moved
//            ~ copies to mend       ! people must decide     ? could not be read or written
//          With `show_values`, the differing copies follow, one a line. No newline at the end of
//          the last.

#pragma once

#include <string>

#include "audit/finding.hpp"

namespace idxfsck::reports {

// What follows the marker in columns of their own.
struct FindingWords {
    std::string marker;
    std::string kind;
    std::string cause;  // reason, damage, or the names of differing attributes
    std::string facts;
};

FindingWords finding_words(const audit::Finding& finding);

// Both halves of a move as one: `from` is the stale pointer, `to` the orphaned write.
FindingWords move_words(const audit::Finding& from, const audit::Finding& to);

// Copied attributes, base and index side; empty if there are none.
std::string difference_lines(const audit::Finding& finding, std::size_t indent);

// "orphaned_write entry_missing", "unindexable key_too_long": what JSON has in two fields.
std::string cause_name(const audit::Finding& finding);

}  // namespace idxfsck::reports
