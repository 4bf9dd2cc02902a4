// store/open_writer.hpp
//
// Opens a store for guarded writes, by the kind and the settings that a spec gives it.
//
// Errors   As open_reader; also if another process has it open for writing, and for a kind that is
//          read-only (usage). Never makes a store that is not there.

#pragma once

#include <memory>

#include "store/open.hpp"
#include "store/store.hpp"

namespace idxfsck::store {

// Throws Error (usage) for a kind of store that is read-only.
void check_writable(const std::string& kind);

std::unique_ptr<Store> open_writer(const std::string& kind, const Settings& settings,
                                   const std::string& base_folder,
                                   const RawTables& raw_tables = {},
                                   const FileTables& file_tables = {});

}  // namespace idxfsck::store
