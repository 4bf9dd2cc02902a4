#include "audit/confirm.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_map>

#include "audit/confirm_moving.hpp"
#include "audit/look.hpp"
#include "audit/recall.hpp"

namespace idxfsck::audit {

namespace {

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
        result_.suspects.resize(count);
        steady_.resize(count);
        moving_.resize(count);
        searched_.resize(count);
        for (std::size_t index = 0; index < count; ++index) {
            const bool steady =
                !context.resumed && shares_snapshot(context.programs, context.readers, index);
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
        moving.recall(unmatched_);
        confirm_steady();
        moving.look();
        for (std::size_t index = 0; index < steady_.size(); ++index) {
            result_.unverifiable[index] += moving.unverifiable()[index];
            result_.suspects[index] += moving.unverifiable()[index];
        }
        for (const Gap& gap : moving.gaps()) note_gap(gap);
        keep(std::move(moving.outcomes()));
        for (auto& batch : steady_batches_) keep(std::move(batch));
        settle_divergent();
        return std::move(result_);
    }

private:
    // Recalls and judges batch by batch: never more than a few batches of rows in memory.
    void confirm_steady() {
        for (const ScanResult* scan : scans()) {
            Included of_scan = steady_;
            for (std::size_t index = 0; index < of_scan.size(); ++index) {
                if (context_.scan_of_index[index] != scan) of_scan[index] = false;
                if (searched_[index]) of_scan[index] = false;
            }
            confirm_recalled(*scan, wanted_of(unmatched_, of_scan));
        }
        std::vector<Suspect> suspects = damaged_suspects(context_.scan, steady_);
        auto carried = carried_suspects(context_.programs, unmatched_, steady_);
        std::move(carried.begin(), carried.end(), std::back_inserter(suspects));
        confirm_searched(std::move(suspects));
    }

    // Where a place in a table is found again only by reading the table, all places are looked for
    // in one walk over it.
    void confirm_searched(std::vector<Suspect> suspects) {
        const std::vector<Wanted> all = wanted_of(unmatched_, searched_);
        std::span<const Wanted> left{all};
        do {
            const auto now = left.first(std::min(look_search_max, left.size()));
            left = left.subspan(now.size());
            if (!now.empty()) recall_searched(now, suspects);
            std::vector<Gap> gaps;
            steady_batches_.push_back(look_at_all(context_.programs, context_.readers,
                                                  context_.pool, suspects, gaps));
            for (const Gap& gap : gaps) note_gap(gap);
            suspects.clear();
        } while (!left.empty());
    }

    void recall_searched(std::span<const Wanted> wanted, std::vector<Suspect>& suspects) {
        RecalledTables recalled =
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

    void confirm_recalled(const ScanResult& scan, const std::vector<Wanted>& all) {
        const std::size_t begin = steady_batches_.size();
        const std::size_t batches = (all.size() + look_batch_max - 1) / look_batch_max;
        steady_batches_.resize(begin + batches);
        for (std::size_t batch = 0; batch < batches; ++batch) {
            const std::size_t first = batch * look_batch_max;
            const std::size_t count = std::min(look_batch_max, all.size() - first);
            context_.pool.add([&, begin, batch, first, count](std::size_t) {
                const auto suspects =
                    recall_pages(context_.programs, context_.readers, scan.workers,
                                 std::span{all}.subspan(first, count), context_.seed);
                steady_batches_[begin + batch] =
                    look_at(context_.programs, context_.readers, suspects);
            });
        }
        context_.pool.wait();
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

    void keep(std::vector<Outcome> outcomes) {
        for (Outcome& outcome : outcomes) {
            ++result_.suspects[outcome.index];
            const bool unsure =
                outcome.ruling == Ruling::unclaimed && !base_complete(outcome.index);
            if (outcome.doubtful || unsure) {
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
    Included steady_;
    Included moving_;
    Included searched_;  // those of the steady ones whose rows are read by scanning
    std::vector<std::vector<Outcome>> steady_batches_;
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
