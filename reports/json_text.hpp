// reports/json_text.hpp
//
// One JSON document as text for standard output.

#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace idxfsck::reports {

// Indented, with a newline at the end. Every character outside ASCII is written \uXXXX, so that
// nothing in it can move a cursor or reorder a line; bytes that are no UTF-8, which only a bug of
// ours would let in here, become U+FFFD rather than break the document.
std::string json_text(const nlohmann::ordered_json& json);

// The same on one line, without the newline.
std::string json_line(const nlohmann::ordered_json& json);

}  // namespace idxfsck::reports
