#include "reports/catalogue.hpp"

namespace idxfsck::reports {

namespace {

constexpr CatalogueEntry entries[] = {
    // Kinds, in the order of the reports.
    {"orphaned_write", "finding",
     "A base row calls for an entry that the index does not hold.",
     "The application wrote the base row and stopped, or failed, before it wrote the entry; or "
     "something deleted the entry later. Whoever looks the row up by this key does not find it.",
     "The entry is put, derived again from the live base row, if the row still calls for it and "
     "the key is still free.",
     "Many at once, or all of one time: a deployment that forgot the index, or a backfill that "
     "did not run."},
    {"stale_pointer", "finding",
     "The index holds an entry that no base row calls for.",
     "The base row was deleted, or its indexed value changed, and the old entry stayed. The "
     "reason says which. Whoever looks up this key gets nothing, or a row that does not match.",
     "The entry is deleted, if it is still as it was seen and the base row still does not call "
     "for it. Where the value changed, the delete waits until the new entry is there.",
     "The reason; then whether the application deletes from the index in all its code paths."},
    {"divergent_copy", "finding",
     "The entry names the right base row, but an attribute copied into it differs.",
     "The base row was changed and its copy in the index was not.",
     "The copies are brought up to date from the live base row; nothing else in the entry is "
     "touched.",
     "The names of the attributes; --show-values shows both sides."},
    {"duplicate_claim", "finding",
     "Several base rows derive one key of a unique index.",
     "Two writers checked that the key was free before either wrote it; or one of them does not "
     "check. Only one of the rows can be found by this key.",
     "Nothing: which row is right is for people to say. Once one row has another value, the next "
     "audit finds the rest.",
     "The holder, which the entry names now, and all claimants: often the older one is right."},
    {"collision", "finding",
     "Rows of a non-unique index derive one entry key with different pointers, so that they "
     "overwrite each other.",
     "The key template is not injective: it lacks the part that tells the rows apart.",
     "Nothing: no order of writes can hold both entries in one row.",
     "The key of the index: add the base key to it, or say `unique` or `lossy` if that is meant."},
    {"unindexable", "finding",
     "A base row has a value that the store of the index refuses as a key.",
     "The value is too long, empty, of a wrong type or holds a character that the store forbids; "
     "the damage says which. The application's own write of the entry must have failed.",
     "Nothing: the entry cannot be written as it is called for.",
     "The base row's value, or a transform in the key template that makes it fit."},
    {"malformed_entry", "finding",
     "A row in the index table cannot be read as an entry of its index.",
     "Another program, an older version of the application or a hand wrote it; or a container is "
     "empty or full. The damage says what is wrong.",
     "Nothing: a row that was not understood is never overwritten or deleted.",
     "The row itself; then the selector of the index, if the row belongs to something else."},
    {"moved", "finding",
     "An indexed value changed: a stale pointer at the old key and an orphaned write at the new "
     "key, of one base row.",
     "The application updated the base row and not the index.",
     "The new entry is put first; only when it is there is the old one deleted.",
     "Nothing in particular: the two are one mistake, and reports show them as one line."},
    // Reasons.
    {"base_missing", "reason",
     "The entry names a base row that is not there.",
     "The base row was deleted and its entry was not, or the entry was written for a row that "
     "never came to be.",
     "The entry is deleted, guarded on the row still being absent.",
     "Whether the index writes come first in the application: then the row may be on its way, and "
     "a longer `settle` gives it the time."},
    {"base_partial", "reason",
     "The entry names a row that lacks what makes it real (`real_if`).",
     "An update touched a row that was deleted before, and brought a stump of it to life.",
     "Nothing: the stump and the entry are for a person to judge.",
     "The base row: complete it, or delete it, and audit again."},
    {"value_changed", "reason",
     "The entry names a base row that is there, but derives another key now.",
     "The indexed value changed and the old entry stayed.",
     "The entry is deleted after every entry that the row does call for is there.",
     "Whether the application deletes the old entry after an update, also after a crash."},
    {"base_exempt", "reason",
     "The entry names a base row that the index leaves out.",
     "The row stopped matching the condition of the index (`when`), or lost the attribute that is "
     "indexed, and the entry stayed.",
     "The entry is deleted, guarded on the row still being left out.",
     "The condition in the spec, if the row should have been indexed."},
    {"unclaimed", "reason",
     "An entry that names no base row, and that no base row derives.",
     "A unique claim that was never given back: its row was deleted or renamed.",
     "It is deleted only if the spec says that writers claim by insert-if-absent "
     "(`claim_by_insert`); else it is reported, as a new row may be about to use it.",
     "How the application claims; whether it releases claims when a row is deleted."},
    {"redundant", "reason",
     "An entry beside another that serves its base row: under an older key version, or in another "
     "row of a salted key.",
     "The key template changed, the rows were written again, and the old entries stayed; or a "
     "writer chose another salt the second time.",
     "It is deleted while the other is there; of an older version only if the spec says `migrate`.",
     "Whether all readers of the old version are gone."},
    {"entry_missing", "reason",
     "Nothing stands at the key that the base row calls for.",
     "The entry was never written, or was deleted.",
     "The entry is put, guarded on the key still being free.",
     "Whether the application writes the index on every path that creates a row."},
    {"entry_elsewhere", "reason",
     "The key that the base row calls for holds the entry of another base row.",
     "A unique value went from one row to another, and the entry did not follow; or the last "
     "writer of a shared key was another.",
     "If the other row does not call for the key any more, the entry goes from it to this row in "
     "one compare-and-set; else nothing.",
     "The row that holds the entry now."},
    {"older_version", "reason",
     "Only an entry under an older key version stands for the base row.",
     "The key template changed, and the row was not written again since.",
     "The entry under the current key is put; the older one is found redundant by the next audit.",
     "Nothing in particular: the spec says `old_versions = \"migrate\"`."},
};

}  // namespace

std::span<const CatalogueEntry> finding_catalogue() {
    return entries;
}

}  // namespace idxfsck::reports
