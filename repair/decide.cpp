#include "repair/decide.hpp"

namespace idxfsck::repair {

namespace {

Decision superseded(std::string_view why) { return {Action::superseded, {}, why}; }
Decision already(std::string_view why) { return {Action::already, {}, why}; }

// May the one entry that the write would push out go? Why not, or nothing.
std::string_view not_displaceable(const Operation& operation, const Displaced& displaced) {
    if (operation.kind != OperationKind::replace_entry) {
        return "the key now names another base row";
    }
    if (!displaced.base_key) return "the entry at the key names no base row";
    if (!operation.holder || !same_row_key(operation.holder->key, *displaced.base_key)) {
        return "the key now names a third base row";
    }
    if (displaced.base.partial()) {
        return "the base row named at the key lacks what makes it real";
    }
    if (displaced.keeps_claim()) {
        return "the base row named at the key derives it again: both claim it";
    }
    return "";
}

Decision decide_held(const Operation& operation, const audit::Entry& wanted,
                     const audit::Entry& held) {
    if (wanted.same_copies(held)) return already("the entry is there");
    if (operation.kind == OperationKind::fix_copies) {
        return {Action::put, wanted, "copied attributes differ"};
    }
    return superseded("the entry is there, with other copied attributes");
}

Decision decide_displacing(const Operation& operation, const Evidence& evidence,
                           const audit::Entry& wanted) {
    if (evidence.displaced.size() > 1) {
        return superseded("the write would push out several entries");
    }
    const Displaced& displaced = evidence.displaced.front();
    if (evidence.lossy && displaced.base.derives(displaced.entry) != nullptr) {
        return already("the entry of another base row serves the key");
    }
    const std::string_view why = not_displaceable(operation, displaced);
    if (!why.empty()) return superseded(why);
    return {Action::put, wanted, "the entry of a base row that does not derive the key gives way"};
}

Decision decide_put(const Operation& operation, const Evidence& evidence) {
    if (!evidence.base.present) return superseded("the base row is gone");
    if (evidence.base.row_class != audit::RowClass::real) {
        return superseded("the base row is no longer a real row of this base");
    }
    const audit::Entry* wanted = evidence.base.derives(operation.entry);
    if (wanted == nullptr) return superseded("the base row no longer derives the entry");
    const IndexEvidence& index = evidence.index;
    const bool taken = index.present && !index.expired;
    if (taken && !index.owned) return superseded("the row at the key is not of this index");
    if (index.present && !index.readable) {
        return superseded("the row at the key cannot be read as an entry");
    }
    if (const audit::Entry* held = index.holds(*wanted)) {
        return decide_held(operation, *wanted, *held);
    }
    if (operation.kind == OperationKind::fix_copies) return superseded("the entry is gone");
    if (evidence.newer_there.value_or(false)) return already("the entry is there, in another row");
    if (index.full) return superseded("the container is full");
    if (!evidence.displaced.empty()) return decide_displacing(operation, evidence, *wanted);
    return {Action::put, *wanted, "the entry is not there"};
}

// The base row that the entry names is known: does it call for it?
Decision decide_against_base(const Evidence& evidence, const audit::Entry& held) {
    if (evidence.base.partial()) {
        return superseded("the base row cannot be judged as it is: for a person");
    }
    if (evidence.base.derives_older(held)) {
        return superseded("the base row calls for the entry under an older key version");
    }
    if (evidence.base.derives(held) == nullptr) {
        if (!evidence.names_base) return superseded("the base row no longer derives the entry");
        return {Action::take_out, held, "the base row does not call for the entry"};
    }
    if (!evidence.newer_there) return superseded("the base row calls for the entry now");
    if (!*evidence.newer_there) return superseded("no other entry serves the base row");
    return {Action::take_out, held, "another entry serves the base row"};
}

Decision decide_take_out(const Operation& operation, const Evidence& evidence) {
    const IndexEvidence& index = evidence.index;
    if (!index.present || !index.owned) return already("the entry is gone");
    const audit::Entry* held = index.holds(operation.entry);
    if (!index.readable) return superseded("the index row cannot be read as an entry");
    if (held == nullptr) return already("the entry is gone");
    if (operation.base && (evidence.names_base || evidence.newer_there)) {
        return decide_against_base(evidence, *held);
    }
    // No base row can be looked at, so all of them have to be, and the entry must not have moved.
    if (!index.as_seen) return superseded("the index row changed since the audit");
    if (!evidence.still_unclaimed) {
        return {Action::held, {}, "it could not be told whether a base row derives the entry"};
    }
    if (!*evidence.still_unclaimed) return superseded("a base row derives the entry now");
    return {Action::take_out, *held, "no base row derives the entry"};
}

}  // namespace

Decision decide(const Operation& operation, const Evidence& evidence) {
    switch (operation.kind) {
        case OperationKind::put_entry:
        case OperationKind::replace_entry:
        case OperationKind::fix_copies:
        case OperationKind::add_member:
            return decide_put(operation, evidence);
        case OperationKind::remove_member:
        case OperationKind::delete_entry:
            return decide_take_out(operation, evidence);
        case OperationKind::manual:
            break;
    }
    return {Action::held, {}, "for a person"};
}

bool still_called_for(const Decision& decision, const Evidence& evidence) {
    if (decision.action == Action::put) {
        const audit::Entry* wanted = evidence.base.derives(decision.entry);
        if (wanted == nullptr || !wanted->same_copies(decision.entry)) return false;
        for (const Displaced& displaced : evidence.displaced) {
            if (displaced.base.partial() || displaced.keeps_claim()) return false;
        }
        return true;
    }
    if (decision.action != Action::take_out) return false;
    if (!evidence.names_base && !evidence.newer_there) {
        return evidence.still_unclaimed.value_or(false);
    }
    if (evidence.base.partial() || evidence.base.derives_older(decision.entry)) return false;
    return evidence.base.derives(decision.entry) == nullptr || evidence.newer_there.value_or(false);
}

}  // namespace idxfsck::repair
