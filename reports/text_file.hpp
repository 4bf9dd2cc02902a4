// reports/text_file.hpp
//
// Reads a file that the user names: a spec, an answer key. Links are followed, as with any other
// program; what idxfsck wrote itself is read through store/private_file.hpp instead.
//
// Errors   Error (usage) if it is not there, is a folder, or is longer than `bytes_max`; Error
//          (could_not_tell) if reading fails half-way.

#pragma once

#include <cstddef>
#include <string>

namespace idxfsck::reports {

// `what` says what the file was to be: "spec".
std::string read_text_file(const std::string& path, const char* what, std::size_t bytes_max);

}  // namespace idxfsck::reports
