#include "repair/executor.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "repair/claim_look.hpp"
#include "repair/recovery.hpp"
#include "repair/selection.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

std::vector<std::string> indexes_of(const Plan& plan) {
    std::set<std::string> names;
    for (const Operation& operation : plan.operations) {
        if (operation.kind != OperationKind::manual) names.insert(operation.index);
    }
    return {names.begin(), names.end()};
}

void check_fit(const Plan& plan, const audit::Spec& spec, const Stores& stores) {
    for (const std::string& name : indexes_of(plan)) {
        const audit::IndexSpec* index = spec.index(name);
        const audit::BaseSpec* base = index == nullptr ? nullptr : spec.base(index->of);
        if (base != nullptr && stores.contains(index->store) && stores.contains(base->store)) {
            continue;
        }
        throw store::Error{"the plan names an index that the spec does not have",
                           store::Trouble::usage}
            .with("index", name)
            .hint("repair with the spec that the plan was made for");
    }
}

class Executor {
public:
    Executor(const Plan& plan, const audit::Spec& spec, const Stores& stores, Journal* journal,
             const RepairOptions& options, std::int64_t now_ms)
        : plan_{plan},
          view_{spec, stores, indexes_of(plan), now_ms},
          journal_{journal},
          options_{options},
          claims_{view_, plan, result_.operations, options.still_unclaimed} {
        result_.operations.resize(plan.operations.size());
        for (std::size_t place = 0; place < plan.operations.size(); ++place) {
            places_[plan.operations[place].id] = place;
            result_.operations[place].id = plan.operations[place].id;
        }
    }

    RepairResult run() {
        leave_out();
        if (options_.apply) {
            Recovery recovery = recover(view_, *journal_, plan_);
            result_.writes += recovery.taken_back;
            rows_in_doubt_ = std::move(recovery.rows_in_doubt);
        }
        while (next_ < plan_.operations.size() && goes_on()) {
            const std::vector<std::size_t> group = next_group();
            if (group.empty()) continue;
            if (options_.pace) options_.pace(group.size());
            run_group(group);
        }
        if (options_.apply) journal_->sync();
        return std::move(result_);
    }

private:
    // What --only, --except and the plan itself keep from running.
    void leave_out() {
        const Selection selection{plan_, options_};
        for (std::size_t place = 0; place < plan_.operations.size(); ++place) {
            const Operation& operation = plan_.operations[place];
            if (operation.kind == OperationKind::manual) {
                set(result_.operations[place], Outcome::manual, operation.why);
            } else if (selection.leaves_out(operation.id)) {
                set(result_.operations[place], Outcome::skipped, "left out on the command line");
            }
        }
    }

    bool goes_on() {
        if (options_.stop_requested && options_.stop_requested()) {
            result_.ending = Ending::stopped;
        } else if (options_.operations_max && attempted_writes_ >= *options_.operations_max) {
            result_.ending = Ending::enough;
        } else if (options_.apply && attempts_ >= options_.attempts_min &&
                   static_cast<double>(fails_) >
                       options_.fails_share_max * static_cast<double>(attempts_)) {
            result_.ending = Ending::too_many_fails;
        }
        return result_.ending == Ending::finished;
    }

    enum class Waiting { no, for_this_group, in_vain };

    Waiting waits(const Operation& operation) const {
        for (const std::string& id : operation.after) {
            const auto place = places_.find(id);
            if (place == places_.end()) return Waiting::in_vain;
            switch (result_.operations[place->second].outcome) {
                case Outcome::applied:
                case Outcome::already:
                case Outcome::would_apply:
                    break;
                case Outcome::not_run:
                    // Plans put adds first; one that comes later will not have run.
                    return place->second < next_ ? Waiting::for_this_group : Waiting::in_vain;
                default:
                    return Waiting::in_vain;
            }
        }
        return Waiting::no;
    }

    // Operations from `next_` on that can share a sync of the journal: other rows, and nothing that
    // one of them waits for.
    std::vector<std::size_t> next_group() {
        std::vector<std::size_t> group;
        std::unordered_set<store::Bytes> rows;
        for (; next_ < plan_.operations.size() && group.size() < group_max(); ++next_) {
            const Operation& operation = plan_.operations[next_];
            OperationResult& result = result_.operations[next_];
            if (result.outcome != Outcome::not_run) {
                report(result);
                continue;
            }
            const Waiting waiting = waits(operation);
            if (waiting == Waiting::for_this_group) break;
            if (waiting == Waiting::in_vain) {
                set(result, Outcome::held, "an operation that it waits for was not applied");
                report(result);
                continue;
            }
            const store::Bytes row = view_.entry_row(operation).bytes();
            if (rows_in_doubt_.contains(row)) {
                set(result, Outcome::failed, "the store failed at an earlier write to this row");
                report(result);
                continue;
            }
            if (!rows.insert(row).second) break;
            group.push_back(next_);
        }
        return group;
    }

    std::size_t group_max() const {
        std::uint64_t most = std::max<std::size_t>(options_.group_max, 1);
        if (options_.operations_max) {
            most = std::min(most, *options_.operations_max - attempted_writes_);
        }
        return static_cast<std::size_t>(most);
    }

    void run_group(const std::vector<std::size_t>& group) {
        std::vector<Attempt> attempts;
        std::vector<std::optional<bool>> unclaimed;
        for (const std::size_t place : group) {
            attempts.push_back(attempt_of(plan_.operations[place], view_));
            unclaimed.push_back(claims_.unclaimed(plan_.operations[place]));
        }
        look_at(view_, attempts, unclaimed);
        std::vector<Attempt*> writing;
        std::vector<std::size_t> writing_places;
        for (std::size_t index = 0; index < group.size(); ++index) {
            if (settle_without_write(attempts[index], result_.operations[group[index]])) continue;
            writing.push_back(&attempts[index]);
            writing_places.push_back(group[index]);
        }
        attempted_writes_ += writing.size();
        if (options_.apply && !writing.empty()) write(writing, writing_places);
        for (const std::size_t place : group) finish(result_.operations[place]);
    }

    // False if the attempt shall write, and may.
    bool settle_without_write(const Attempt& attempt, OperationResult& result) const {
        if (attempt.error) {
            set(result, Outcome::failed, *attempt.error);
            return true;
        }
        switch (attempt.decision.action) {
            case Action::already:
                set(result, Outcome::already, attempt.decision.why);
                return true;
            case Action::superseded:
                set(result, Outcome::superseded, attempt.decision.why);
                return true;
            case Action::held:
                set(result, Outcome::held, attempt.decision.why);
                return true;
            case Action::put:
            case Action::take_out:
                break;
        }
        if (same_bytes(attempt.before, attempt.after)) {
            set(result, Outcome::ineffective, "the write would leave the row as it is");
            return true;
        }
        if (!options_.apply) set(result, Outcome::would_apply, attempt.decision.why);
        return false;
    }

    void write(const std::vector<Attempt*>& attempts, const std::vector<std::size_t>& places) {
        std::vector<Written> written = write_group(view_, *journal_, attempts);
        for (std::size_t index = 0; index < written.size(); ++index) {
            set(result_.operations[places[index]], written[index].outcome, written[index].why);
            result_.writes += written[index].writes;
            if (written[index].outcome == Outcome::failed) {
                rows_in_doubt_.insert(attempts[index]->index_row.bytes());
            }
        }
    }

    void finish(const OperationResult& result) {
        if (result.outcome != Outcome::held && result.outcome != Outcome::would_apply) {
            ++attempts_;
            const bool well =
                result.outcome == Outcome::applied || result.outcome == Outcome::already;
            fails_ += well ? 0 : 1;
        }
        report(result);
    }

    void report(const OperationResult& result) const {
        if (options_.progress) options_.progress(result);
    }

    static void set(OperationResult& result, Outcome outcome, std::string_view why) {
        result.outcome = outcome;
        result.why = why;
    }

    const Plan& plan_;
    LiveView view_;
    Journal* journal_;
    const RepairOptions& options_;
    RepairResult result_;
    std::unordered_map<std::string, std::size_t> places_;  // of the operations, by id
    std::size_t next_ = 0;
    std::uint64_t attempts_ = 0;
    std::uint64_t fails_ = 0;
    std::uint64_t attempted_writes_ = 0;
    // By address: another write to one would hide what became of the first.
    std::unordered_set<store::Bytes> rows_in_doubt_;
    ClaimLook claims_;
};

}  // namespace

audit::Readers readers_of(const Stores& stores) {
    audit::Readers readers;
    for (const auto& [name, access] : stores) readers[name] = access.reader;
    return readers;
}

RepairResult run_repair(const Plan& plan, const audit::Spec& spec, const Stores& stores,
                        Journal* journal, audit::Clock& clock, const RepairOptions& options) {
    store::ensure(!options.apply || journal != nullptr, "a repair that writes has a journal");
    check_fit(plan, spec, stores);
    Executor executor{plan, spec, stores, journal, options,
                      options.as_of_ms.value_or(clock.now_ms())};
    return executor.run();
}

}  // namespace idxfsck::repair
