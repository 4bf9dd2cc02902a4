#include "audit/page_book.hpp"

#include "audit/state_file.hpp"
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

bool PageBook::holds(Place place) const {
    return worker_of(place) == worker_ && ((place.value >> 24) & (pages_max - 1)) < pages_.size();
}

std::optional<store::Position> PageBook::end_of(Place place) const {
    const std::size_t next = ((place.value >> 24) & (pages_max - 1)) + 1;
    if (next >= pages_.size()) return std::nullopt;
    const Page& page = pages_[next - 1];
    return pages_[next].partition == page.partition ? pages_[next].begin : std::nullopt;
}

std::uint64_t PageBook::bytes() const {
    constexpr std::uint64_t long_token_bytes = 64;
    return pages_.capacity() * sizeof(Page) + pages_.size() * long_token_bytes +
           partitions_.capacity() * (sizeof(store::Partition) + 2 * long_token_bytes);
}

void PageBook::save(StateWriter& writer) const {
    writer.number(partitions_.size());
    for (const store::Partition& partition : partitions_) {
        writer.bytes(partition.token);
        writer.bytes(partition.label);
    }
    writer.number(pages_.size());
    for (const Page& page : pages_) {
        writer.number(page.table);
        writer.number(page.partition);
        writer.number(page.begin ? 1 : 0);
        if (page.begin) writer.bytes(page.begin->token);
    }
}

void PageBook::load(StateReader& reader, std::size_t tables_count) {
    partitions_.resize(reader.count());
    for (store::Partition& partition : partitions_) {
        partition.token = reader.bytes();
        partition.label = reader.bytes();
    }
    pages_.resize(reader.count());
    for (Page& page : pages_) {
        page.table = reader.number();
        page.partition = reader.number();
        if (page.table >= tables_count || page.partition >= partitions_.size()) reader.fail();
        if (reader.number() != 0) page.begin = store::Position{reader.bytes()};
    }
}

}  // namespace idxfsck::audit
