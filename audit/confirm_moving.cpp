#include "audit/confirm_moving.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "audit/engines.hpp"
#include "audit/look.hpp"
#include "audit/moments.hpp"

namespace idxfsck::audit {

namespace {

// About what one suspect takes here: itself, two outcomes, and what recalling it needs.
constexpr std::uint64_t suspect_bytes = 6000;
// However little memory there is.
constexpr std::size_t suspects_min = 1024;

}  // namespace

MovingConfirmer::MovingConfirmer(const ConfirmContext& context, Included moving)
    : context_{context},
      moving_{std::move(moving)},
      unverifiable_(moving_.size()),
      unconfirmed_(moving_.size()),
      pages_reread_(context.programs.tables.size()) {}

void MovingConfirmer::recall(const std::vector<Differences>& differences) {
    const std::size_t room = context_.budget.room() / suspect_bytes;
    room_ = std::max<std::size_t>(room, suspects_min);
    suspects_ = damaged_suspects(context_.scan, moving_);
    recall_carried(differences);
    recall_free(differences);
    recall_metered(differences);
    context_.budget.take(suspects_.size() * suspect_bytes);
}

void MovingConfirmer::recall_carried(const std::vector<Differences>& differences) {
    for (std::size_t index = 0; index < moving_.size(); ++index) {
        if (!moving_[index]) continue;
        const std::span<const Unmatched> all{differences[index].carried()};
        const auto some = all.first(std::min(all.size(), room_));
        room_ -= some.size();
        unconfirmed_[index] += all.size() - some.size();
        auto suspects = carried_suspects(context_.programs, index, some);
        std::move(suspects.begin(), suspects.end(), std::back_inserter(suspects_));
    }
}

Included MovingConfirmer::included(bool metered) const {
    Included result = moving_;
    // Without page books, as of a scan that others did, whole tables must be read.
    const auto& workers = context_.scan.workers;
    const bool has_pages = std::any_of(workers.begin(), workers.end(), [](const auto& worker) {
        return worker->book.pages_count() > 0;
    });
    for (std::size_t index = 0; index < result.size(); ++index) {
        const bool by_page =
            has_pages && is_metered(context_.programs, context_.readers, index);
        if (by_page != metered) result[index] = false;
    }
    return result;
}

std::vector<Wanted> MovingConfirmer::take_wanted(const std::vector<Differences>& differences,
                                                 const Included& included) {
    PlacedDifferences placed{differences, included};
    std::vector<Wanted> wanted = placed.take(room_);
    room_ -= wanted.size();
    const std::vector<std::uint64_t> rest = placed.rest();
    for (std::size_t index = 0; index < rest.size(); ++index) unconfirmed_[index] += rest[index];
    return wanted;
}

void MovingConfirmer::recall_free(const std::vector<Differences>& differences) {
    const Included free = included(false);
    const std::vector<Wanted> wanted = take_wanted(differences, free);
    if (wanted.empty()) return;
    keep_recalled(wanted, recall_tables(context_.programs, context_.readers, context_.pool,
                                        walk_of(context_.programs, free, false), wanted,
                                        context_.seed));
}

// A metered table is not scanned twice: only the pages in which the differences lay.
void MovingConfirmer::recall_metered(const std::vector<Differences>& differences) {
    const std::vector<Wanted> wanted = take_wanted(differences, included(true));
    if (wanted.empty()) return;
    Recalled recalled = recall_places(context_.programs, context_.readers, context_.pool,
                                      context_.scan.workers, wanted, context_.seed);
    pages_reread_ = recalled.pages;
    keep_recalled(wanted, std::move(recalled));
}

// A suspect that was not seen again is gone, if all was read where it could be; else nobody knows.
void MovingConfirmer::keep_recalled(const std::vector<Wanted>& all, Recalled recalled) {
    std::set<std::tuple<std::size_t, Side, std::uint64_t>> seen;
    for (const Suspect& suspect : recalled.suspects) {
        seen.insert({suspect.index, suspect.side, suspect.mark});
    }
    std::sort(recalled.unknown.begin(), recalled.unknown.end());
    // A gap of whole tables could hold any of them; one of single pages is told by `unknown`.
    const bool whole = recalled.gaps.empty() || !recalled.pages.empty();
    for (const Wanted& want : all) {
        if (seen.contains({want.index, want.side, want.mark})) continue;
        const bool unknown =
            std::binary_search(recalled.unknown.begin(), recalled.unknown.end(), want);
        if (whole && !unknown) {
            outcomes_.push_back(std::make_unique<Outcome>(
                Outcome{want.index, Ruling::settled, {}, false, want.mark}));
        } else {
            ++unverifiable_[want.index];
        }
    }
    gaps_.insert(gaps_.end(), recalled.gaps.begin(), recalled.gaps.end());
    std::move(recalled.suspects.begin(), recalled.suspects.end(), std::back_inserter(suspects_));
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

// The settle time begins when the later of the two sides was seen: of exports, that of the later
// one, so that what lies between them widens it. A time that is yet to come is not believed.
std::int64_t MovingConfirmer::first_look_ms() const {
    std::int64_t latest = 0;
    for (std::size_t index = 0; index < moving_.size(); ++index) {
        if (!moving_[index]) continue;
        const Moments seen = moments_of(context_.programs, context_.readers, index);
        const std::int64_t seen_ms =
            std::max(seen.base_ms.value_or(context_.scan_end_ms),
                     seen.index_ms.value_or(context_.scan_end_ms));
        const auto settle = context_.programs.indexes[index].program->spec().settle;
        latest = std::max<std::int64_t>(
            latest, std::min(seen_ms, context_.scan_end_ms) + settle.count());
    }
    return latest;
}

void MovingConfirmer::wait_and_refresh(std::int64_t until_ms) {
    context_.clock.wait_until(until_ms);
    for (store::Reader* reader : context_.refreshable) reader->refresh();
}

void MovingConfirmer::look() {
    if (suspects_.empty()) return;
    wait_and_refresh(first_look_ms());
    std::vector<Outcome> first =
        look_at_all(context_.programs, context_.look_readers, context_.pool, suspects_, gaps_);
    std::vector<Suspect> still;
    std::vector<Outcome> before;
    for (std::size_t position = 0; position < first.size(); ++position) {
        if (first[position].ruling == Ruling::settled) {
            outcomes_.push_back(std::make_unique<Outcome>(std::move(first[position])));
        } else {
            still.push_back(suspects_[position]);
            before.push_back(std::move(first[position]));
        }
    }
    if (still.empty()) return;
    if (anything_moves()) return look_again(still, before);
    for (Outcome& outcome : before) {
        outcomes_.push_back(std::make_unique<Outcome>(std::move(outcome)));
    }
}

// Exports stay as they are: a second look shows what the first one did.
bool MovingConfirmer::anything_moves() const {
    for (std::size_t index = 0; index < moving_.size(); ++index) {
        const Moments now = moments_of(context_.programs, context_.look_readers, index);
        if (moving_[index] && (!now.base_ms || !now.index_ms)) return true;
    }
    return false;
}

void MovingConfirmer::look_again(const std::vector<Suspect>& suspects,
                                 const std::vector<Outcome>& before) {
    wait_and_refresh(context_.clock.now_ms() + settle_ms());
    std::vector<Outcome> after =
        look_at_all(context_.programs, context_.look_readers, context_.pool, suspects, gaps_);
    for (std::size_t position = 0; position < after.size(); ++position) {
        Outcome& outcome = after[position];
        if (outcome.ruling != before[position].ruling ||
            outcome.finding != before[position].finding) {
            outcome.ruling = Ruling::settled;
        }
    }
    look_from_base(suspects, after);
    for (Outcome& outcome : after) {
        outcomes_.push_back(std::make_unique<Outcome>(std::move(outcome)));
    }
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
    const Recalled recalled =
        recall_tables(context_.programs, context_.look_readers, context_.pool,
                      walk_of(context_.programs, included, true), asked, context_.seed,
                      Derivers::also_expiring);
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
