#include "repair/write_group.hpp"

#include <set>

#include "repair/write_batches.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

constexpr std::string_view why_guard =
    "the rows changed between the look at them and the write: a guard did not hold";
constexpr std::string_view why_lost_reply =
    "the store did not answer, but the write is there";

// One write under way.
struct Write {
    Attempt* attempt = nullptr;
    std::optional<store::WriteOutcome> reply;  // nothing: none came
    std::string error;
    Written result;
    bool settled = false;  // `result` stands
};

// Those that the store is handed together.
using Batch = std::vector<Write*>;

void settle(Write& write, Outcome outcome, std::string_view why) {
    write.result.outcome = outcome;
    write.result.why = why;
    write.settled = true;
}

store::Writer& writer_of(const LiveView& view, const Attempt& attempt) {
    return *view.store(attempt.index_row.store).writer;
}

void take_reply(Write& write, store::WriteReply reply) {
    write.reply = reply.outcome;
    write.error = std::move(reply.error);
    if (write.reply == store::WriteOutcome::superseded) {
        settle(write, Outcome::superseded, why_guard);
    }
    if (write.reply == store::WriteOutcome::already) {
        settle(write, Outcome::already, "the row was so before the write");
    }
    if (write.reply == store::WriteOutcome::applied) ++write.result.writes;
}

void send(LiveView& view, const Batch& batch) {
    try {
        std::vector<store::GuardedWrite> writes;
        for (const Write* write : batch) writes.push_back(guarded_write(view, *write->attempt));
        store::Writer& writer = writer_of(view, *batch.front()->attempt);
        std::vector<store::WriteReply> replies = writer.write_all(writes);
        store::ensure(replies.size() == batch.size(), "one reply for each write");
        for (std::size_t index = 0; index < batch.size(); ++index) {
            take_reply(*batch[index], std::move(replies[index]));
        }
    } catch (const store::Error& error) {
        for (Write* write : batch) write->error = error.what();
    }
}

// Is what was decided in the row now?
bool landed(LiveView& view, const Attempt& attempt, const std::optional<store::Row>& row) {
    const IndexEvidence index = view.see_index(attempt.operation->index, row);
    const audit::Entry* held = index.owned ? index.holds(attempt.decision.entry) : nullptr;
    if (attempt.decision.action == Action::take_out) return held == nullptr;
    return held != nullptr && held->same_copies(attempt.decision.entry);
}

std::vector<bool> look_again(LiveView& view, const Batch& batch) {
    std::vector<Attempt*> attempts;
    for (const Write* write : batch) attempts.push_back(write->attempt);
    return still_hold(view, attempts);
}

// Those that are still called for; the others settle.
Batch looked_at_before(LiveView& view, const Batch& batch) {
    const std::vector<bool> holds = look_again(view, batch);
    Batch going;
    for (std::size_t index = 0; index < batch.size(); ++index) {
        Write& write = *batch[index];
        if (holds[index]) {
            going.push_back(&write);
        } else if (write.attempt->error) {
            settle(write, Outcome::failed, *write.attempt->error);
        } else {
            settle(write, Outcome::superseded, "the base rows changed before the write");
        }
    }
    return going;
}

void take_back(LiveView& view, Journal& journal, Write& write) {
    Attempt& attempt = *write.attempt;
    const ReadRow left = view.read({attempt.index_row}).front();
    if (left.error) return settle(write, Outcome::failed, *left.error);
    const std::uint64_t writes = write.result.writes;
    write.result = compensate(view, journal, attempt, left.row);
    write.result.writes += writes;
    write.settled = true;
}

// Where no guard reaches the base rows they are looked at right before the writes, and after them.
void send_unguarded(LiveView& view, Journal& journal, const Batch& batch) {
    const Batch going = looked_at_before(view, batch);
    if (going.empty()) return;
    send(view, going);
    Batch sent;
    for (Write* write : going) {
        if (!write->settled) sent.push_back(write);
    }
    if (sent.empty()) return;
    const std::vector<bool> holds = look_again(view, sent);
    for (std::size_t index = 0; index < sent.size(); ++index) {
        Write& write = *sent[index];
        const std::optional<std::string>& error = write.attempt->error;
        if (error) settle(write, Outcome::failed, *error);
        else if (!holds[index]) take_back(view, journal, write);
    }
}

void judge_read_back(LiveView& view, Write& write, const ReadRow& row) {
    Attempt& attempt = *write.attempt;
    if (row.error) return settle(write, Outcome::failed, *row.error);
    if (landed(view, attempt, row.row)) {
        return settle(write, Outcome::applied, write.reply ? "" : why_lost_reply);
    }
    if (!write.reply) return settle(write, Outcome::failed, write.error);
    const bool holds = still_holds(view, attempt);
    if (attempt.error) return settle(write, Outcome::failed, *attempt.error);
    if (holds) {
        return settle(write, Outcome::ineffective,
                      "the store took the write, the base row still calls for it, and it is not "
                      "there");
    }
    settle(write, Outcome::superseded, "the row was written again, as its base row wants it now");
}

void sync_stores(const LiveView& view, std::vector<Write>& writes) {
    std::set<std::string> stores;
    for (const Write& write : writes) stores.insert(write.attempt->index_row.store);
    for (const std::string& store : stores) {
        try {
            view.store(store).writer->sync();
        } catch (const store::Error& error) {
            for (Write& write : writes) {
                if (write.attempt->index_row.store != store || write.settled) continue;
                settle(write, Outcome::failed, error.what());
            }
        }
    }
}

// Whoever wrote the row since has given it another version: then none is ours, and "" says so.
std::optional<store::Bytes> version_left(const std::optional<store::Row>& row,
                                         const std::optional<store::Row>& after) {
    if (!same_bytes(row, after)) return store::Bytes{};
    return row ? std::optional{row->version} : std::nullopt;
}

void read_back(LiveView& view, Journal& journal, std::vector<Write>& writes) {
    std::vector<RowAddress> addresses;
    for (const Write& write : writes) addresses.push_back(write.attempt->index_row);
    const std::vector<ReadRow> rows = view.read(addresses);
    for (std::size_t index = 0; index < writes.size(); ++index) {
        Write& write = writes[index];
        if (!write.settled) judge_read_back(view, write, rows[index]);
        Done done{write.attempt->operation->id, write.result.outcome, std::nullopt, false};
        const Outcome outcome = write.result.outcome;
        if (outcome == Outcome::applied || outcome == Outcome::ineffective) {
            done.version = version_left(rows[index].row, write.attempt->after);
        }
        journal.done(done);
    }
}

}  // namespace

bool same_bytes(const std::optional<store::Row>& row, const std::optional<store::Row>& expected) {
    if (!row || !expected) return !row && !expected;
    return row->key == expected->key && row->attributes == expected->attributes;
}

Intent intent_of(const Attempt& attempt) {
    const store::Key& key = attempt.before ? attempt.before->key : attempt.index_row.key;
    return {attempt.operation->id, attempt.index_row.store, attempt.index_row.table, key,
            attempt.before,        attempt.after,           false};
}

Written compensate(LiveView& view, Journal& journal, const Attempt& attempt,
                   const std::optional<store::Row>& left) {
    Written written;
    written.outcome = Outcome::superseded;
    written.why = "the base rows changed during the write, and the row was written again since";
    if (!same_bytes(left, attempt.after)) return written;
    Intent intent = intent_of(attempt);
    intent.before = left;
    intent.after = attempt.before;
    intent.compensation = true;
    journal.intend(intent);
    journal.sync();
    store::GuardedWrite write{intent.table, intent.key, store::ExpectAbsent{}, intent.after, {}};
    if (left) write.expected = store::ExpectRow{*left};
    try {
        const store::WriteOutcome reply = writer_of(view, attempt).write(write);
        if (reply == store::WriteOutcome::applied) {
            written.writes = 1;
            written.why = "the base rows changed during the write: it was taken back";
        }
    } catch (const store::Error& error) {
        written.outcome = Outcome::failed;
        written.why = error.what();
    }
    journal.done({intent.operation, written.outcome, std::nullopt, true});
    return written;
}

std::vector<Written> write_group(LiveView& view, Journal& journal,
                                 std::vector<Attempt*> attempts) {
    std::vector<Write> writes(attempts.size());
    for (std::size_t index = 0; index < attempts.size(); ++index) {
        writes[index].attempt = attempts[index];
        journal.intend(intent_of(*attempts[index]));
    }
    journal.sync();
    for (const std::vector<std::size_t>& places : batches_of(view, attempts)) {
        Batch batch;
        for (const std::size_t place : places) batch.push_back(&writes[place]);
        if (view.guards_reach_base(batch.front()->attempt->operation->index)) send(view, batch);
        else send_unguarded(view, journal, batch);
    }
    sync_stores(view, writes);
    read_back(view, journal, writes);
    std::vector<Written> results;
    for (Write& write : writes) results.push_back(std::move(write.result));
    return results;
}

}  // namespace idxfsck::repair
