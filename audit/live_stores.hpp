// audit/live_stores.hpp
//
// Stores that hold rows as they were, and the live stores in which a spec has their suspects looked
// at again: `live = "main"` in a store of exports.
//
// Shape    A live store has the tables of the other under the same names.
// Errors   check_live_tables() throws Error (usage) if it does not.
// Threads  Plain functions.

#pragma once

#include <string>

#include "audit/program.hpp"
#include "audit/spec.hpp"
#include "store/reader.hpp"

namespace idxfsck::audit {

// The setting that names it.
inline constexpr const char* live_setting = "live";

// The live store of `store`, or "" if its rows are looked at again where they were read.
std::string live_store_of(const Spec& spec, const std::string& store);

// Is it in the spec as the live store of another, and of no base or index itself?
bool is_only_live(const Spec& spec, const std::string& store);

// The spec with each base and index in its live store: what a repair works on. Stores that are then
// of no use are left out; the digest stays, for it is the same spec.
Spec at_live_stores(Spec spec);

// `table` is of a store whose live one is `live`.
void check_live_table(const TableProgram& table, const std::string& live_name,
                      const store::Reader& live);

}  // namespace idxfsck::audit
