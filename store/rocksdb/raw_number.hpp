// store/rocksdb/raw_number.hpp
//
// Integers of fixed width and varints, as other applications write them.
//
// Shape    A number is 64 bits, and read as signed or not as its field says.
// Errors   Taking refuses bytes that appending would not have made: false, with `in` undefined.

#pragma once

#include <optional>

#include "store/rocksdb/raw_layout.hpp"

namespace idxfsck::store {

// Is the number of this field read as signed?
bool is_signed(const RawField& field);

// The bytes of an integer or varint at the front of `in`.
bool take_raw_number(const RawField& field, BytesView& in, std::uint64_t& bits);
void append_raw_number(const RawField& field, std::uint64_t bits, Bytes& out);

// The length before a sized field.
bool take_raw_length(const RawField& field, BytesView& in, std::uint64_t& length);
// False if it does not fit its width.
bool append_raw_length(const RawField& field, std::uint64_t length, Bytes& out);

// As a value of the field's kind, whose payload lies in `buffer`.
ValueView raw_number_value(const RawField& field, std::uint64_t bits, Bytes& buffer);
// Any numeric value that is a whole number within the field's range; else nothing.
std::optional<std::uint64_t> raw_number_bits(const RawField& field, const ValueView& value);

}  // namespace idxfsck::store
