#include "audit/differences.hpp"

#include <algorithm>
#include <iterator>

#include "audit/match.hpp"

namespace idxfsck::audit {

namespace {

constexpr std::uint64_t side_mask = side_bit(Side::index);

}  // namespace

void Differences::add(std::vector<Unmatched> part, MemoryBudget& budget) {
    std::uint64_t bytes = 0;
    found_count_ += part.size();
    for (Unmatched& entry : part) {
        if (entry.entry.empty()) {
            placed_.push_back({entry.place.value | side_bit(entry.side), entry.mark});
            bytes += sizeof(Placed);
        } else {
            bytes += sizeof(Unmatched) + entry.entry.capacity();
            carried_.push_back(std::move(entry));
        }
    }
    bytes_ += bytes;
    budget.take(bytes);
}

void Differences::sort(MemoryBudget& budget) {
    // By place first: base and index rows of one page lie together.
    std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
        const std::uint64_t left = a.place & ~side_mask;
        const std::uint64_t right = b.place & ~side_mask;
        return left != right ? left < right : a < b;
    });
    // An entry that a row holds twice stands in two records of one place.
    const std::size_t before = placed_.size();
    placed_.erase(std::unique(placed_.begin(), placed_.end()), placed_.end());
    const std::uint64_t bytes = (before - placed_.size()) * sizeof(Placed);
    bytes_ -= bytes;
    budget.give_back(bytes);
    std::sort(carried_.begin(), carried_.end());
}

void Differences::clear(MemoryBudget& budget) {
    placed_ = {};
    carried_ = {};
    budget.give_back(bytes_);
    bytes_ = 0;
    found_count_ = 0;
}

Wanted Differences::placed(std::size_t position, std::size_t index) const {
    const Placed& entry = placed_[position];
    const Side side = (entry.place & side_mask) != 0 ? Side::index : Side::base;
    return {{entry.place & ~side_mask}, index, side, entry.mark};
}

}  // namespace idxfsck::audit
