#include "repair/recovery.hpp"

#include <map>

namespace idxfsck::repair {

namespace {

// The last intent of each operation that has no outcome, or only that the store failed: then its
// write may be there as well, and its second look missing. Compensations follow from their
// original.
std::map<std::string, Intent> open_intents(const std::vector<JournalRecord>& records) {
    std::map<std::string, Intent> open;
    for (const JournalRecord& record : records) {
        if (const auto* intent = std::get_if<Intent>(&record)) {
            if (!intent->compensation) open[intent->operation] = *intent;
        } else if (const Done& done = std::get<Done>(record);
                   !done.compensation && done.outcome != Outcome::failed) {
            open.erase(done.operation);
        }
    }
    return open;
}

// The decision that an intent was made for, read from its rows.
std::optional<Decision> decision_of(const Operation& operation, const IndexEvidence& before,
                                    const IndexEvidence& after) {
    const bool take_out = deletes(operation.kind);
    const audit::Entry* entry = (take_out ? before : after).holds(operation.entry);
    if (entry == nullptr) return std::nullopt;
    return Decision{take_out ? Action::take_out : Action::put, *entry, ""};
}

std::optional<Attempt> attempt_of_intent(LiveView& view, const Operation& operation,
                                         const Intent& intent) {
    Attempt attempt = attempt_of(operation, view);
    attempt.before = intent.before;
    attempt.after = intent.after;
    const IndexEvidence before = view.see_index(operation.index, intent.before);
    const IndexEvidence after = view.see_index(operation.index, intent.after);
    const std::optional<Decision> decision = decision_of(operation, before, after);
    if (!decision) return std::nullopt;
    attempt.decision = *decision;
    see_names(view, attempt);
    if (attempt.decision.action == Action::take_out) return attempt;
    for (const audit::Entry& held : before.held) {
        if (after.holds(held) == nullptr) add_displaced(view, attempt, held);
    }
    return attempt;
}

// What is known now of a write that was left in doubt. Nothing: no more than before.
std::optional<Done> close(LiveView& view, Journal& journal, const Operation& operation,
                          const Intent& intent, std::uint64_t& taken_back) {
    const ReadRow live = view.read({{intent.store, intent.table, intent.key}}).front();
    if (live.error) return std::nullopt;
    Done done{operation.id, Outcome::applied, std::nullopt, false};
    if (!same_bytes(live.row, intent.after)) {
        // Not written, or written over since: either way it is not there to be undone.
        done.outcome = Outcome::superseded;
        return done;
    }
    if (live.row) done.version = live.row->version;
    if (view.guards_reach_base(operation.index)) return done;
    std::optional<Attempt> attempt = attempt_of_intent(view, operation, intent);
    // An entry that names no base row has none to be looked at again.
    const bool by_base = attempt && (attempt->decision.action == Action::put ||
                                     attempt->evidence.names_base);
    if (!by_base || still_holds(view, *attempt)) return done;
    if (attempt->error) return std::nullopt;
    const Written written = compensate(view, journal, *attempt, live.row);
    taken_back += written.writes;
    done.outcome = written.outcome;
    return done;
}

}  // namespace

Recovery recover(LiveView& view, Journal& journal, const Plan& plan) {
    const std::map<std::string, Intent> open = open_intents(journal.earlier());
    Recovery recovery;
    if (open.empty()) return recovery;
    for (const Operation& operation : plan.operations) {
        const auto found = open.find(operation.id);
        if (found == open.end() || operation.kind == OperationKind::manual) continue;
        const Intent& intent = found->second;
        const auto done = close(view, journal, operation, intent, recovery.taken_back);
        if (done && done->outcome != Outcome::failed) {
            journal.done(*done);
        } else {
            recovery.rows_in_doubt.insert(
                RowAddress{intent.store, intent.table, intent.key}.bytes());
        }
    }
    journal.sync();
    return recovery;
}

}  // namespace idxfsck::repair
