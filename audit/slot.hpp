// audit/slot.hpp
//
// The place in an index that one entry can fill: two entries of one slot overwrite each other.
//
// Shape    Canonical bytes of the index name and the key; in a container whose members have names
//          (map, columns) also of the member's name; in a list, of the whole member.

#pragma once

#include "audit/entry.hpp"
#include "audit/spec.hpp"

namespace idxfsck::audit {

store::Bytes slot_of(const IndexSpec& index, const Entry& entry);

}  // namespace idxfsck::audit
