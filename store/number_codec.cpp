#include "store/number_codec.hpp"

namespace idxfsck::store {

namespace {

constexpr std::uint8_t head_zero = 0x80;
constexpr std::uint8_t head_below = 0x81;
constexpr std::uint8_t head_first = 0x82;
constexpr std::uint8_t head_above = 0xf1;
constexpr std::int64_t exponent_first = -30;
constexpr std::int64_t exponent_last = 80;
constexpr std::size_t exponent_size = 4;

std::uint8_t byte_at(BytesView bytes, std::size_t index) {
    return static_cast<std::uint8_t>(bytes[index]);
}

void append_head(Bytes& out, std::int64_t exponent) {
    if (exponent >= exponent_first && exponent <= exponent_last) {
        out.push_back(static_cast<char>(head_first + (exponent - exponent_first)));
        return;
    }
    out.push_back(static_cast<char>(exponent < exponent_first ? head_below : head_above));
    const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(exponent)) ^ 0x80000000u;
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(bits >> shift));
}

bool take_wide_exponent(BytesView& in, std::uint8_t flip, std::int64_t& exponent) {
    if (in.size() < exponent_size) return false;
    std::uint32_t bits = 0;
    for (std::size_t index = 0; index < exponent_size; ++index) {
        bits = bits << 8 | (byte_at(in, index) ^ flip);
    }
    in.remove_prefix(exponent_size);
    exponent = static_cast<std::int32_t>(bits ^ 0x80000000u);
    return is_decimal_exponent(exponent);
}

bool take_exponent(BytesView& in, std::uint8_t head, std::uint8_t flip, std::int64_t& exponent) {
    if (head > head_above) return false;
    if (head != head_below && head != head_above) {
        exponent = head - head_first + exponent_first;
        return true;
    }
    if (!take_wide_exponent(in, flip, exponent)) return false;
    return head == head_below ? exponent < exponent_first : exponent > exponent_last;
}

// The pairs up to the end byte. The first pair may not begin with a zero, the last may not be one.
bool take_digits(BytesView& in, std::uint8_t flip, Bytes& digits) {
    for (std::size_t index = 0; index < in.size(); ++index) {
        const auto byte = static_cast<std::uint8_t>(byte_at(in, index) ^ flip);
        if (byte == 0) {
            in.remove_prefix(index + 1);
            if (digits.size() < 2 || digits[0] == '0') return false;
            if (digits.back() != '0') return true;
            digits.pop_back();
            return digits.back() != '0';
        }
        if (byte > 100) return false;
        digits.push_back(static_cast<char>('0' + (byte - 1) / 10));
        digits.push_back(static_cast<char>('0' + (byte - 1) % 10));
    }
    return false;
}

}  // namespace

void append_number(Bytes& out, const Decimal& decimal) {
    if (decimal.digits.empty()) {
        out.push_back(static_cast<char>(head_zero));
        return;
    }
    const std::size_t begin = out.size();
    append_head(out, decimal.exponent);
    for (std::size_t index = 0; index < decimal.digits.size(); index += 2) {
        const bool single = index + 1 == decimal.digits.size();
        const int tens = decimal.digits[index] - '0';
        const int ones = single ? 0 : decimal.digits[index + 1] - '0';
        out.push_back(static_cast<char>(1 + tens * 10 + ones));
    }
    out.push_back('\0');
    if (!decimal.negative) return;
    for (std::size_t index = begin; index < out.size(); ++index) {
        out[index] = static_cast<char>(~out[index]);
    }
}

bool take_number(BytesView& in, Decimal& decimal, Bytes& digits) {
    decimal = {};
    digits.clear();
    if (in.empty()) return false;
    std::uint8_t head = byte_at(in, 0);
    in.remove_prefix(1);
    if (head == head_zero) return true;
    decimal.negative = head < head_zero;
    const std::uint8_t flip = decimal.negative ? 0xff : 0;
    head ^= flip;
    if (head == head_zero || !take_exponent(in, head, flip, decimal.exponent)) return false;
    if (!take_digits(in, flip, digits)) return false;
    decimal.digits = digits;
    return true;
}

}  // namespace idxfsck::store
