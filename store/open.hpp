// store/open.hpp
//
// Opens a store by the kind and the settings that a spec gives it, for reading only.
//
// Errors   Throws Error: usage if the kind is unknown, a setting is missing or unknown, or there is
//          no such store; could_not_tell if the store cannot be opened.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/files/file_table.hpp"
#include "store/reader.hpp"
#include "store/rocksdb/raw_layout.hpp"

namespace idxfsck::store {

// The keys of a [store.NAME] table beside `kind`, as text. Of kind "rocksdb" and "files": path. Of
// kind "rocksdb_raw": path, and checkpoint, which is "true" or "false". Of kinds "dynamodb" and
// "azure_tables": as open_dynamodb.hpp and open_azure_tables.hpp say.
using Settings = std::map<std::string, std::string>;

// The kinds that can be opened, in order of name.
const std::vector<std::string>& store_kinds();

// The settings that a kind knows, in order of name; empty if there is no such kind.
std::vector<std::string> store_settings(const std::string& kind);

// Relative paths start at `base_folder`: the folder of the spec. `raw_tables` are those of a store
// of kind "rocksdb_raw", `file_tables` those of one of kind "files".
std::unique_ptr<Reader> open_reader(const std::string& kind, const Settings& settings,
                                    const std::string& base_folder,
                                    const RawTables& raw_tables = {},
                                    const FileTables& file_tables = {});

}  // namespace idxfsck::store
