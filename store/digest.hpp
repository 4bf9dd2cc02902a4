// store/digest.hpp
//
// Short names for long bytes: XXH3-128 as 32 lower-case hexadecimal digits, unseeded.
//
// Shape    Stands in plans, journals and reports, so it is the same on every machine and never
//          changes. It tells accidents apart, not forgeries.

#pragma once

#include "store/row.hpp"

namespace idxfsck::store {

Bytes digest(BytesView bytes);

// Of the encoded key, with its size before it, and the attributes. The version is left out: it says
// when a row was written, not what it is. Throws Error if the key has no encoding.
Bytes row_digest(const Row& row);

}  // namespace idxfsck::store
