// store/json/shape.hpp
//
// The three spellings of a row as one line of JSON.

#pragma once

#include <array>
#include <optional>

#include "store/bytes.hpp"

namespace idxfsck::store {

enum class Shape {
    automatic,  // on reading: found out from the first row of each file. On writing: plain
    plain,      // a JSON object, with wrappers for types that JSON lacks
    dynamodb,   // {"Item": {"name": {"S": "…"}}}, also without the Item
    azure,      // odata annotations: {"at@odata.type": "Edm.DateTime", "at": "…"}
};

constexpr std::array<BytesView, 4> shape_names{"auto", "plain", "dynamodb", "azure"};

constexpr BytesView shape_name(Shape shape) { return shape_names[static_cast<std::size_t>(shape)]; }

constexpr std::optional<Shape> find_shape(BytesView name) {
    for (std::size_t index = 0; index < shape_names.size(); ++index) {
        if (shape_names[index] == name) return static_cast<Shape>(index);
    }
    return std::nullopt;
}

// The shape of a row, never `automatic`. A line that is no JSON object counts as plain: whoever
// reads it as such will say what is wrong. It must be followed by line_padding readable bytes
// (row_parser.hpp).
Shape detect_shape(BytesView line);

}  // namespace idxfsck::store
