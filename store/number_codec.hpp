// store/number_codec.hpp
//
// A decimal number as bytes whose order is the order of the numbers.
//
// Shape    A head byte, for a small exponent all that is needed; else four bytes of exponent; then
//          the digits, two a byte, and an end byte. With 0.DIGITS × 10^E the value:
//            head   80 zero, and nothing follows
//                   82 + (E + 30)  for -30 <= E <= 80
//                   81  for smaller E, F1 for larger; then E as 4 bytes, big-endian, sign flipped
//            pairs  01 + the two digits (0 to 99), an odd last digit followed by a 0
//            end    00
//          Of a negative number every byte is flipped.
//          Example: 7 is 0.7 × 10^1, so head 82 + 1F = A1, pair 70 + 1 = 47, end: A1 47 00.
//          -7 is 5E B8 FF.
// Errors   Taking refuses bytes that append_number would not have made.

#pragma once

#include "store/number.hpp"

namespace idxfsck::store {

void append_number(Bytes& out, const Decimal& decimal);

// Takes an encoded number off the front of `in`; false, with `in` undefined, if it is damaged.
// The result views `digits`.
bool take_number(BytesView& in, Decimal& decimal, Bytes& digits);

}  // namespace idxfsck::store
