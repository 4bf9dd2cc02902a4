// audit/language/raw_reader.hpp
//
// Reads the layouts of tables that some other application wrote: [store.NAME.tables.TABLE].
//
// Errors   Complaints, gathered. store/rocksdb/RAW.md describes the keys.

#pragma once

#include "audit/language/toml_table.hpp"
#include "store/rocksdb/raw_layout.hpp"

namespace idxfsck::audit::language {

store::RawTables read_raw_tables(TableReader& store);

// Are the tables that bases and indexes name laid out in their store, with the same key?
void check_raw_tables(const Spec& spec, Reading& reading);

// One field. `alone`: it stands without a list around it, and takes the rest if nothing is said.
store::RawField read_raw_field(TableReader table, bool alone);

// Bytes as a spec spells them: "hex:00ff", or text. Nothing, and a complaint, for bad digits.
std::optional<store::Bytes> raw_bytes(const PlacedText& text, Reading& reading);

}  // namespace idxfsck::audit::language
