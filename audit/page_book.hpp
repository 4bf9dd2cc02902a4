// audit/page_book.hpp
//
// Where the rows of a scan can be found again: a place is a number that leads to a page of a
// partition and a row of that page.
//
// Shape    A place has 8 bits for the worker, 31 for its page, 24 for the row in the page: 63 in
//          all. A book belongs to one worker, so that no lock is needed to write into it.
// Errors   `ensure` if a scan outgrows the bits: 2^31 pages a worker, 2^24 rows a page.
// Threads  Written by its worker; read by anyone after the scan.

#pragma once

#include <optional>
#include <vector>

#include "audit/reconcile.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit {

struct Page {
    std::size_t table = 0;      // position in Programs::tables
    std::size_t partition = 0;  // position in PageBook::partitions()
    std::optional<store::Position> begin;  // nothing: the start of the partition
};

class PageBook {
public:
    static constexpr std::size_t workers_max = 256;

    explicit PageBook(std::size_t worker) : worker_{worker} {}

    // The scan of a partition begins, or goes on; the first page of it opens at `resume`.
    void open(std::size_t table, const store::Partition& partition,
              const std::optional<store::Position>& resume);
    // The next rows stand behind `position`.
    void turn(const store::Position& position);
    // The place of row `row` of the page that is open.
    Place place(std::uint64_t row) const;

    const Page& page(Place place) const;
    // Is there such a page? Of a place from a file, nobody knows.
    bool holds(Place place) const;
    // Where the page of a place ended in the scan; nothing if the partition did, or nobody knows.
    std::optional<store::Position> end_of(Place place) const;
    const store::Partition& partition(const Page& of) const { return partitions_[of.partition]; }

    std::size_t pages_count() const { return pages_.size(); }
    // About what it holds.
    std::uint64_t bytes() const;

    // All pages. load() throws Error if there is no such table.
    void save(StateWriter& writer) const;
    void load(StateReader& reader, std::size_t tables_count);

    static std::size_t worker_of(Place place) { return place.value >> 55; }
    static std::uint64_t row_of(Place place) { return place.value & ((1U << 24) - 1); }
    static std::uint64_t page_of(Place place) { return place.value >> 24; }

private:
    std::size_t worker_;
    std::vector<Page> pages_;
    std::vector<store::Partition> partitions_;
};

}  // namespace idxfsck::audit
