// store/json/value_json.hpp
//
// Values, keys and rows as JSON documents, for plans, findings, journals and answer keys.
//
// Shape    value  as value_text.hpp says, with safe numbers only, so that any JSON library keeps
//                 them: 12 is a number, {"$number":"1.0"} too, {"$int32":7}, {"$guid":"…"}
//          key    an array of values, one for each component
//          row    {"key": […], "attributes": {…}, "version": "hex"}; attributes are the members of
//                 an object as they are called, unless a name is not UTF-8 or the bytes are damaged
//                 (then a $members or $raw wrapper) or the only one starts with '$' ($map)
// Errors   Writing is total and without loss: from(to(x)) == x for every x, damaged ones included.
//          Reading gives the value or why not, and does not throw. Containers nested deeper than
//          value_depth_max are written raw, and refused when they are read.
// Source   FORMATS.md beside this file.

#pragma once

#include <nlohmann/json.hpp>

#include "store/json/decoded.hpp"
#include "store/json/value_text.hpp"
#include "store/row.hpp"

namespace idxfsck::store {

using Json = nlohmann::ordered_json;

Json value_to_json(const ValueView& value);
Decoded<Value> value_from_json(const Json& json);

Json key_to_json(const Key& key);
Decoded<Key> key_from_json(const Json& json);

Json row_to_json(const Row& row);
Decoded<Row> row_from_json(const Json& json);

}  // namespace idxfsck::store
