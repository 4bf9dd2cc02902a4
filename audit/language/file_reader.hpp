// audit/language/file_reader.hpp
//
// Reads where the tables of a store of kind "files" lie: [store.NAME.tables.TABLE], and what a
// spec says of them elsewhere.
//
// Errors   Complaints, gathered. store/files/FILES.md describes the keys.

#pragma once

#include "audit/language/toml_table.hpp"
#include "store/files/file_table.hpp"

namespace idxfsck::audit::language {

store::FileTables read_file_tables(TableReader& store);

// Tables that bases and indexes name but the store does not are files of that name; keys that it
// leaves out are those of the base or index. Complains where the two disagree.
void settle_file_tables(Spec& spec, Reading& reading);

}  // namespace idxfsck::audit::language
