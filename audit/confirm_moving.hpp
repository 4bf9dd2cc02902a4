// audit/confirm_moving.hpp
//
// Confirmation of indexes whose base and entries are not seen at one moment: two looks, the settle
// time apart. Only what is the same in both, rows and ruling, is kept; the rest has moved and is
// settled. Entries that do not tell their base row are looked for by a second complete scan of the
// base table, begun after the settle time.
//
// Needs    recall() before anything is refreshed, then look().
// Threads  Belongs to one thread; works on the pool.

#pragma once

#include <vector>

#include "audit/confirm_context.hpp"
#include "audit/judge.hpp"
#include "audit/recall.hpp"

namespace idxfsck::audit {

class MovingConfirmer {
public:
    MovingConfirmer(const ConfirmContext& context, Included moving);

    void recall(const std::vector<std::vector<Unmatched>>& unmatched);
    void look();

    std::vector<Outcome>& outcomes() { return outcomes_; }
    const std::vector<std::uint64_t>& unverifiable() const { return unverifiable_; }
    const std::vector<Gap>& gaps() const { return gaps_; }

private:
    void note_lost(const std::vector<Wanted>& all, const RecalledTables& recalled);
    std::int64_t settle_ms() const;
    void wait_and_refresh(std::int64_t until_ms);
    void look_again(const std::vector<Suspect>& suspects, const std::vector<Outcome>& before);
    void look_from_base(const std::vector<Suspect>& suspects, std::vector<Outcome>& outcomes);

    const ConfirmContext& context_;
    Included moving_;
    std::vector<Suspect> suspects_;
    std::vector<Outcome> outcomes_;
    std::vector<std::uint64_t> unverifiable_;  // one an index
    std::vector<Gap> gaps_;                    // of the second scans
};

}  // namespace idxfsck::audit
