// audit/scan_worker.hpp
//
// What one worker of the scan owns: its programs' scratch, its lanes, its page book, its counts.
//
// Threads  Belongs to one worker until the scan has ended; then they are added up.

#pragma once

#include <string>
#include <vector>

#include "audit/entry_queue.hpp"
#include "audit/page_book.hpp"
#include "audit/program.hpp"
#include "audit/scratch.hpp"

namespace idxfsck::audit {

struct TableCounts {
    std::uint64_t rows = 0;
    std::uint64_t rows_other = 0;
    std::uint64_t rows_damaged = 0;     // whose stored bytes are no row
    std::vector<store::Bytes> damaged;  // raw keys of the first ones, in order
    std::vector<bool> slots_seen;       // of the projection, in real rows of a base
};

// Raw keys of damaged rows that are kept of a table, the smallest; the others are counted only.
constexpr std::size_t damaged_keys_max = 100;

// Keeps `key` if it is one of the smallest.
void keep_damaged(std::vector<store::Bytes>& keys, store::BytesView key);

struct IndexCounts {
    std::uint64_t expected = 0;
    std::uint64_t held = 0;
    std::uint64_t exempt = 0;
    std::uint64_t uncovered = 0;
};

struct BaseCounts {
    std::uint64_t real = 0;
    std::uint64_t partial = 0;
    std::uint64_t expired = 0;  // or about to be
};

// A row that cannot become, or cannot be read as, an entry: a suspect by itself.
struct DamagedRow {
    std::size_t index = 0;
    Side side = Side::base;
    store::Key key;
};

struct ScanWorker {
    ScanWorker(std::size_t number, const Programs& programs, std::uint64_t seed);

    // Counts and damaged rows, without lanes and page book.
    void save(StateWriter& writer) const;
    void load(StateReader& reader);

    // Adds what another worker of the same programs counted.
    void add(const ScanWorker& other);
    // Puts the damaged rows in order, so that nothing tells who met them first.
    void sort_damaged();

    // Of a row of the page that is open; nothing if no lane keeps it.
    Place place(std::uint64_t row) const { return keeps_places ? book.place(row) : Place{}; }

    Scratch scratch;
    EntryQueue queue;  // flushed when a stretch of the scan has ended
    PageBook book;
    bool keeps_places = false;  // else the lanes carry entries, and the book knows no pages
    std::vector<Lane*> lanes;  // one an index; null: it is left out
    std::vector<TableCounts> tables;
    std::vector<BaseCounts> bases;
    std::vector<IndexCounts> indexes;
    std::vector<DamagedRow> damaged;
};

}  // namespace idxfsck::audit
