// audit/entry_sample.hpp
//
// A look at the entries that the first rows of a base table call for, before anything is scanned:
// how long they are, and whether they tell their base row.
//
// Reads    The first page of the base table.
// Errors   None: a table of which no sample can be read gives an empty one; the scan reports it.
// Threads  A plain function.

#pragma once

#include <vector>

#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

struct EntrySample {
    std::vector<std::size_t> sizes;  // bytes of each entry
    bool tell_base_rows = true;      // all of them do

    // Cells of a sketch that an entry takes up, on average.
    double chunks(std::size_t cell_size) const;
};

EntrySample sample_entries(const Programs& programs, const TableReaders& readers,
                           std::size_t index);

}  // namespace idxfsck::audit
