// store/json/azure_text.hpp
//
// A property in the JSON of Azure tables, with its annotation where the type does not show.

#pragma once

#include "store/value.hpp"

namespace idxfsck::store {

// Appends one member or two, without a comma after them. Says why not, with `out` in any state, for
// what Azure has no type for, text that is not UTF-8, damaged values, and a name that would be read
// as an annotation; otherwise the answer is empty.
std::string_view append_azure_property(Bytes& out, BytesView name, const ValueView& value);

}  // namespace idxfsck::store
