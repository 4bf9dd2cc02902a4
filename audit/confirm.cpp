#include "audit/confirm.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_map>

#include "audit/confirm_moving.hpp"
#include "audit/look.hpp"
#include "audit/moments.hpp"
#include "audit/recall.hpp"

namespace idxfsck::audit {

namespace {

// Suspects that a worker confirms before the memory is looked at again: what they take over the
// budget is about 4 MB a worker.
constexpr std::size_t wave_batch_max = 1024;

store::Bytes claim_bytes(std::size_t index, const Entry& entry) {
    store::Bytes bytes;
    store::append_varint(bytes, index);
    append_entry_bytes(bytes, EntryLoan{entry}.view(), false);
    return bytes;
}

class Confirmer {
public:
    Confirmer(const ConfirmContext& context, const std::vector<Differences>& differences,
              const std::vector<bool>& silenced)
        : context_{context}, differences_{differences} {
        const std::size_t count = context.programs.indexes.size();
        result_.unverifiable.resize(count);
        result_.apart.resize(count);
        apart_.resize(count);
        result_.unconfirmed.resize(count);
        result_.suspects.resize(count);
        steady_.resize(count);
        moving_.resize(count);
        searched_.resize(count);
        for (std::size_t index = 0; index < count; ++index) {
            const bool steady =
                !context.resumed &&
                !looks_elsewhere(context.programs, context.readers, context.look_readers, index) &&
                shares_snapshot(context.programs, context.readers, index);
            apart_[index] = are_apart(context.programs, context.look_readers, index);
            steady_[index] = steady && !silenced[index];
            moving_[index] = !steady && !silenced[index];
            searched_[index] =
                steady_[index] && is_searched(context.programs, context.readers, index);
        }
    }

    Confirmation run() {
        // The rows of moving stores are recalled before anything is refreshed: a refresh would also
        // move the snapshots under the page books.
        MovingConfirmer moving{context_, moving_};
        moving.recall(differences_);
        confirm_steady();
        moving.look();
        for (std::size_t index = 0; index < steady_.size(); ++index) {
            result_.unverifiable[index] += moving.unverifiable()[index];
            result_.suspects[index] += moving.unverifiable()[index];
            result_.unconfirmed[index] += moving.unconfirmed()[index];
        }
        for (const Gap& gap : moving.gaps()) note_gap(gap);
        result_.pages_reread = moving.pages_reread();
        keep(std::move(moving.outcomes()));
        keep(std::move(steady_outcomes_));
        excuse_expiring();
        settle_divergent();
        return std::move(result_);
    }

private:
    void confirm_steady() {
        Included looked_at = steady_;
        for (std::size_t index = 0; index < searched_.size(); ++index) {
            if (searched_[index]) looked_at[index] = false;
        }
        look_and_take(damaged_suspects(context_.scan, looked_at));
        for (const ScanResult* scan : scans()) {
            Included of_scan = looked_at;
            for (std::size_t index = 0; index < of_scan.size(); ++index) {
                if (context_.scan_of_index[index] != scan) of_scan[index] = false;
            }
            confirm_placed(*scan, of_scan);
        }
        for (std::size_t index = 0; index < steady_.size(); ++index) {
            if (steady_[index] && !searched_[index]) confirm_carried(index);
        }
        const bool any = std::find(searched_.begin(), searched_.end(), true) != searched_.end();
        if (any) confirm_searched();
    }

    // Where a place in a table is found again only by reading the table, all places are looked for
    // in one walk over it.
    void confirm_searched() {
        PlacedDifferences placed{differences_, searched_};
        std::vector<Suspect> suspects = damaged_suspects(context_.scan, searched_);
        for (std::size_t index = 0; index < searched_.size(); ++index) {
            if (!searched_[index]) continue;
            auto carried =
                carried_suspects(context_.programs, index, differences_[index].carried());
            std::move(carried.begin(), carried.end(), std::back_inserter(suspects));
        }
        do {
            const std::vector<Wanted> now = placed.take(look_search_max);
            if (!now.empty()) recall_searched(now, suspects);
            look_and_take(suspects);
            suspects.clear();
        } while (!placed.done() && !context_.budget.exceeded());
        note_rest(placed);
    }

    void look_and_take(std::span<const Suspect> suspects) {
        std::vector<Gap> gaps;
        take(look_at_all(context_.programs, context_.readers, context_.pool, suspects, gaps));
        for (const Gap& gap : gaps) note_gap(gap);
    }

    void recall_searched(std::span<const Wanted> wanted, std::vector<Suspect>& suspects) {
        Recalled recalled =
            recall_tables(context_.programs, context_.readers, context_.pool,
                          walk_of(context_.programs, searched_, false), wanted, context_.seed);
        std::set<std::tuple<std::size_t, Side, std::uint64_t>> seen;
        for (Suspect& suspect : recalled.suspects) {
            seen.insert({suspect.index, suspect.side, suspect.mark});
            suspects.push_back(std::move(suspect));
        }
        for (const Wanted& want : wanted) {
            if (seen.contains({want.index, want.side, want.mark})) continue;
            ++result_.suspects[want.index];
            ++result_.unverifiable[want.index];
        }
        for (const Gap& gap : recalled.gaps) note_gap(gap);
    }

    // What the scan could not read is a gap already.
    void note_gap(const Gap& gap) {
        const auto is_in = [&](const std::vector<Gap>& known) {
            return std::find(known.begin(), known.end(), gap) != known.end();
        };
        if (!is_in(context_.scan.walk.gaps) && !is_in(result_.gaps)) result_.gaps.push_back(gap);
    }

    std::set<const ScanResult*> scans() const {
        return {context_.scan_of_index.begin(), context_.scan_of_index.end()};
    }

    using Batches = std::vector<std::vector<Outcome>>;

    // Recalls and judges batch by batch: never more than a few batches of rows in memory.
    void confirm_placed(const ScanResult& scan, const Included& included) {
        PlacedDifferences placed{differences_, included};
        // However little memory there is, some true examples.
        for (bool first = true; !placed.done() && (first || !context_.budget.exceeded());
             first = false) {
            Batches batches(context_.pool.workers());
            for (std::vector<Outcome>& batch : batches) {
                context_.pool.add([&, wanted = placed.take(wave_batch_max)](std::size_t) {
                    const auto suspects = recall_pages(context_.programs, context_.readers,
                                                       scan.workers, wanted, context_.seed);
                    batch = look_at(context_.programs, context_.readers, suspects);
                });
            }
            take_all(batches);
        }
        note_rest(placed);
    }

    void note_rest(const PlacedDifferences& placed) {
        const std::vector<std::uint64_t> rest = placed.rest();
        for (std::size_t index = 0; index < rest.size(); ++index) {
            result_.unconfirmed[index] += rest[index];
        }
    }

    void confirm_carried(std::size_t index) {
        std::span<const Unmatched> rest{differences_[index].carried()};
        for (bool first = true; !rest.empty() && (first || !context_.budget.exceeded());
             first = false) {
            Batches batches(context_.pool.workers());
            for (std::vector<Outcome>& batch : batches) {
                const auto entries = rest.first(std::min(rest.size(), wave_batch_max));
                rest = rest.subspan(entries.size());
                context_.pool.add([&, entries](std::size_t) {
                    batch = look_at(context_.programs, context_.readers,
                                    carried_suspects(context_.programs, index, entries));
                });
            }
            take_all(batches);
        }
        result_.unconfirmed[index] += rest.size();
    }

    void take_all(Batches& batches) {
        context_.pool.wait();
        for (std::vector<Outcome>& batch : batches) take(std::move(batch));
    }

    void take(std::vector<Outcome> outcomes) {
        for (Outcome& outcome : outcomes) {
            context_.budget.take(outcome_bytes(outcome));
            steady_outcomes_.push_back(std::make_unique<Outcome>(std::move(outcome)));
        }
    }

    // Without every base row, nobody can say that none derives an entry.
    bool base_complete(std::size_t index) const {
        const std::size_t table =
            context_.programs.bases[context_.programs.indexes[index].base].table;
        const store::Bytes& name = context_.programs.tables[table].schema.name;
        const PartitionCount& count = context_.scan.walk.partitions[table];
        if (!count.failed.empty()) return false;
        for (const auto& worker : context_.scan.workers) {
            if (worker->tables[table].rows_damaged > 0) return false;
        }
        return std::none_of(result_.gaps.begin(), result_.gaps.end(),
                            [&](const Gap& gap) { return gap.table == name; });
    }

    void keep(Outcomes outcomes) {
        for (std::unique_ptr<Outcome>& outcome : outcomes) {
            ++result_.suspects[outcome->index];
            const bool unsure =
                outcome->ruling == Ruling::unclaimed && !base_complete(outcome->index);
            const bool apart = apart_[outcome->index] && rests_on_both_sides(*outcome);
            if (apart) ++result_.apart[outcome->index];
            if (outcome->doubtful || unsure || apart) {
                ++result_.unverifiable[outcome->index];
            } else {
                result_.outcomes.push_back(std::move(outcome));
            }
        }
    }

    // An entry that does not tell its base row may be that of one which is about to expire: the
    // scan derives nothing from these. Where rows move, the second scan has asked them.
    void excuse_expiring() {
        std::vector<Wanted> asked;
        Included included(steady_.size());
        for (const auto& outcome : result_.outcomes) {
            if (outcome->ruling != Ruling::unclaimed || !expires(outcome->index)) continue;
            asked.push_back({{}, outcome->index, Side::base, outcome->mark});
            included[outcome->index] = true;
        }
        if (asked.empty()) return;
        const Recalled recalled =
            recall_tables(context_.programs, context_.readers, context_.pool,
                          walk_of(context_.programs, included, true), asked, context_.seed,
                          Derivers::also_expiring);
        std::set<std::pair<std::size_t, std::uint64_t>> derived;
        for (const Suspect& suspect : recalled.suspects) {
            derived.insert({suspect.index, suspect.mark});
        }
        for (const auto& outcome : result_.outcomes) {
            if (outcome->ruling != Ruling::unclaimed || !expires(outcome->index)) continue;
            const bool excused = derived.contains({outcome->index, outcome->mark});
            if (excused) outcome->ruling = Ruling::expiring;
        }
    }

    bool expires(std::size_t index) const {
        const CompiledBase& base = context_.programs.bases[context_.programs.indexes[index].base];
        return steady_[index] && base.program->spec().expires.given();
    }

    // An entry that does not tell its base row, but whose claim a base row was found to make with
    // other copies, is the other half of that divergent copy. The rest is a finding.
    void settle_divergent() {
        std::unordered_map<store::Bytes, Finding> divergent;
        const bool any = std::any_of(
            result_.outcomes.begin(), result_.outcomes.end(),
            [](const auto& outcome) { return outcome->ruling == Ruling::unclaimed; });
        if (!any) return;
        for (const auto& outcome : result_.outcomes) {
            if (outcome->ruling != Ruling::finding) continue;
            if (outcome->finding.kind != FindingKind::divergent_copy) continue;
            divergent.emplace(claim_bytes(outcome->index, outcome->finding.entry),
                              outcome->finding);
        }
        for (const auto& outcome : result_.outcomes) {
            if (outcome->ruling != Ruling::unclaimed) continue;
            outcome->ruling = Ruling::finding;
            const auto other = divergent.find(claim_bytes(outcome->index, outcome->finding.entry));
            if (other != divergent.end()) outcome->finding = other->second;
        }
    }

    const ConfirmContext& context_;
    const std::vector<Differences>& differences_;
    Included steady_;
    Included moving_;
    Included apart_;     // those whose two sides are looked at as of two moments
    Included searched_;  // those of the steady ones whose rows are read by scanning
    Outcomes steady_outcomes_;
    Confirmation result_;
};

}  // namespace

Confirmation confirm(const ConfirmContext& context, const std::vector<Differences>& differences,
                     const std::vector<bool>& silenced) {
    return Confirmer{context, differences, silenced}.run();
}

}  // namespace idxfsck::audit
