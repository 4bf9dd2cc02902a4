// store/number.hpp
//
// A decimal number of any length, taken apart: what canonical spelling and key encoding share.
//
// Shape    The value is 0.DIGITS × 10^exponent, negative or not. The digits neither begin nor end
//          with a zero; zero itself has none, and no sign.
// Errors   Text that is no number, or whose exponent is out of bounds: nothing.

#pragma once

#include <cstdint>
#include <optional>

#include "store/value.hpp"

namespace idxfsck::store {

// Stores stop at exponents of three or four digits; this leaves room, keeps arithmetic on exponents
// far from overflow, and makes every number one that can be written: d.ddde±N, N of nine digits.
constexpr std::int64_t decimal_exponent_max = 1'000'000'000;
constexpr std::int64_t decimal_exponent_min = -999'999'998;

constexpr bool is_decimal_exponent(std::int64_t exponent) {
    return exponent >= decimal_exponent_min && exponent <= decimal_exponent_max;
}

struct Decimal {
    bool negative = false;
    BytesView digits;
    std::int64_t exponent = 0;

    friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Reads [-]digits[.digits][(e|E)[+-]digits]. The result views `text` or `scratch`.
std::optional<Decimal> parse_decimal(BytesView text, Bytes& scratch);

// Appends the canonical spelling, as canonical_number describes it.
void append_decimal(Bytes& out, const Decimal& decimal);

}  // namespace idxfsck::store
