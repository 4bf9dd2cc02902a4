#include "reports/catalogue.hpp"

namespace idxfsck::reports {

namespace {

constexpr CatalogueEntry entries[] = {
    // Verdicts.
    {"consistent", "verdict",
     "All was read; every entry that a base row calls for was there, and no other.",
     "It holds for the moment or window that the audit names, for the indexes of the spec, and but "
     "for the odds of a missed difference that it states.", "Nothing to do.", ""},
    {"drift", "verdict", "All was read, and there are findings.", "",
     "`idxfsck plan` turns them into guarded writes.", "The kinds; `explain` has each."},
    {"could_not_tell", "verdict",
     "Something could not be read or does not make sense, so the answer is unknown.",
     "Gaps name what was not read; doubts name what looks wrong, such as a selector that matches "
     "no row.", "No deletes are planned.", "The gaps and doubts; then audit again."},
    {"gap", "coverage", "A part of a table that was not read to its proven end.",
     "The store failed there, or holds bytes that are no row.",
     "No deletes are planned while the base table has gaps.", "Its cause, which is printed."},
    {"doubt", "coverage", "A reason not to believe a result that would otherwise look clean.",
     "No base row matched the selector, or the base table is empty while the index is not.",
     "No deletes are planned.", "The selector in the spec; `may_be_empty`, if that can be."},
    // Counts.
    {"suspects", "coverage", "Differences that the scan saw, before each was looked at again.",
     "", "", ""},
    {"settled", "coverage", "Suspects that were gone when they were looked at again.",
     "The application wrote while the audit read. That is no drift.", "Nothing to do.",
     "A large share: a longer `settle` in the spec makes the audit calmer."},
    {"shared", "coverage", "Rows of a lossy index that are served by the entry of another row.",
     "By design: any one of them is right.", "Nothing to do.", ""},
    {"exempt", "coverage", "Base rows that the index leaves out on purpose.",
     "They do not match its condition, or lack the attribute.", "Nothing to do.",
     "A number that is far from what you expect: the condition in the spec."},
    {"partial", "coverage", "Base rows that lack what makes them real (`real_if`).",
     "An update that came after a delete.", "Nothing to do.", "The rows, if there are many."},
    {"legacy", "coverage",
     "Rows served by an entry under an older key version that the spec accepts, and these entries.",
     "They were not written again since the key template changed.",
     "Nothing, unless the spec says to migrate.", "How many are left before readers of the old "
     "version can go."},
    {"expired", "coverage", "Base rows whose time is over, or about to be (`expires`).",
     "The store has not deleted them yet.", "They are taken for gone; about the moment itself, "
     "nothing is said.", ""},
    {"uncovered", "coverage",
     "Base rows of which the index says nothing (`covers`), and entries of such rows; and entries "
     "of rows whose key is of another kind than the index's table takes.", "",
     "They are neither expected nor accused.", ""},
    {"expiring", "coverage",
     "Suspects about to expire, and reservations that have not expired yet.", "",
     "They are judged when their time is over.", ""},
    {"unverifiable", "coverage", "Suspects that could not be judged, and so are no findings.",
     "The store could not be read again, or has no snapshot to judge by.", "Nothing is written.",
     "The doubts of the audit."},
    {"other_rows", "coverage", "Rows that no base and no index of the spec claims.",
     "Other kinds of rows in the same table.", "They are never touched.",
     "Whether the spec forgot a kind."},
};

}  // namespace

std::span<const CatalogueEntry> coverage_catalogue() {
    return entries;
}

}  // namespace idxfsck::reports
