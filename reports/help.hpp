// reports/help.hpp
//
// The help texts, from the tables of the commands: the same words that the parser goes by.

#pragma once

#include <string>
#include <vector>

#include "reports/command.hpp"

namespace idxfsck::reports {

// What `idxfsck --help` prints.
std::string program_help(const std::vector<Command>& commands);

// What `idxfsck COMMAND --help` prints.
std::string command_help(const Command& command);

// "idxfsck audit SPEC [options]".
std::string usage_line(const Command& command);

// Breaks `text` at spaces into lines of `columns` at most; all but the first are indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace idxfsck::reports
