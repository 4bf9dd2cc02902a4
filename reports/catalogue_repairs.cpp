#include "reports/catalogue.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::string_view audit_again = "Audit again: it tells what is left.";

constexpr CatalogueEntry entries[] = {
    // Operations.
    {"put_entry", "operation", "Writes an index row that is not there.",
     "From an orphaned write.", "Guarded on the key being free and the base row calling for it.",
     ""},
    {"replace_entry", "operation",
     "Turns the entry of one base row into that of another, in one compare-and-set.",
     "From a unique value that went from row to row.",
     "Guarded on the entry as it was seen and on both base rows.", ""},
    {"fix_copies", "operation", "Brings the copied attributes of an entry up to date.",
     "From a divergent copy.", "Guarded on the entry and its base row.", ""},
    {"add_member", "operation", "Adds a member to a container row.",
     "From an orphaned write in a container index.",
     "Guarded on the whole container row: other members are kept.", ""},
    {"remove_member", "operation", "Takes a member out of a container row. Counts as a delete.",
     "From a stale pointer in a container index.",
     "Guarded on the whole container row and on the base row.", ""},
    {"delete_entry", "operation", "Deletes an index row.", "From a stale pointer.",
     "Guarded on the row as it was seen and on the base row, or its absence; runs after the "
     "adds that it is linked to.", ""},
    {"manual", "operation", "Something for a person to decide; never executed.",
     "From duplicate claims, collisions, malformed and unindexable rows, and wherever the plan "
     "could not be sure: `why` in the plan says it.", "No write.",
     "`idxfsck why SPEC --index NAME --key KEY` shows both sides as they are now."},
    // Outcomes.
    {"applied", "outcome", "The write was made, and read back.", "", "", ""},
    {"already", "outcome", "The store already was as the operation would leave it.",
     "Someone mended it since, or the plan ran before.", "No write.", ""},
    {"superseded", "outcome",
     "The rows no longer call for the operation, or changed in its way: nothing of it stays.",
     "The application went on writing, which is what it is for.", "No write.", audit_again},
    {"ineffective", "outcome",
     "The write was made and is still called for, but reading back does not show it.",
     "Another writer undid it at once, or the store lost it.", "Counted, not retried.",
     "The application, which may be writing the old state; then audit again."},
    {"held", "outcome", "A delete that waits for an add which was not applied.",
     "The add was superseded, left out, or failed. Without it the row would be unreachable.",
     "No write.", audit_again},
    {"skipped", "outcome", "Left out by --only or --except.", "", "No write.", ""},
    {"failed", "outcome", "The store failed, and may or may not have made the write.",
     "The network, the disk, or a limit of the store.", "The journal has the row as it was.",
     "The cause, which is printed with it; then run the same plan again."},
    {"would_apply", "outcome", "Would be written: this was a dry run.", "`repair` without --apply.",
     "No write.", ""},
    {"not_run", "outcome", "The repair stopped before it came to this operation.",
     "A signal, --max-operations, or too large a share of operations that failed.", "No write.",
     "Run the same plan again: it goes on."},
    // Refusals.
    {"too_many_deletes", "refusal", "The plan deletes more entries than is allowed.",
     "More than 1,000 or 5 % of the entries, whichever is less, or than the spec says. So many "
     "are seldom right: a base table that is not whole, a selector that is wrong.",
     "Nothing is written. --max-deletes N allows it.", "The plan, above all its deletes."},
    {"plan_expired", "refusal", "The plan is too old.",
     "A plan is good for seven days; the store has moved on.",
     "Nothing is written. --allow-expired allows it.", "A new audit costs less than a doubt."},
    {"other_spec", "refusal", "The spec is not the one that the plan was made from.",
     "The file was edited since.", "Nothing is written. --allow-other-spec allows it.",
     "What changed in it; a new audit."},
    {"other_store", "refusal", "The store is not the one that was audited.",
     "The path or endpoint in the spec now leads elsewhere, or the store was made anew.",
     "Nothing is written. --allow-other-store allows it.", "Which store it should be."},
    {"other_version", "refusal", "The plan was made by another version of idxfsck.", "",
     "Nothing is written. --allow-other-version allows it.", "A new audit and plan."},
    {"too_many_fails", "refusal",
     "The repair stopped by itself: too large a share of its operations did not succeed.",
     "The store changed much since the audit, or refuses writes.",
     "What was applied stays, and is in the journal.", audit_again},
};

}  // namespace

std::span<const CatalogueEntry> repair_catalogue() {
    return entries;
}

}  // namespace idxfsck::reports
