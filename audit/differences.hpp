// audit/differences.hpp
//
// All that does not cancel of one index, small: 16 bytes for an entry that has a place, its bytes
// for one that was carried. A fifth of ten million entries must fit into memory.
//
// Threads  A plain value.

#pragma once

#include <deque>
#include <vector>

#include "audit/memory_budget.hpp"
#include "audit/reconcile.hpp"
#include "audit/suspect.hpp"

namespace idxfsck::audit {

class Differences {
public:
    void add(std::vector<Unmatched> part, MemoryBudget& budget);
    // Into one order, whatever order the parts came in; what stands twice in it is kept once.
    void sort(MemoryBudget& budget);
    void clear(MemoryBudget& budget);

    std::size_t size() const { return placed_.size() + carried_.size(); }
    // How many were added, with those that sort() dropped.
    std::size_t found_count() const { return found_count_; }
    std::size_t placed_count() const { return placed_.size(); }
    // The one at `position`, in order of place.
    Wanted placed(std::size_t position, std::size_t index) const;
    // In order of side and bytes.
    const std::vector<Unmatched>& carried() const { return carried_; }

private:
    struct Placed {
        std::uint64_t place = 0;  // its top bit is the side
        std::uint64_t mark = 0;

        friend auto operator<=>(const Placed&, const Placed&) = default;
    };

    // A deque: growing a vector would hold all of it twice.
    std::deque<Placed> placed_;
    std::vector<Unmatched> carried_;
    std::uint64_t bytes_ = 0;  // taken from the budget
    std::size_t found_count_ = 0;
};

}  // namespace idxfsck::audit
