// store/json/value_text.hpp
//
// Any value as one JSON text, without loss: the writing half of the plain shape and of
// value_json.hpp. FORMATS.md has the grammar.
//
// Shape    Text, boolean, null, list and map are what JSON has. A number is a JSON number if
//          `Numbers` lets it. All else is an object of one member, a wrapper, whose name starts
//          with '$'. A map that would look like a wrapper is written inside {"$map": …}.
// Errors   None: what is damaged (a payload that does not fit its kind, elements out of order) or
//          nested deeper than value_depth_max is written as {"$raw": {"kind": …, "payload": …}}.

#pragma once

#include <cstddef>

#include "store/value.hpp"

namespace idxfsck::store {

// Containers within containers; a scalar has depth 0, a list of scalars 1. DynamoDB stops at 32.
constexpr std::size_t value_depth_max = 64;

enum class Numbers {
    exact,  // every number that JSON can spell, digit by digit
    safe,   // integers up to 2^53 that any JSON library keeps; others are wrapped
};

void append_value_text(Bytes& out, const ValueView& value, Numbers numbers);


}  // namespace idxfsck::store
