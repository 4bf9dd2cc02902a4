// audit/live_rows.hpp
//
// Rows read again, strongly consistent, in batches: wanted first, then fetched together.
//
// Shape    A cache of one look at the stores: a row that was fetched does not change until clear().
// Errors   Throws Error if a store cannot be read.
// Threads  Belongs to one thread.

#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

class LiveRows {
public:
    LiveRows(const Programs& programs, const TableReaders& readers);

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

private:
    struct Table {
        std::unordered_map<store::Bytes, std::optional<store::Row>> rows;
        std::vector<store::Key> wanted;
    };

    void want_spelling(Table& table, const store::Key& key);

    const Programs& programs_;
    const TableReaders& readers_;
    std::vector<Table> tables_;
    std::uint64_t bytes_ = 0;
};

}  // namespace idxfsck::audit
