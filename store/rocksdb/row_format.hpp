// store/rocksdb/row_format.hpp
//
// The value of a row in the embedded store.
//
// Shape    01, then the size of the version as one byte, the version, the attributes. FORMAT.md has
//          the grammar and an example.
// Errors   A first byte other than 01 was written by a later format: such a row is damaged to this
//          reader, never guessed at.

#pragma once

#include "store/bytes.hpp"

namespace idxfsck::store {

constexpr char row_format = '\x01';

inline void append_row_value(Bytes& out, BytesView version, BytesView attributes) {
    out.push_back(row_format);
    out.push_back(static_cast<char>(version.size()));
    out.append(version).append(attributes);
}

// Takes a row value apart; the views are into `value`. Whether the attributes are well formed is
// for whoever walks them.
inline bool parse_row_value(BytesView value, BytesView& version, BytesView& attributes) {
    if (value.size() < 2 || value[0] != row_format) return false;
    const auto size = static_cast<std::uint8_t>(value[1]);
    value.remove_prefix(2);
    if (!take_bytes(value, size, version)) return false;
    attributes = value;
    return true;
}

}  // namespace idxfsck::store
