// reports/text_file.hpp
//
// Reads a file that the user names: a spec, an answer key. Links are followed, as with any other
// program; what idxfsck wrote itself is read without.
//
// Errors   Error (usage) if it is not there, cannot be read or is longer than `bytes_max`: it is
//          the command line that named it.

#pragma once

#include <cstddef>
#include <string>

namespace idxfsck::reports {

// `what` says what the file was to be: "spec".
std::string read_text_file(const std::string& path, const char* what, std::size_t bytes_max);

// Throws the Error if there is nothing of that name: what is read by others fails as the machine's
// fault, and a name that was mistyped is not.
void require_there(const std::string& path, const char* what);

}  // namespace idxfsck::reports
