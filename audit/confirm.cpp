#include "audit/confirm.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>

#include "audit/look.hpp"
#include "audit/recall.hpp"

namespace idxfsck::audit {

namespace {

std::vector<Suspect> damaged_suspects(const ScanResult& scan, const std::vector<bool>& included) {
    std::vector<Suspect> suspects;
    for (const auto& worker : scan.workers) {
        for (const DamagedRow& row : worker->damaged) {
            if (!included[row.index]) continue;
            suspects.push_back({row.index, row.side, true, {}, row.key, 0});
        }
    }
    return suspects;
}

store::Bytes claim_bytes(std::size_t index, const Entry& entry) {
    store::Bytes bytes;
    store::append_varint(bytes, index);
    append_entry_bytes(bytes, EntryLoan{entry}.view(), false);
    return bytes;
}

class Confirmer {
public:
    Confirmer(const ConfirmContext& context, const std::vector<std::vector<Unmatched>>& unmatched,
              const std::vector<bool>& silenced)
        : context_{context}, unmatched_{unmatched} {
        const std::size_t count = context.programs.indexes.size();
        result_.unverifiable.resize(count);
        steady_.resize(count);
        moving_.resize(count);
        for (std::size_t index = 0; index < count; ++index) {
            const bool steady = shares_snapshot(context.programs, context.readers, index);
            steady_[index] = steady && !silenced[index];
            moving_[index] = !steady && !silenced[index];
        }
    }

    Confirmation run() {
        // The rows of moving stores are recalled before anything is refreshed: a refresh would also
        // move the snapshots under the page books.
        std::vector<Suspect> moving = recall_moving();
        confirm_steady();
        if (!moving.empty()) confirm_moving(moving);
        settle_divergent();
        return std::move(result_);
    }

private:
    std::vector<Wanted> wanted(const std::vector<bool>& included) const {
        std::vector<Wanted> result;
        for (std::size_t index = 0; index < unmatched_.size(); ++index) {
            if (!included[index]) continue;
            for (const Unmatched& entry : unmatched_[index]) {
                result.push_back({entry.place, index, entry.side, entry.mark});
            }
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    // Recalls and judges batch by batch: never more than a few batches of rows in memory.
    void confirm_steady() {
        const std::vector<Wanted> all = wanted(steady_);
        std::vector<std::vector<Outcome>> batches((all.size() + look_batch_max - 1) /
                                                  look_batch_max);
        for (std::size_t batch = 0; batch < batches.size(); ++batch) {
            const std::size_t first = batch * look_batch_max;
            const std::size_t count = std::min(look_batch_max, all.size() - first);
            context_.pool.add([&, batch, first, count](std::size_t) {
                const auto suspects =
                    recall_pages(context_.programs, context_.readers, context_.scan.workers,
                                 std::span{all}.subspan(first, count), context_.seed);
                batches[batch] = look_at(context_.programs, context_.readers, suspects);
            });
        }
        context_.pool.wait();
        for (auto& batch : batches) keep(std::move(batch));
        keep(look_at_all(context_.programs, context_.readers, context_.pool,
                         damaged_suspects(context_.scan, steady_)));
    }

    std::vector<Suspect> recall_moving() {
        const std::vector<Wanted> all = wanted(moving_);
        std::vector<Suspect> suspects = damaged_suspects(context_.scan, moving_);
        if (all.empty()) return suspects;
        RecalledTables recalled = recall_tables(context_.programs, context_.readers, context_.pool,
                                                settings_of(moving_, false), all, context_.seed);
        note_lost(all, recalled);
        std::move(recalled.suspects.begin(), recalled.suspects.end(), std::back_inserter(suspects));
        return suspects;
    }

    // A suspect that was not seen again is gone, if the whole table was read; else nobody knows.
    void note_lost(const std::vector<Wanted>& all, const RecalledTables& recalled) {
        std::set<std::tuple<std::size_t, Side, std::uint64_t>> seen;
        for (const Suspect& suspect : recalled.suspects) {
            seen.insert({suspect.index, suspect.side, suspect.mark});
        }
        for (const Wanted& want : all) {
            if (seen.contains({want.index, want.side, want.mark})) continue;
            if (recalled.gaps.empty()) {
                result_.outcomes.push_back({want.index, Ruling::settled, {}, false, want.mark});
            } else {
                ++result_.unverifiable[want.index];
            }
        }
        result_.gaps.insert(result_.gaps.end(), recalled.gaps.begin(), recalled.gaps.end());
    }

    WalkSettings settings_of(const std::vector<bool>& included, bool bases_only) const {
        std::set<std::size_t> tables;
        for (std::size_t index = 0; index < included.size(); ++index) {
            if (!included[index]) continue;
            const CompiledIndex& compiled = context_.programs.indexes[index];
            tables.insert(context_.programs.bases[compiled.base].table);
            if (!bases_only) tables.insert(compiled.table);
        }
        WalkSettings settings;
        settings.tables.assign(tables.begin(), tables.end());
        return settings;
    }

    std::int64_t settle_ms() const {
        std::int64_t longest = 0;
        for (std::size_t index = 0; index < moving_.size(); ++index) {
            if (!moving_[index]) continue;
            const auto settle = context_.programs.indexes[index].program->spec().settle;
            longest = std::max<std::int64_t>(longest, settle.count());
        }
        return longest;
    }

    void wait_and_refresh(std::int64_t until_ms) {
        context_.clock.wait_until(until_ms);
        for (store::Reader* reader : context_.refreshable) reader->refresh();
    }

    void confirm_moving(const std::vector<Suspect>& suspects) {
        wait_and_refresh(context_.scan_end_ms + settle_ms());
        std::vector<Outcome> first =
            look_at_all(context_.programs, context_.readers, context_.pool, suspects);
        std::vector<Outcome> outcomes;
        std::vector<Suspect> still;
        std::vector<Outcome> before;
        for (std::size_t position = 0; position < first.size(); ++position) {
            if (first[position].ruling == Ruling::settled) {
                outcomes.push_back(std::move(first[position]));
            } else {
                still.push_back(suspects[position]);
                before.push_back(std::move(first[position]));
            }
        }
        if (!still.empty()) look_again(still, before, outcomes);
        keep(std::move(outcomes));
    }

    void look_again(const std::vector<Suspect>& suspects, const std::vector<Outcome>& before,
                    std::vector<Outcome>& outcomes) {
        wait_and_refresh(context_.clock.now_ms() + settle_ms());
        std::vector<Outcome> after =
            look_at_all(context_.programs, context_.readers, context_.pool, suspects);
        for (std::size_t position = 0; position < after.size(); ++position) {
            Outcome& outcome = after[position];
            if (outcome.ruling != before[position].ruling ||
                outcome.finding != before[position].finding) {
                outcome.ruling = Ruling::settled;
            }
        }
        look_from_base(suspects, after);
        std::move(after.begin(), after.end(), std::back_inserter(outcomes));
    }

    // The second complete scan of the base tables, for entries that do not tell their base row.
    void look_from_base(const std::vector<Suspect>& suspects, std::vector<Outcome>& outcomes) {
        std::vector<Wanted> asked;
        std::vector<bool> included(context_.programs.indexes.size());
        for (std::size_t position = 0; position < outcomes.size(); ++position) {
            if (outcomes[position].ruling != Ruling::unclaimed) continue;
            const Suspect& suspect = suspects[position];
            asked.push_back({{}, suspect.index, Side::base, suspect.mark});
            included[suspect.index] = true;
        }
        if (asked.empty()) return;
        const RecalledTables recalled =
            recall_tables(context_.programs, context_.readers, context_.pool,
                          settings_of(included, true), asked, context_.seed);
        std::set<std::pair<std::size_t, std::uint64_t>> derived;
        for (const Suspect& suspect : recalled.suspects) {
            derived.insert({suspect.index, suspect.mark});
        }
        for (Outcome& outcome : outcomes) {
            if (outcome.ruling != Ruling::unclaimed) continue;
            if (derived.contains({outcome.index, outcome.mark})) outcome.ruling = Ruling::settled;
        }
        result_.gaps.insert(result_.gaps.end(), recalled.gaps.begin(), recalled.gaps.end());
    }

    // Without every base row, nobody can say that none derives an entry.
    bool base_complete(std::size_t index) const {
        const std::size_t table =
            context_.programs.bases[context_.programs.indexes[index].base].table;
        const store::Bytes& name = context_.programs.tables[table].schema.name;
        const PartitionCount& count = context_.scan.walk.partitions[table];
        if (count.read < count.cut) return false;
        for (const auto& worker : context_.scan.workers) {
            if (worker->tables[table].rows_damaged > 0) return false;
        }
        return std::none_of(result_.gaps.begin(), result_.gaps.end(),
                            [&](const Gap& gap) { return gap.table == name; });
    }

    void keep(std::vector<Outcome> outcomes) {
        for (Outcome& outcome : outcomes) {
            if (outcome.ruling == Ruling::unclaimed && !base_complete(outcome.index)) {
                ++result_.unverifiable[outcome.index];
            } else {
                result_.outcomes.push_back(std::move(outcome));
            }
        }
    }

    // An entry that does not tell its base row, but whose claim a base row was found to make with
    // other copies, is the other half of that divergent copy. The rest is a finding.
    void settle_divergent() {
        std::unordered_map<store::Bytes, Finding> divergent;
        for (const Outcome& outcome : result_.outcomes) {
            if (outcome.ruling != Ruling::finding) continue;
            if (outcome.finding.kind != FindingKind::divergent_copy) continue;
            divergent.emplace(claim_bytes(outcome.index, outcome.finding.entry), outcome.finding);
        }
        for (Outcome& outcome : result_.outcomes) {
            if (outcome.ruling != Ruling::unclaimed) continue;
            outcome.ruling = Ruling::finding;
            const auto other = divergent.find(claim_bytes(outcome.index, outcome.finding.entry));
            if (other != divergent.end()) outcome.finding = other->second;
        }
    }

    const ConfirmContext& context_;
    const std::vector<std::vector<Unmatched>>& unmatched_;
    std::vector<bool> steady_;
    std::vector<bool> moving_;
    Confirmation result_;
};

}  // namespace

bool shares_snapshot(const Programs& programs, const TableReaders& readers, std::size_t index) {
    const CompiledIndex& compiled = programs.indexes[index];
    const store::Reader* const of_base = readers[programs.bases[compiled.base].table];
    return of_base == readers[compiled.table] && of_base->capabilities().snapshot;
}

Confirmation confirm(const ConfirmContext& context,
                     const std::vector<std::vector<Unmatched>>& unmatched,
                     const std::vector<bool>& silenced) {
    return Confirmer{context, unmatched, silenced}.run();
}

}  // namespace idxfsck::audit
