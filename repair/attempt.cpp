#include "repair/attempt.hpp"

#include <unordered_map>

#include "audit/spellings.hpp"
#include "audit/winner.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

bool as_seen(const std::optional<audit::SeenRow>& seen, const std::optional<store::Row>& row) {
    if (!seen || !row || !seen->present) return false;
    return seen->digest == store::row_digest(*row) && seen->version == row->version;
}

// A base row is never deleted, and nothing of it is written but the index attributes in it.
void check_inside(const audit::IndexSpec& index, const store::Row& before,
                  const std::optional<store::Row>& after) {
    store::ensure(index.repair_in_row && after,
                  "a base row is written only where the spec says so");
    store::Row left = before;
    store::Row right = *after;
    for (const audit::NamedTemplate& named : index.key) {
        left.set(named.name, {});
        right.set(named.name, {});
    }
    store::ensure(left.key == right.key && left.attributes == right.attributes,
                  "nothing of a base row is written but the index attributes in it");
}

// The index row as the decision would leave it.
std::optional<store::Row> row_after(const LiveView& view, const Attempt& attempt,
                                    const Decision& decision) {
    const audit::IndexProgram& program = view.program(attempt.operation->index);
    const audit::EntryLoan entry{decision.entry};
    // Of a row whose time is over nothing is kept: what is put would expire with it.
    const bool fresh = !attempt.before || attempt.evidence.index.expired;
    const std::optional<store::Row> into = fresh ? std::nullopt : attempt.before;
    std::optional<store::Row> after = decision.action == Action::take_out
                                          ? program.without_entry(entry.view(), *attempt.before)
                                          : program.with_entry(entry.view(), into);
    // Where the entry may stand in several rows, this is the one.
    if (after && fresh) after->key = attempt.before ? attempt.before->key : attempt.index_row.key;
    if (program.spec().inside) check_inside(program.spec(), *attempt.before, after);
    return after;
}

// Entries that putting `wanted` would push out of the row.
std::vector<audit::Entry> pushed_out(LiveView& view, const Attempt& attempt,
                                     const audit::Entry& wanted) {
    const IndexEvidence& index = attempt.evidence.index;
    std::vector<audit::Entry> lost;
    if (!index.owned || !index.readable || index.held.empty()) return lost;
    const Decision put{Action::put, wanted, ""};
    const IndexEvidence left =
        view.see_index(attempt.operation->index, row_after(view, attempt, put));
    for (const audit::Entry& held : index.held) {
        if (left.holds(held) == nullptr && !held.same_claim(wanted)) lost.push_back(held);
    }
    return lost;
}

// Beside an older entry, those of the current version: it may go only where all of them are.
void add_newer(LiveView& view, Attempt& attempt) {
    const audit::IndexSpec& spec = view.program(attempt.operation->index).spec();
    if (spec.version_of.empty() || !attempt.base) return;
    attempt.newer_entries = view.see_base(spec.version_of, attempt.base).entries;
    for (const audit::Entry& entry : attempt.newer_entries) {
        const audit::EntryLoan loan{entry};
        const auto keys = view.program(spec.version_of).rows_of(loan.view());
        attempt.newer_rows.push_back(
            view.index_row(spec.version_of, keys.empty() ? store::Key{} : keys.front()));
        attempt.newer.emplace_back();
    }
    attempt.evidence.newer_there = attempt.newer_entries.empty();
}

// An entry that may stand in any one of several rows: where else it could be.
void add_other_places(LiveView& view, Attempt& attempt) {
    const Operation& operation = *attempt.operation;
    const audit::EntryLoan loan{operation.entry};
    const auto keys = view.program(operation.index).rows_of(loan.view());
    const bool older = !view.program(operation.index).spec().version_of.empty();
    if (keys.size() < 2 || older) return;
    for (const store::Key& key : keys) {
        if (same_row_key(key, attempt.index_row.key)) continue;
        attempt.newer_rows.push_back(view.index_row(operation.index, key));
        attempt.newer.emplace_back();
        attempt.newer_entries.push_back(operation.entry);
    }
    attempt.any_newer = true;
    attempt.evidence.newer_there = false;
}

// Takes note which of those rows hold their entry; the others are let go.
void see_newer(LiveView& view, Attempt& attempt) {
    if (!attempt.evidence.newer_there) return;
    const std::string& index = attempt.operation->index;
    const std::string& of = attempt.any_newer ? index : view.program(index).spec().version_of;
    std::size_t held = 0;
    for (std::size_t place = 0; place < attempt.newer.size(); ++place) {
        const IndexEvidence seen = view.see_index(of, attempt.newer[place]);
        if (seen.holds(attempt.newer_entries[place]) != nullptr) {
            ++held;
        } else {
            attempt.newer[place].reset();
        }
    }
    attempt.evidence.newer_there = attempt.any_newer ? held > 0 : held == attempt.newer.size();
}

void see_first_rows(LiveView& view, Attempt& attempt) {
    const Operation& operation = *attempt.operation;
    Evidence& evidence = attempt.evidence;
    evidence.index = view.see_index(operation.index, attempt.before);
    evidence.index.as_seen = as_seen(operation.index_row, attempt.before);
    evidence.base = view.see_base(operation.index, attempt.base);
    evidence.lossy = view.program(operation.index).spec().lossy;
    see_names(view, attempt);
    if (deletes(operation.kind)) add_newer(view, attempt);
    add_other_places(view, attempt);
    if (deletes(operation.kind)) return;
    const audit::Entry* wanted = evidence.base.derives(operation.entry);
    if (wanted == nullptr) return;
    for (const audit::Entry& entry : pushed_out(view, attempt, *wanted)) {
        add_displaced(view, attempt, entry);
    }
}

// Reads what `addresses` says for each attempt; the rows come back in the same order.
struct Batch {
    std::vector<RowAddress> addresses;
    std::vector<Attempt*> owners;
    std::vector<std::optional<store::Row>*> rows;

    void want(Attempt& attempt, const RowAddress& address, std::optional<store::Row>& row) {
        addresses.push_back(address);
        owners.push_back(&attempt);
        rows.push_back(&row);
    }

    void read(LiveView& view) {
        std::vector<ReadRow> answers = view.read(addresses);
        for (std::size_t index = 0; index < answers.size(); ++index) {
            if (answers[index].error) owners[index]->error = std::move(answers[index].error);
            *rows[index] = std::move(answers[index].row);
        }
    }

    // A row that several attempts rest on is read once: all of them see the same, or a write would
    // go out on what another attempt knows to be past.
    void read_shared(LiveView& view) {
        std::unordered_map<store::Bytes, std::size_t> places;
        std::vector<RowAddress> distinct;
        std::vector<std::size_t> sources;
        for (const RowAddress& address : addresses) {
            const auto [found, fresh] = places.emplace(address.bytes(), distinct.size());
            if (fresh) distinct.push_back(address);
            sources.push_back(found->second);
        }
        const std::vector<ReadRow> answers = view.read(distinct);
        for (std::size_t index = 0; index < sources.size(); ++index) {
            const ReadRow& answer = answers[sources[index]];
            if (answer.error) owners[index]->error = answer.error;
            *rows[index] = answer.row;
        }
    }
};

void want_base_rows(Batch& batch, Attempt& attempt) {
    if (attempt.base_row) batch.want(attempt, *attempt.base_row, attempt.base);
}

void want_displaced_rows(Batch& batch, Attempt& attempt) {
    for (std::size_t index = 0; index < attempt.displaced.size(); ++index) {
        if (!attempt.evidence.displaced[index].base_key) continue;
        batch.want(attempt, attempt.displaced_rows[index], attempt.displaced[index]);
    }
}

void want_newer_rows(Batch& batch, Attempt& attempt) {
    for (std::size_t index = 0; index < attempt.newer.size(); ++index) {
        batch.want(attempt, attempt.newer_rows[index], attempt.newer[index]);
    }
}

// Does the operation's base row win against the other, by the rule of the spec?
bool outranks(const LiveView& view, const Attempt& attempt,
              const std::optional<store::Row>& other) {
    if (!attempt.base || !other) return false;
    const audit::IndexProgram& program = view.program(attempt.operation->index);
    return audit::outranks(program.spec().winner, program.rank_of(*attempt.base),
                           program.rank_of(*other));
}

void see_displaced_rows(LiveView& view, Attempt& attempt) {
    for (std::size_t index = 0; index < attempt.displaced.size(); ++index) {
        Displaced& displaced = attempt.evidence.displaced[index];
        displaced.base = view.see_base(attempt.operation->index, attempt.displaced[index]);
        displaced.outranked = outranks(view, attempt, attempt.displaced[index]);
    }
}

void add_guards(const LiveView& view, const std::string& index, const RowAddress& address,
                const std::optional<store::Row>& row, std::vector<store::Guard>& guards) {
    if (row) {
        guards.push_back({address.table, row->key,
                          store::ExpectAttributes{view.program(index).depends_on(*row)}});
        return;
    }
    if (!audit::can_be_key(address.key)) return;
    for (store::Key& key : audit::spellings(address.key)) {
        guards.push_back({address.table, std::move(key), store::ExpectAbsent{}});
    }
}

}  // namespace

Attempt attempt_of(const Operation& operation, const LiveView& view) {
    Attempt attempt;
    attempt.operation = &operation;
    attempt.index_row = view.entry_row(operation);
    if (operation.base) attempt.base_row = view.base_row(operation.index, operation.base->key);
    return attempt;
}

void see_names(const LiveView& view, Attempt& attempt) {
    const Operation& operation = *attempt.operation;
    const audit::Entry* held = attempt.evidence.index.holds(operation.entry);
    const std::optional<store::Key> key =
        view.locate(operation.index, held != nullptr ? *held : operation.entry);
    attempt.evidence.names_base =
        key && operation.base && same_row_key(*key, operation.base->key);
}

void add_displaced(const LiveView& view, Attempt& attempt, const audit::Entry& entry) {
    const std::string& index = attempt.operation->index;
    std::optional<store::Key> key = view.locate(index, entry);
    // One that names no base row has an empty address, which is never read.
    attempt.displaced_rows.push_back(key ? view.base_row(index, *key) : RowAddress{});
    attempt.displaced.emplace_back();
    attempt.evidence.displaced.push_back({entry, std::move(key), {}});
}

void look_at(LiveView& view, std::vector<Attempt>& attempts,
             const std::vector<std::optional<bool>>& unclaimed) {
    Batch first;
    for (Attempt& attempt : attempts) {
        first.want(attempt, attempt.index_row, attempt.before);
        want_base_rows(first, attempt);
    }
    first.read(view);
    Batch second;
    for (Attempt& attempt : attempts) {
        if (attempt.error) continue;
        see_first_rows(view, attempt);
        want_displaced_rows(second, attempt);
        want_newer_rows(second, attempt);
    }
    second.read(view);
    for (std::size_t index = 0; index < attempts.size(); ++index) {
        Attempt& attempt = attempts[index];
        if (attempt.error) continue;
        see_displaced_rows(view, attempt);
        see_newer(view, attempt);
        attempt.evidence.still_unclaimed = unclaimed[index];
        attempt.decision = decide(*attempt.operation, attempt.evidence);
        if (!attempt.decision.writes()) continue;
        attempt.after = row_after(view, attempt, attempt.decision);
        if (!attempt.after) continue;
        // As it will be read back: undo knows the row that the repair left by its bytes.
        const store::Reader& reader = *view.store(attempt.index_row.store).reader;
        attempt.after = reader.as_stored(attempt.index_row.table, *attempt.after);
        attempt.index_row.key = attempt.after->key;
    }
}

bool still_holds(LiveView& view, Attempt& attempt) { return still_hold(view, {&attempt}).front(); }

std::vector<bool> still_hold(LiveView& view, const std::vector<Attempt*>& attempts) {
    Batch batch;
    for (Attempt* const attempt : attempts) {
        want_base_rows(batch, *attempt);
        want_displaced_rows(batch, *attempt);
        want_newer_rows(batch, *attempt);
    }
    batch.read_shared(view);
    std::vector<bool> answers;
    for (Attempt* const attempt : attempts) {
        if (!attempt->error) {
            attempt->evidence.base = view.see_base(attempt->operation->index, attempt->base);
            see_displaced_rows(view, *attempt);
            see_newer(view, *attempt);
        }
        answers.push_back(!attempt->error &&
                          still_called_for(attempt->decision, attempt->evidence));
    }
    return answers;
}

store::GuardedWrite guarded_write(const LiveView& view, const Attempt& attempt) {
    store::GuardedWrite write;
    write.table = attempt.index_row.table;
    write.key = attempt.before ? attempt.before->key : attempt.index_row.key;
    write.expected = store::ExpectAbsent{};
    if (attempt.before) write.expected = store::ExpectRow{*attempt.before};
    write.after = attempt.after;
    const std::string& index = attempt.operation->index;
    if (!view.guards_reach_base(index)) return write;
    const bool rests_on_base = attempt.decision.action == Action::put ||
                               attempt.evidence.names_base || attempt.evidence.newer_there;
    // An entry inside the base row is guarded with the whole row.
    if (view.program(index).spec().inside) return write;
    if (attempt.base_row && rests_on_base) {
        add_guards(view, index, *attempt.base_row, attempt.base, write.guards);
    }
    for (std::size_t place = 0; place < attempt.displaced.size(); ++place) {
        if (!attempt.evidence.displaced[place].base_key) continue;
        add_guards(view, index, attempt.displaced_rows[place], attempt.displaced[place],
                   write.guards);
    }
    for (std::size_t place = 0; place < attempt.newer.size(); ++place) {
        const RowAddress& address = attempt.newer_rows[place];
        if (!attempt.newer[place]) continue;
        write.guards.push_back({address.table, attempt.newer[place]->key,
                                store::ExpectRow{*attempt.newer[place]}});
    }
    return write;
}

}  // namespace idxfsck::repair
