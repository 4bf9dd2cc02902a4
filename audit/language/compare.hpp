// audit/language/compare.hpp
//
// How conditions compare values, and their three truth values.
//
// Shape    Numbers compare as numbers, of any kind and exactly; text, binary and guids as bytes;
//          times as times. A text compared with a time or guid is read as one. Null equals null
//          alone. Whatever cannot be compared is different, and neither less nor greater: unknown.
//          Absent compared with anything is unknown.

#pragma once

#include <cstdint>

#include "audit/language/ast.hpp"
#include "audit/scratch.hpp"
#include "store/value.hpp"

namespace idxfsck::audit::language {

enum class Truth : std::uint8_t { no, unknown, yes };

constexpr Truth truth_of(bool holds) {
    return holds ? Truth::yes : Truth::no;
}

constexpr Truth negate(Truth truth) {
    return static_cast<Truth>(2 - static_cast<int>(truth));
}

Truth compare(Comparison comparison, store::ValueView left, store::ValueView right,
              Scratch& scratch);

}  // namespace idxfsck::audit::language
