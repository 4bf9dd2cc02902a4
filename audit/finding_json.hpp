// audit/finding_json.hpp
//
// A finding as one line of NDJSON; grammar and an example in repair/FORMATS.md.
//
// Errors   Reading gives the value, or why not: a line may come from anywhere. Unknown fields are
//          ignored; a kind, reason or damage that this program does not know is an error.

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "audit/finding.hpp"

namespace idxfsck::audit {

constexpr std::size_t finding_line_bytes_max = 4 << 20;

// One line, with its newline.
void append_finding_line(std::string& out, const Finding& finding);

// Without the newline. The text says what is wrong with the line.
std::variant<Finding, std::string> read_finding_line(std::string_view line);

}  // namespace idxfsck::audit
