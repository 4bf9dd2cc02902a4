// store/json/dynamodb_text.hpp
//
// A value in DynamoDB JSON: {"S": "…"}.

#pragma once

#include "store/value.hpp"

namespace idxfsck::store {

// Appends the value. Says why not, with `out` in any state, for what DynamoDB has no type for, text
// that is not UTF-8, and damaged or too deeply nested values; otherwise the answer is empty.
std::string_view append_dynamodb_value(Bytes& out, const ValueView& value);

}  // namespace idxfsck::store
