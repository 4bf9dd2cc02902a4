// store/files/file_search.hpp
//
// Which files hold the rows of a table.
//
// Shape    Paths in order of name within a folder, folders in the order in which they were named.
// Errors   Throws Error (usage) if there is no file, if several may be meant, and for what lies in
//          a folder of parts and is no part: nothing is left out in silence.

#pragma once

#include <string>
#include <vector>

#include "store/files/file_table.hpp"

namespace idxfsck::store {

std::vector<std::string> find_files(const std::string& folder, const FileTable& table);

// Are there files that the table's name alone would find?
bool has_files_of_name(const std::string& folder, const FileTable& table);

// Is it what a program leaves beside its parts: `_SUCCESS`, `.part-0.crc`?
bool is_hidden_name(const std::string& name);

// Does the name end as that of a CSV file does, compressed or not?
bool is_csv_name(const std::string& name);
// With tabs between its fields?
bool is_tab_name(const std::string& name);

}  // namespace idxfsck::store
