#include "audit/confirm.hpp"

#include <algorithm>
#include <set>
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
        for (std::size_t index = 0; index < count; ++index) {
            const bool steady =
                !context.resumed && shares_snapshot(context.programs, context.readers, index);
            steady_[index] = steady && !silenced[index];
            moving_[index] = !steady && !silenced[index];
        }
    }

    Confirmation run() {
        // The rows of moving stores are recalled before anything is refreshed: a refresh would also
        // move the snapshots under the page books.
        MovingConfirmer moving{context_, moving_};
        moving.recall(unmatched_);
        confirm_steady();
        moving.look();
        result_.gaps = moving.gaps();
        result_.unverifiable = moving.unverifiable();
        result_.suspects = moving.unverifiable();
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
            }
            confirm_recalled(*scan, wanted_of(unmatched_, of_scan));
        }
        for (auto& suspects : {damaged_suspects(context_.scan, steady_),
                               carried_suspects(context_.programs, unmatched_, steady_)}) {
            steady_batches_.push_back(
                look_at_all(context_.programs, context_.readers, context_.pool, suspects));
        }
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
    Included steady_;
    Included moving_;
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
