// store/bytes.hpp
//
// Raw bytes, owned and borrowed. Keys and values of a store are bytes of any content and length;
// nothing here assumes UTF-8 or a terminating zero.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace idxfsck::store {

using Bytes = std::string;
using BytesView = std::string_view;

// Appends `value` as a LEB128 varint: seven bits a byte, low bits first, at most ten bytes.
void append_varint(Bytes& out, std::uint64_t value);

// The general case of take_varint.
bool take_long_varint(BytesView& in, std::uint64_t& value);

// Takes a varint off the front of `in`. Returns false, with `in` as it was, if it is cut, too long
// or not as append_varint writes it.
inline bool take_varint(BytesView& in, std::uint64_t& value) {
    if (in.empty() || static_cast<std::uint8_t>(in[0]) >= 0x80) return take_long_varint(in, value);
    value = static_cast<std::uint8_t>(in[0]);
    in.remove_prefix(1);
    return true;
}

// Takes `size` bytes off the front of `in`. Returns false, with `in` as it was, if there are fewer.
inline bool take_bytes(BytesView& in, std::uint64_t size, BytesView& out) {
    if (size > in.size()) return false;
    out = {in.data(), static_cast<std::size_t>(size)};
    in.remove_prefix(static_cast<std::size_t>(size));
    return true;
}

// Lower-case hexadecimal of `bytes`.
Bytes to_hex(BytesView bytes);

}  // namespace idxfsck::store
