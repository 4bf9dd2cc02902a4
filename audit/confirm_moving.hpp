// audit/confirm_moving.hpp
//
// Confirmation of indexes whose base and entries are not seen at one moment: two looks, the settle
// time apart. Only what is the same in both, rows and ruling, is kept; the rest has moved and is
// settled. Entries that do not tell their base row are looked for by a second complete scan of the
// base table, begun after the settle time.
//
// Where the scan was of exports and the spec names the live store, both looks are there. Without it
// there is one look, as of the exports.
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

    void recall(const std::vector<Differences>& differences);
    void look();

    Outcomes& outcomes() { return outcomes_; }
    const std::vector<std::uint64_t>& unverifiable() const { return unverifiable_; }
    const std::vector<std::uint64_t>& unconfirmed() const { return unconfirmed_; }
    const std::vector<std::uint64_t>& pages_reread() const { return pages_reread_; }
    const std::vector<Gap>& gaps() const { return gaps_; }

private:
    // Those whose tables may be scanned again, or of which only pages may be read.
    Included included(bool metered) const;
    std::vector<Wanted> take_wanted(const std::vector<Differences>& differences,
                                    const Included& included);
    void recall_carried(const std::vector<Differences>& differences);
    void recall_free(const std::vector<Differences>& differences);
    void recall_metered(const std::vector<Differences>& differences);
    void keep_recalled(const std::vector<Wanted>& all, Recalled recalled);
    std::int64_t settle_ms() const;
    std::int64_t first_look_ms() const;
    bool anything_moves() const;
    void wait_and_refresh(std::int64_t until_ms);
    void look_again(const std::vector<Suspect>& suspects, const std::vector<Outcome>& before);
    void look_from_base(const std::vector<Suspect>& suspects, std::vector<Outcome>& outcomes);

    const ConfirmContext& context_;
    Included moving_;
    std::vector<Suspect> suspects_;
    Outcomes outcomes_;
    std::size_t room_ = 0;                     // for so many suspects more
    std::vector<std::uint64_t> unverifiable_;  // one an index
    std::vector<std::uint64_t> unconfirmed_;   // one an index: there was no room for them
    std::vector<std::uint64_t> pages_reread_;  // one a table
    std::vector<Gap> gaps_;                    // of the second scans
};

}  // namespace idxfsck::audit
