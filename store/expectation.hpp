// store/expectation.hpp
//
// What every store does alike in a guarded write: check it, and judge the rows that it finds.

#pragma once

#include "store/writer.hpp"

namespace idxfsck::store {

// Is the row (nothing: absent) as expected? Attribute names may also be those of key components.
bool meets(const Expectation& expected, const std::optional<Row>& row, const TableSchema& schema);

// The outcome, once all guards on other rows hold: `applied` means that the write is to be done.
WriteOutcome judge(const GuardedWrite& write, const std::optional<Row>& row,
                   const TableSchema& schema);

// Throws Error for a write that no store may carry out: a row whose key is not the key written, a
// key with too many or too few components, attributes that are none, guards beyond `reach`.
void check_write(const GuardedWrite& write, const TableSchema& schema, GuardReach reach);

// Throws Error if the limits refuse the key.
void check_key(const KeyLimits& limits, const TableSchema& schema, const Key& key);

}  // namespace idxfsck::store
