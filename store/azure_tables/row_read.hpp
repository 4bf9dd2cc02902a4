// store/azure_tables/row_read.hpp
//
// Rows of a table by their keys, strongly consistent as the service's primary is.
//
// Shape    One request a row, several under way at once. A key that no row can have is absent
//          without asking.
// Errors   Throws Error with `store` and `table`. An answer with another row than the one asked for
//          is one, as are bytes that are no row.
// Threads  Belongs to one thread.

#pragma once

#include <span>

#include "store/azure_tables/api.hpp"
#include "store/azure_tables/entity.hpp"

namespace idxfsck::store {

// One answer for each key, in order.
std::vector<std::optional<Row>> read_rows(TablesApi& api, BytesView table,
                                          std::span<const Key> keys);

// Is it the row that is not there, and not the table?
bool is_absent_row(const TableFault& fault);

}  // namespace idxfsck::store
