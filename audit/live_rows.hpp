// audit/live_rows.hpp
//
// Rows read again, strongly consistent, in batches: wanted first, then fetched together.
//
// Shape    A cache of one look at the stores: a row that was fetched does not change until clear().
// Errors   Throws Error if a store cannot be read. Where a table is searched for its rows, what of
//          it cannot be read is a gap, and so are two rows of one key; whoever rests on a row that
//          is not there for that, or that is there twice, is in doubt.
// Threads  Belongs to one thread; the pool, if there is one, searches.

#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "audit/row_search.hpp"

namespace idxfsck::audit {

class LiveRows {
public:
    // With a pool, whose tasks must not be the caller, tables that can only be read by scanning are
    // searched on it.
    LiveRows(const Programs& programs, const TableReaders& readers, TaskPool* pool = nullptr);

    // Asks for a row of a table, by its position in the programs. A key that no table can hold is
    // remembered as a row that is not there.
    void want(std::size_t table, const store::Key& key);

    // Reads all that was asked for and is not there yet.
    void fetch();

    // The row, or nothing if there is none. It must have been fetched.
    const store::Row* row(std::size_t table, const store::Key& key) const;

    // Of the rows that were fetched, without their keys.
    std::uint64_t bytes() const { return bytes_; }

    void clear();

    // Did row() give an answer since this was last asked that may not be the whole truth?
    bool take_doubt() const { return std::exchange(doubt_, false); }

    // What the searches could not read, or read twice.
    const std::vector<Gap>& gaps() const { return gaps_; }

private:
    struct Table {
        std::unordered_map<store::Bytes, std::optional<store::Row>> rows;
        std::vector<store::Key> wanted;
        bool whole = true;  // no row of it escaped a search
        std::unordered_set<store::Bytes> twice;
    };

    void want_spelling(Table& table, const store::Key& key);
    bool is_searched(std::size_t table) const;
    void search();
    void keep_searched(std::size_t number, SearchedTable& searched);

    const Programs& programs_;
    const TableReaders& readers_;
    TaskPool* const pool_;
    std::vector<Gap> gaps_;
    mutable bool doubt_ = false;
    std::vector<Table> tables_;
    std::uint64_t bytes_ = 0;
};

}  // namespace idxfsck::audit
