#include "audit/conclude.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "audit/slot.hpp"
#include "audit/winner.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::audit {

namespace {

using Claims = Outcomes;

// Base rows by the order of their keys.
struct KeyOrder {
    bool operator()(const store::Key& a, const store::Key& b) const {
        return store::encode_key(a) < store::encode_key(b);
    }
};

bool outcome_order(const std::unique_ptr<Outcome>& left, const std::unique_ptr<Outcome>& right) {
    const Outcome& a = *left;
    const Outcome& b = *right;
    if (a.index != b.index) return a.index < b.index;
    if (a.ruling != b.ruling) return a.ruling < b.ruling;
    if (a.finding.id != b.finding.id) return a.finding.id < b.finding.id;
    return report_order(a.finding, b.finding);
}

std::string severity_of(const IndexSpec& spec, FindingKind kind) {
    const auto named = spec.severities.find(std::string{kind_name(kind)});
    return named == spec.severities.end() ? spec.severity : named->second;
}

bool is_conflict(const Finding& finding) {
    return finding.kind == FindingKind::duplicate_claim || finding.kind == FindingKind::collision;
}

class Concluder {
public:
    Concluder(const Programs& programs, Outcomes outcomes)
        : programs_{programs}, outcomes_{std::move(outcomes)} {
        const std::size_t count = programs.indexes.size();
        result_.settled.resize(count);
        for (auto* counts :
             {&result_.shared, &result_.legacy, &result_.uncovered, &result_.expiring}) {
            counts->resize(count);
        }
        result_.accounted.resize(count);
        result_.moves.resize(count);
        std::sort(outcomes_.begin(), outcomes_.end(), outcome_order);
    }

    Conclusion run() {
        sort_by_place();
        outcomes_.clear();
        for (auto& [slot, of_slot] : places_) {
            conclude_place(of_slot);
            of_slot.clear();
        }
        places_.clear();
        put_in_order();
        link_moves();
        return std::move(result_);
    }

private:
    // Of findings of one id, the first. Each is freed as it goes into the result.
    void put_in_order() {
        std::stable_sort(kept_.begin(), kept_.end(),
                         [](const auto& a, const auto& b) { return a->id < b->id; });
        kept_.erase(std::unique(kept_.begin(), kept_.end(),
                                [](const auto& a, const auto& b) { return a->id == b->id; }),
                    kept_.end());
        std::sort(kept_.begin(), kept_.end(),
                  [](const auto& a, const auto& b) { return report_order(*a, *b); });
        result_.findings.reserve(kept_.size());
        for (std::unique_ptr<Finding>& finding : kept_) {
            result_.findings.push_back(std::move(*finding));
            finding.reset();
        }
    }

    // Base-side findings that compete for one place of an index.
    void sort_by_place() {
        for (std::unique_ptr<Outcome>& held : outcomes_) {
            Outcome& outcome = *held;
            if (outcome.ruling == Ruling::settled) {
                ++result_.settled[outcome.index];
            } else if (is_excused(outcome.ruling)) {
                ++excused(outcome.ruling)[outcome.index];
            } else if (competes(outcome)) {
                const IndexSpec& spec = programs_.indexes[outcome.index].program->spec();
                places_[slot_of(spec, outcome.finding.entry)].push_back(std::move(held));
            } else {
                keep(outcome.index, std::move(outcome.finding));
            }
            held.reset();
        }
    }

    std::vector<std::uint64_t>& excused(Ruling ruling) {
        switch (ruling) {
            case Ruling::legacy: return result_.legacy;
            case Ruling::uncovered: return result_.uncovered;
            case Ruling::expiring: return result_.expiring;
            default: return result_.shared;
        }
    }

    static bool competes(const Outcome& outcome) {
        return outcome.ruling == Ruling::claim || is_conflict(outcome.finding) ||
               outcome.finding.kind == FindingKind::orphaned_write;
    }

    void conclude_place(const Claims& of_place) {
        const IndexSpec& spec = programs_.indexes[of_place.front()->index].program->spec();
        std::set<store::Key, KeyOrder> claimants;
        for (const auto& outcome : of_place) {
            claimants.insert(outcome->finding.claimants.begin(), outcome->finding.claimants.end());
            claimants.insert(outcome->finding.base->key);
        }
        if (claimants.size() == 1) return conclude_single(of_place);
        if (spec.lossy) return conclude_lossy(of_place, *claimants.begin());
        keep_conflict(spec, of_place, {claimants.begin(), claimants.end()});
    }

    // One base row, though it may have been suspected more than once.
    void conclude_single(const Claims& of_place) {
        for (const auto& outcome : of_place) {
            if (outcome->ruling == Ruling::claim && outcome->entry_there) {
                ++result_.settled[outcome->index];
            } else {
                keep(outcome->index, std::move(outcome->finding));
            }
        }
    }

    // Any one of them will do: that of the first is missing, the others would share it.
    void conclude_lossy(const Claims& of_place, const store::Key& first) {
        for (const auto& outcome : of_place) {
            if (outcome->finding.base->key == first) {
                keep(outcome->index, std::move(outcome->finding));
            } else {
                ++result_.shared[outcome->index];
            }
        }
    }

    void keep_conflict(const IndexSpec& spec, const Claims& of_place,
                       std::vector<store::Key> claimants) {
        Finding conflict = of_place.front()->finding;
        for (const auto& outcome : of_place) {
            if (outcome->finding.holder) conflict.holder = outcome->finding.holder;
            result_.accounted[outcome->index] += 1;
        }
        conflict.kind = spec.unique ? FindingKind::duplicate_claim : FindingKind::collision;
        conflict.reason = Reason::none;
        conflict.entry.pointer.clear();
        conflict.base.reset();
        conflict.holder_row.reset();
        conflict.claimants = std::move(claimants);
        set_id(conflict);
        if (spec.winner.wins != Wins::nobody) decide_by_rule(spec, of_place, conflict);
        conflict.severity = severity_of(spec, conflict.kind);
        kept_.push_back(std::make_unique<Finding>(std::move(conflict)));
    }

    // Every claimant must have what the rule compares, and one must win against all others.
    static void decide_by_rule(const IndexSpec& spec, const Claims& of_place,
                               Finding& conflict) {
        std::map<store::Key, std::pair<store::Value, const Outcome*>, KeyOrder> by_key;
        for (const auto& outcome : of_place) {
            by_key[outcome->finding.base->key] = {outcome->rank, outcome.get()};
        }
        for (const auto& outcome : of_place) {
            if (!outcome->finding.holder) continue;
            by_key.try_emplace(*outcome->finding.holder, outcome->holder_rank, nullptr);
            conflict.holder_row = outcome->finding.holder_row;
        }
        std::vector<store::Value> ranks;
        for (const auto& [key, claimant] : by_key) ranks.push_back(claimant.first);
        const auto place = winner_of(spec.winner, ranks);
        if (!place || ranks.size() != conflict.claimants.size()) return;
        const auto& [key, claimant] = *std::next(by_key.begin(), static_cast<long>(*place));
        conflict.winner = key;
        if (claimant.second == nullptr) return;  // it has the key already
        conflict.base = claimant.second->finding.base;
        conflict.entry = claimant.second->finding.entry;
    }

    void keep(std::size_t index, Finding finding) {
        ++result_.accounted[index];
        finding.severity = severity_of(programs_.indexes[index].program->spec(), finding.kind);
        kept_.push_back(std::make_unique<Finding>(std::move(finding)));
    }

    // A value that changed shows twice: the old entry is stale, the new one missing. The first of
    // the ones goes with the first of the others, in report order.
    void link_moves() {
        std::map<std::pair<std::string, store::Bytes>, std::vector<Finding*>> orphans;
        for (Finding& finding : result_.findings) {
            if (finding.kind == FindingKind::orphaned_write) {
                orphans[family_and_base(finding)].push_back(&finding);
            }
        }
        for (Finding& finding : result_.findings) {
            if (finding.reason != Reason::value_changed) continue;
            const auto place = orphans.find(family_and_base(finding));
            if (place == orphans.end() || place->second.empty()) continue;
            Finding& orphan = *place->second.front();
            place->second.erase(place->second.begin());
            finding.linked = orphan.id;
            orphan.linked = finding.id;
            ++result_.moves[index_of(finding.index)];
        }
    }

    // An entry under an older key version moves to one under the current.
    std::pair<std::string, store::Bytes> family_and_base(const Finding& finding) const {
        const IndexSpec& spec = programs_.indexes[index_of(finding.index)].program->spec();
        return {spec.family(), store::encode_key(finding.base->key)};
    }

    std::size_t index_of(const std::string& name) const {
        std::size_t index = 0;
        while (programs_.indexes[index].program->spec().name != name) ++index;
        return index;
    }

    const Programs& programs_;
    Outcomes outcomes_;
    std::map<store::Bytes, Claims> places_;
    std::vector<std::unique_ptr<Finding>> kept_;
    Conclusion result_;
};

}  // namespace

Conclusion conclude(const Programs& programs, Outcomes outcomes) {
    return Concluder{programs, std::move(outcomes)}.run();
}

}  // namespace idxfsck::audit
