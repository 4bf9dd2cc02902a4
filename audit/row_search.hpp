// audit/row_search.hpp
//
// Rows by their keys, out of tables to whose rows there is no way but reading the table: all that
// are wanted in one walk.
//
// Reads    Each table of which rows are wanted, once, through its Reader.
// Gives    The rows; gaps where a part could not be read.
// Threads  Runs on the pool; called from outside of it.

#pragma once

#include <vector>

#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

struct SearchedTable {
    std::vector<store::Key> wanted;
    // Of wanted keys, and perhaps a few others; in no order.
    std::vector<store::Row> rows;
    // Every part of it was read, and each row of it is one.
    bool whole = true;
};

// One a table of the programs; those of which nothing is wanted are left alone.
std::vector<Gap> search_rows(const Programs& programs, const TableReaders& readers,
                             TaskPool& pool, std::vector<SearchedTable>& tables);

}  // namespace idxfsck::audit
