// store/memory/scan_place.hpp
//
// Where a row of the memory store stands in a scan: bytes whose order is the scan order asked for.
//
// Shape    by_bytes: the encoded key. none: eight bytes of hash, then the encoded key. by_utf16:
//          the encoded key with all text in UTF-16, then the encoded key itself, as text that is
//          no UTF-8 may fall together.

#pragma once

#include "store/schema.hpp"

namespace idxfsck::store {

Bytes scan_place(ScanOrder order, BytesView encoded_key);

}  // namespace idxfsck::store
