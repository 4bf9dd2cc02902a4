// store/json/bare_json.hpp
//
// Values as JSON that other programs read: no wrappers, so nothing but what JSON has.
//
// Shape    The one spelling of a value: no spaces, members sorted by name as bytes.

#pragma once

#include "store/value.hpp"

namespace idxfsck::store {

// Appends null, booleans, finite numbers of every kind, UTF-8 texts, lists and maps of these.
// False, with `out` undefined, for all else and for what is nested deeper than value_depth_max.
bool append_bare_json(Bytes& out, const ValueView& value);

}  // namespace idxfsck::store
