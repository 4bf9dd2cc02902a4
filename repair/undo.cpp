#include "repair/undo.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "repair/live_view.hpp"
#include "repair/undo_steps.hpp"
#include "repair/write_group.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

// One write on its way back.
struct Step : UndoStep {
    std::optional<store::Row> live;
};

RowAddress address_of(const Intent& intent) { return {intent.store, intent.table, intent.key}; }

class Undo {
public:
    Undo(const std::vector<UndoStep>& steps, const Stores& stores, Journal* journal,
         const UndoOptions& options)
        : stores_{stores}, journal_{journal}, options_{options} {
        for (const UndoStep& step : steps) {
            steps_.push_back({step, std::nullopt});
            result_.operations.push_back({step.intent->operation, Outcome::not_run, ""});
        }
        if (journal_ != nullptr) learn(journal_->earlier());
    }

    RepairResult run() {
        while (next_ < steps_.size()) {
            if (options_.stop_requested && options_.stop_requested()) {
                result_.ending = Ending::stopped;
                break;
            }
            const std::size_t begin = next_;
            next_ = group_end(begin);
            if (options_.pace) options_.pace(next_ - begin);
            run_group(begin);
        }
        if (options_.apply) journal_->sync();
        return std::move(result_);
    }

private:
    // What earlier runs of this undo did.
    void learn(const std::vector<JournalRecord>& records) {
        std::unordered_map<std::string, const Intent*> open;
        for (const JournalRecord& record : records) {
            if (const auto* intent = std::get_if<Intent>(&record)) {
                open[intent->operation] = intent;
                continue;
            }
            const Done& done = std::get<Done>(record);
            const auto intent = open.find(done.operation);
            if (intent == open.end() || done.outcome == Outcome::failed) continue;
            if (done.outcome == Outcome::applied) note_undone(*intent->second, done.version);
            open.erase(intent);
        }
        for (const auto& [name, intent] : open) doubts_[address_of(*intent).bytes()] = name;
    }

    void note_undone(const Intent& intent, const std::optional<store::Bytes>& version) {
        undone_.insert(intent.operation);
        ours_[address_of(intent).bytes()] = version;
    }

    std::size_t group_end(std::size_t begin) const {
        std::unordered_set<store::Bytes> rows;
        std::size_t end = begin;
        for (; end < steps_.size() && end - begin < std::max<std::size_t>(options_.group_max, 1);
             ++end) {
            if (!rows.insert(address_of(*steps_[end].intent).bytes()).second) break;
        }
        return end;
    }

    void run_group(std::size_t begin) {
        std::vector<std::size_t> writing;
        read_group(begin);
        for (std::size_t place = begin; place < next_; ++place) {
            if (result_.operations[place].outcome != Outcome::not_run) continue;
            if (decide_step(place)) writing.push_back(place);
        }
        if (options_.apply && !writing.empty()) write(writing);
        for (std::size_t place = begin; place < next_; ++place) {
            if (options_.progress) options_.progress(result_.operations[place]);
        }
    }

    void read_group(std::size_t begin) {
        for (std::size_t place = begin; place < next_; ++place) {
            const RowAddress address = address_of(*steps_[place].intent);
            try {
                steps_[place].live = read(address);
            } catch (const store::Error& error) {
                set(place, Outcome::failed, error.what());
            }
        }
    }

    std::optional<store::Row> read(const RowAddress& address) const {
        const StoreAccess& access = stores_.at(address.store);
        if (access.reader->capabilities().snapshot && access.writer) access.reader->refresh();
        return access.reader->read(address.table, std::span{&address.key, 1}).at(0);
    }

    // True if the row is to be written back.
    bool decide_step(std::size_t place) {
        const Step& step = steps_[place];
        const std::optional<store::Row>& seen = seen_as(step);
        if (undone_.contains(step.name) || same_bytes(seen, step.intent->before)) {
            set(place, Outcome::already, "the row is as it was before the repair");
            close_doubt(step, step.name);
            return false;
        }
        if (!same_bytes(seen, step.intent->after) || !version_is_ours(step)) {
            set(place, Outcome::superseded, "the row was written since: it is kept");
            return false;
        }
        if (options_.apply) {
            // The bytes say that the step before this one, if it was in doubt, was done.
            const auto doubt = doubts_.find(address_of(*step.intent).bytes());
            if (doubt != doubts_.end() && doubt->second != step.name) {
                close_doubt(step, std::string{doubt->second});
            }
            return true;
        }
        taken_back_[address_of(*step.intent).bytes()] = step.intent->before;
        set(place, Outcome::would_apply, "the row is as the repair left it");
        return false;
    }

    // The row shows that a write in doubt was done: that of this step, or the one before it.
    void close_doubt(const Step& step, const std::string& name) {
        const store::Bytes row = address_of(*step.intent).bytes();
        const auto doubt = doubts_.find(row);
        if (!options_.apply || doubt == doubts_.end() || doubt->second != name) return;
        Done done{name, Outcome::applied, std::nullopt, false};
        if (step.live) done.version = step.live->version;
        journal_->done(done);
        undone_.insert(name);
        ours_[row] = done.version;
        doubts_.erase(doubt);
    }

    // The row now; without --apply as it would be once the steps before this one were taken.
    const std::optional<store::Row>& seen_as(const Step& step) const {
        const auto found = taken_back_.find(address_of(*step.intent).bytes());
        return found == taken_back_.end() ? step.live : found->second;
    }

    // Is the row's version one that the repair, or this undo, gave it? Unknown ones cannot tell.
    bool version_is_ours(const Step& step) const {
        const store::Bytes row = address_of(*step.intent).bytes();
        if (!step.live || taken_back_.contains(row)) return true;
        // The version that the step before this one left is not known if it is in doubt: the bytes
        // have to tell.
        const auto doubt = doubts_.find(row);
        if (doubt != doubts_.end() && doubt->second != step.name) return true;
        const auto is_live = [&](const std::optional<store::Bytes>& version) {
            return !version || *version == step.live->version;
        };
        const auto ours = ours_.find(row);
        return is_live(step.version) || (ours != ours_.end() && is_live(ours->second));
    }

    void write(const std::vector<std::size_t>& places) {
        for (const std::size_t place : places) {
            Intent intent = *steps_[place].intent;
            intent.operation = steps_[place].name;
            intent.before = steps_[place].live;
            intent.after = steps_[place].intent->before;
            journal_->intend(intent);
        }
        journal_->sync();
        for (const std::vector<std::size_t>& batch : batches_of(places)) send(batch);
        for (const std::size_t place : places) read_back(place);
    }

    // Those in a row that their store would take in one step are handed to it together.
    std::vector<std::vector<std::size_t>> batches_of(const std::vector<std::size_t>& places) const {
        std::vector<std::vector<std::size_t>> batches;
        std::optional<store::Bytes> last;
        for (const std::size_t place : places) {
            const Intent& intent = *steps_[place].intent;
            const store::Writer& writer = *stores_.at(intent.store).writer;
            std::optional<store::Bytes> name = writer.batch_of(intent.table, intent.key);
            if (name) name->insert(0, intent.store + "/");
            if (!name || name != last) batches.emplace_back();
            batches.back().push_back(place);
            last = std::move(name);
        }
        return batches;
    }

    void send(const std::vector<std::size_t>& batch) {
        std::vector<store::GuardedWrite> writes;
        for (const std::size_t place : batch) {
            const Step& step = steps_[place];
            store::GuardedWrite& write = writes.emplace_back(
                store::GuardedWrite{step.intent->table, step.intent->key, store::ExpectAbsent{},
                                    step.intent->before, {}});
            if (step.live) write.expected = store::ExpectRow{*step.live};
        }
        store::Writer& writer = *stores_.at(steps_[batch.front()].intent->store).writer;
        const std::vector<store::WriteReply> replies = writer.write_all(writes);
        store::ensure(replies.size() == batch.size(), "one reply for each write");
        for (std::size_t index = 0; index < batch.size(); ++index) {
            take_reply(batch[index], replies[index]);
        }
        try {
            writer.sync();
        } catch (const store::Error& error) {
            for (const std::size_t place : batch) {
                if (result_.operations[place].outcome == Outcome::failed) continue;
                set(place, Outcome::failed, error.what());
            }
        }
    }

    void take_reply(std::size_t place, const store::WriteReply& reply) {
        if (!reply.outcome) return set(place, Outcome::failed, reply.error);
        switch (*reply.outcome) {
            case store::WriteOutcome::applied:
                ++result_.writes;
                break;
            case store::WriteOutcome::already:
                set(place, Outcome::already, "the row is as it was before the repair");
                break;
            case store::WriteOutcome::superseded:
                set(place, Outcome::superseded, "the row was written since: it is kept");
                break;
        }
    }

    void read_back(std::size_t place) {
        const Step& step = steps_[place];
        const RowAddress address = address_of(*step.intent);
        OperationResult& result = result_.operations[place];
        Done done{step.name, result.outcome, std::nullopt, false};
        const bool in_doubt =
            result.outcome == Outcome::not_run || result.outcome == Outcome::failed;
        try {
            const std::optional<store::Row> row = read(address);
            if (in_doubt && same_bytes(row, step.intent->before)) {
                set(place, Outcome::applied, "");
                if (row) done.version = row->version;
                ours_[address.bytes()] = done.version;
            } else if (result.outcome == Outcome::not_run) {
                set(place, Outcome::superseded, "the row was written again: it is kept");
            }
        } catch (const store::Error& error) {
            if (in_doubt) set(place, Outcome::failed, error.what());
        }
        if (result.outcome == Outcome::failed) doubts_[address.bytes()] = step.name;
        done.outcome = result.outcome;
        journal_->done(done);
    }

    void set(std::size_t place, Outcome outcome, std::string_view why) {
        result_.operations[place].outcome = outcome;
        result_.operations[place].why = why;
    }

    std::vector<Step> steps_;
    const Stores& stores_;
    Journal* journal_;
    const UndoOptions& options_;
    RepairResult result_;
    std::size_t next_ = 0;
    std::unordered_set<std::string> undone_;  // steps, by name
    // The step whose write to a row, by address, was sent and perhaps not done.
    std::unordered_map<store::Bytes, std::string> doubts_;
    // Versions of rows that this undo wrote, by address.
    std::unordered_map<store::Bytes, std::optional<store::Bytes>> ours_;
    // Without --apply: rows as they would be by now.
    std::unordered_map<store::Bytes, std::optional<store::Row>> taken_back_;
};

}  // namespace

void check_undo(const JournalContents& journal, const audit::Readers& readers, bool other_store) {
    if (journal.header.purpose != "repair" && journal.header.purpose != "undo") {
        throw store::Error{"the journal has a purpose that this program does not know",
                           store::Trouble::refused}
            .with("purpose", journal.header.purpose);
    }
    for (const auto& [name, identity] : journal.header.stores) {
        const auto reader = readers.find(name);
        const bool same = reader != readers.end() && reader->second->identity() == identity;
        if (same || (other_store && reader != readers.end())) continue;
        throw store::Error{"the store is not the one that the journal is about",
                           store::Trouble::refused}
            .with("store", name)
            .hint(reader == readers.end() ? "name the spec that the repair was made with"
                                          : "or, if this is what you want: --allow-other-store");
    }
}

JournalHeader undo_header(const JournalContents& journal, std::int64_t now_ms,
                          const std::string& tool_version) {
    JournalHeader header = journal.header;
    header.purpose = "undo";
    header.started_ms = now_ms;
    header.tool_version = tool_version;
    return header;
}

RepairResult run_undo(const JournalContents& journal, const Stores& stores, Journal* undo_journal,
                      const UndoOptions& options) {
    store::ensure(!options.apply || undo_journal != nullptr, "an undo that writes has a journal");
    for (const JournalRecord& record : journal.records) {
        const auto* intent = std::get_if<Intent>(&record);
        if (intent == nullptr || stores.contains(intent->store)) continue;
        throw store::Error{"the journal names a store that is not open", store::Trouble::usage}
            .with("store", intent->store)
            .hint("name the spec that the repair was made with");
    }
    return Undo{steps_of(journal), stores, undo_journal, options}.run();
}

}  // namespace idxfsck::repair
