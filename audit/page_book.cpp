#include "audit/page_book.hpp"

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

constexpr std::uint64_t pages_max = std::uint64_t{1} << 31;
constexpr std::uint64_t rows_max = std::uint64_t{1} << 24;

}  // namespace

void PageBook::open(std::size_t table, const store::Partition& partition,
                    const std::optional<store::Position>& resume) {
    partitions_.push_back(partition);
    pages_.push_back({table, partitions_.size() - 1, resume});
}

void PageBook::turn(const store::Position& position) {
    pages_.push_back({pages_.back().table, pages_.back().partition, position});
}

Place PageBook::place(std::uint64_t row) const {
    store::ensure(pages_.size() <= pages_max && row < rows_max, "a place has 63 bits");
    const std::uint64_t page = pages_.size() - 1;
    return {(std::uint64_t{worker_} << 55) | (page << 24) | row};
}

const Page& PageBook::page(Place place) const {
    return pages_[(place.value >> 24) & (pages_max - 1)];
}

}  // namespace idxfsck::audit
