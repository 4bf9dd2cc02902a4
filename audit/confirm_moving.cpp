#include "audit/confirm_moving.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "audit/look.hpp"

namespace idxfsck::audit {

MovingConfirmer::MovingConfirmer(const ConfirmContext& context, Included moving)
    : context_{context}, moving_{std::move(moving)}, unverifiable_(moving_.size()) {}

void MovingConfirmer::recall(const std::vector<std::vector<Unmatched>>& unmatched) {
    const std::vector<Wanted> all = wanted_of(unmatched, moving_);
    suspects_ = damaged_suspects(context_.scan, moving_);
    auto carried = carried_suspects(context_.programs, unmatched, moving_);
    std::move(carried.begin(), carried.end(), std::back_inserter(suspects_));
    if (all.empty()) return;
    RecalledTables recalled =
        recall_tables(context_.programs, context_.readers, context_.pool,
                      walk_of(context_.programs, moving_, false), all, context_.seed);
    note_lost(all, recalled);
    std::move(recalled.suspects.begin(), recalled.suspects.end(),
              std::back_inserter(suspects_));
}

// A suspect that was not seen again is gone, if the whole table was read; else nobody knows.
void MovingConfirmer::note_lost(const std::vector<Wanted>& all, const RecalledTables& recalled) {
    std::set<std::tuple<std::size_t, Side, std::uint64_t>> seen;
    for (const Suspect& suspect : recalled.suspects) {
        seen.insert({suspect.index, suspect.side, suspect.mark});
    }
    for (const Wanted& want : all) {
        if (seen.contains({want.index, want.side, want.mark})) continue;
        if (recalled.gaps.empty()) {
            outcomes_.push_back({want.index, Ruling::settled, {}, false, want.mark});
        } else {
            ++unverifiable_[want.index];
        }
    }
    gaps_.insert(gaps_.end(), recalled.gaps.begin(), recalled.gaps.end());
}

std::int64_t MovingConfirmer::settle_ms() const {
    std::int64_t longest = 0;
    for (std::size_t index = 0; index < moving_.size(); ++index) {
        if (!moving_[index]) continue;
        const auto settle = context_.programs.indexes[index].program->spec().settle;
        longest = std::max<std::int64_t>(longest, settle.count());
    }
    return longest;
}

void MovingConfirmer::wait_and_refresh(std::int64_t until_ms) {
    context_.clock.wait_until(until_ms);
    for (store::Reader* reader : context_.refreshable) reader->refresh();
}

void MovingConfirmer::look() {
    if (suspects_.empty()) return;
    wait_and_refresh(context_.scan_end_ms + settle_ms());
    std::vector<Outcome> first =
        look_at_all(context_.programs, context_.readers, context_.pool, suspects_, gaps_);
    std::vector<Suspect> still;
    std::vector<Outcome> before;
    for (std::size_t position = 0; position < first.size(); ++position) {
        if (first[position].ruling == Ruling::settled) {
            outcomes_.push_back(std::move(first[position]));
        } else {
            still.push_back(suspects_[position]);
            before.push_back(std::move(first[position]));
        }
    }
    if (!still.empty()) look_again(still, before);
}

void MovingConfirmer::look_again(const std::vector<Suspect>& suspects,
                                 const std::vector<Outcome>& before) {
    wait_and_refresh(context_.clock.now_ms() + settle_ms());
    std::vector<Outcome> after =
        look_at_all(context_.programs, context_.readers, context_.pool, suspects, gaps_);
    for (std::size_t position = 0; position < after.size(); ++position) {
        Outcome& outcome = after[position];
        if (outcome.ruling != before[position].ruling ||
            outcome.finding != before[position].finding) {
            outcome.ruling = Ruling::settled;
        }
    }
    look_from_base(suspects, after);
    std::move(after.begin(), after.end(), std::back_inserter(outcomes_));
}

// The second complete scan of the base tables, for entries that do not tell their base row.
void MovingConfirmer::look_from_base(const std::vector<Suspect>& suspects,
                                     std::vector<Outcome>& outcomes) {
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
                      walk_of(context_.programs, included, true), asked, context_.seed);
    std::set<std::pair<std::size_t, std::uint64_t>> derived;
    for (const Suspect& suspect : recalled.suspects) {
        derived.insert({suspect.index, suspect.mark});
    }
    for (Outcome& outcome : outcomes) {
        if (outcome.ruling != Ruling::unclaimed) continue;
        if (derived.contains({outcome.index, outcome.mark})) outcome.ruling = Ruling::settled;
    }
    gaps_.insert(gaps_.end(), recalled.gaps.begin(), recalled.gaps.end());
}

}  // namespace idxfsck::audit
