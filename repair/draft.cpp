#include "repair/draft.hpp"

#include <algorithm>

namespace idxfsck::repair {

namespace {

using audit::Finding;
using audit::FindingKind;
using audit::Reason;

bool in_container(const audit::IndexSpec& index) {
    return index.container.kind != audit::ContainerKind::none;
}

// Can the stale entry be taken over by the base row that claims its key? Why not, or nothing.
std::string_view not_replaceable(const Survey& survey, const Finding& stale) {
    if (stale.reason == Reason::base_partial) {
        return "the key names a base row that lacks what makes it real";
    }
    if (!stale.base) return "the key names no base row that could be looked at";
    return survey.incomplete(stale.index);
}

// The entry's place is taken, and by no entry that was found stale: why it stays so, or nothing.
std::string_view not_free(const audit::IndexSpec& index, const Finding& finding) {
    if (finding.reason != Reason::entry_elsewhere) return "";
    if (finding.holder_row) return "the key names another base row that was not found to be wrong";
    // A container that is empty or damaged may yet take a member: the executor looks.
    return in_container(index) ? "" : "the row at the key names no base row";
}

// Why nothing can be written for the base row's claim, or nothing.
std::string_view not_addable(const audit::IndexSpec& index, const Survey& survey,
                             const Finding& finding) {
    if (!finding.base) return "the finding names no base row";
    if (survey.conflict_at(finding)) return "several base rows claim this key";
    const Finding* stale = survey.stale_at(finding);
    if (stale == nullptr) return not_free(index, finding);
    if (survey.claimant_at(*stale) != &finding) return "another base row takes this key over";
    return not_replaceable(survey, *stale);
}

void draft_add(const audit::IndexSpec& index, const Survey& survey, const Finding& finding,
               Operation& operation) {
    if (const std::string_view why = not_addable(index, survey, finding); !why.empty()) {
        return make_manual(operation, why);
    }
    if (const Finding* stale = survey.stale_at(finding)) {
        operation.kind = OperationKind::replace_entry;
        operation.holder = finding.holder_row ? finding.holder_row : stale->base;
        operation.why = "the base row derives this key, and the base row named there does not";
        if (!operation.index_row) operation.index_row = stale->index_row;
        return;
    }
    operation.kind = in_container(index) ? OperationKind::add_member : OperationKind::put_entry;
    operation.why = in_container(index) ? "the base row derives this member, and it is not there"
                                        : "the base row derives this key, and no row is there";
}

// Why the stale entry stays for a person, or nothing.
std::string_view not_deletable(const audit::IndexSpec& index, const Survey& survey,
                               const Finding& finding) {
    if (const std::string_view why = survey.incomplete(finding.index); !why.empty()) return why;
    if (survey.conflict_at(finding)) return "several base rows claim this key";
    if (finding.reason == Reason::base_partial) {
        return "the base row is there but lacks what makes it real";
    }
    if ((finding.reason == Reason::unclaimed || !finding.base) && !index.claim_by_insert) {
        return "the entry names no base row, and the spec does not say claim_by_insert";
    }
    if (finding.base && survey.in_conflict(finding.index, finding.base->key)) {
        return "its base row claims a key that it cannot have, or that others claim too";
    }
    // The claimant was not joined with this entry, so its own operation is for a person.
    if (survey.claimant_at(finding) != nullptr) {
        return "another base row claims this key, and that needs a decision first";
    }
    return "";
}

std::string_view why_stale(Reason reason) {
    switch (reason) {
        case Reason::base_missing:
            return "the base row that the entry names is not there";
        case Reason::value_changed:
            return "the base row that the entry names derives another key now";
        case Reason::base_exempt:
            return "the index leaves out the base row that the entry names";
        case Reason::unclaimed:
            return "the entry names no base row, and none derives it";
        case Reason::redundant:
            return "another entry serves the base row";
        default:
            return "no base row calls for the entry";
    }
}

bool replaced(const audit::IndexSpec& index, const Survey& survey, const Finding& stale) {
    const Finding* claimant = survey.claimant_at(stale);
    return claimant != nullptr && not_addable(index, survey, *claimant).empty();
}

void draft_delete(const audit::IndexSpec& index, const Survey& survey, const Finding& finding,
                  Operation& operation) {
    const std::string_view why = not_deletable(index, survey, finding);
    if (!why.empty()) return make_manual(operation, why);
    operation.kind =
        in_container(index) ? OperationKind::remove_member : OperationKind::delete_entry;
    operation.why = why_stale(finding.reason);
}

// The spec has a rule for whose the key is.
void draft_by_rule(const audit::IndexSpec& index, const Survey& survey, const Finding& finding,
                   Operation& operation) {
    if (!finding.winner) return make_manual(operation, "the rule of the spec names no winner");
    if (!finding.base) {
        return make_manual(operation, "the winner by the rule of the spec has the key already");
    }
    if (const std::string_view why = survey.incomplete(finding.index); !why.empty()) {
        return make_manual(operation, why);
    }
    operation.kind = in_container(index)  ? OperationKind::add_member
                     : finding.holder     ? OperationKind::replace_entry
                                          : OperationKind::put_entry;
    operation.holder = finding.holder_row;
    operation.why = "by the rule of the spec this base row wins the key";
}

void draft_writable(const audit::IndexSpec& index, const Survey& survey, const Finding& finding,
                    Operation& operation) {
    switch (finding.kind) {
        case FindingKind::orphaned_write:
            return draft_add(index, survey, finding, operation);
        case FindingKind::stale_pointer:
            return draft_delete(index, survey, finding, operation);
        case FindingKind::divergent_copy:
            if (!finding.base) return make_manual(operation, "the finding names no base row");
            operation.kind = OperationKind::fix_copies;
            operation.why = "copied attributes differ from those of the base row";
            return;
        case FindingKind::duplicate_claim:
            if (index.winner.wins != audit::Wins::nobody) {
                return draft_by_rule(index, survey, finding, operation);
            }
            return make_manual(operation, "several base rows claim this key");
        case FindingKind::collision:
            return make_manual(operation, "several base rows overwrite each other at this key");
        case FindingKind::unindexable:
            return make_manual(operation, "the base value cannot be a key of the index");
        case FindingKind::malformed_entry:
            return make_manual(operation, "the index row cannot be read as an entry");
    }
}

// What the spec keeps a plan from mending: why, or nothing.
std::string_view not_planned(const audit::IndexSpec& index, const Finding& finding) {
    if (index.read_only) return "the index is read-only in the spec";
    if (index.inside && !index.repair_in_row) {
        return "the index lies inside the base row, and the spec does not say repair_in_row";
    }
    const auto& reported = index.reported_only;
    if (std::find(reported.begin(), reported.end(), audit::kind_name(finding.kind)) !=
        reported.end()) {
        return "the spec says to report such findings only";
    }
    const bool accepted =
        !index.version_of.empty() && index.old_versions == audit::OldVersions::accept;
    if (finding.reason == Reason::redundant && accepted) {
        return "the spec accepts older key versions and does not say to migrate";
    }
    return "";
}

}  // namespace

void make_manual(Operation& operation, std::string_view why) {
    operation.kind = OperationKind::manual;
    operation.why = why;
    operation.after.clear();
}

std::optional<Operation> draft(const audit::Spec& spec, const Survey& survey,
                               const Finding& finding) {
    Operation operation;
    operation.index = finding.index;
    operation.entry = finding.entry;
    operation.entry.copies.clear();  // a plan holds no copied values
    operation.base = finding.base;
    operation.index_row = finding.index_row;
    operation.finding = finding.id;
    const audit::IndexSpec* index = spec.index(finding.index);
    if (index == nullptr) {
        make_manual(operation, "the spec has no such index");
    } else if (const std::string_view why = not_planned(*index, finding); !why.empty()) {
        make_manual(operation, why);
    } else if (finding.kind == FindingKind::stale_pointer && replaced(*index, survey, finding)) {
        return std::nullopt;
    } else {
        draft_writable(*index, survey, finding, operation);
    }
    return operation;
}

}  // namespace idxfsck::repair
