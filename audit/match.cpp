#include "audit/match.hpp"

#include <bit>

namespace idxfsck::audit {

namespace {

// Counts of one mark. Both zero: the slot is free.
struct Slot {
    std::uint64_t mark = 0;
    std::uint32_t base = 0;
    std::uint32_t index = 0;
};

// Open addressing, at most half full. The marks are hash bits already, so their low bits address.
class Counts {
public:
    explicit Counts(std::size_t records)
        : slots_(std::bit_ceil(records * 2 + 2)), mask_{slots_.size() - 1} {}

    Slot& of(std::uint64_t mark) {
        // The lowest bits may be zero in a sample, the highest chose the slice; these are even.
        std::size_t position = static_cast<std::size_t>(mark >> 20) & mask_;
        while (slots_[position].base + slots_[position].index != 0 &&
               slots_[position].mark != mark) {
            position = (position + 1) & mask_;
        }
        slots_[position].mark = mark;
        return slots_[position];
    }

private:
    std::vector<Slot> slots_;
    std::size_t mask_;
};

// Is an entry of this side explained by the other side?
bool agrees(const Slot& slot, Side side, Counting counting) {
    if (counting == Counting::multiset) return slot.base == slot.index;
    if (counting == Counting::older || counting == Counting::older_tried) {
        if (side == Side::base) return slot.index == 0;
        return slot.base > 0 || counting == Counting::older_tried;
    }
    if (slot.base == 0 || slot.index == 0) return false;
    return side == Side::index || counting == Counting::set || slot.base == 1;
}

}  // namespace

void append_unmatched(std::vector<Unmatched>& out,
                      std::span<const ExactReconciler::Record> records, Counting counting) {
    Counts counts{records.size()};
    for (const ExactReconciler::Record& record : records) {
        Slot& slot = counts.of(record.mark);
        const bool is_index = (record.side_and_place & side_bit(Side::index)) != 0;
        ++(is_index ? slot.index : slot.base);
    }
    for (const ExactReconciler::Record& record : records) {
        const bool is_index = (record.side_and_place & side_bit(Side::index)) != 0;
        const Side side = is_index ? Side::index : Side::base;
        if (agrees(counts.of(record.mark), side, counting)) continue;
        const Place place{record.side_and_place & ~side_bit(Side::index)};
        out.push_back({side, place, record.mark, {}});
    }
}

}  // namespace idxfsck::audit
