#include "store/rocksdb/raw_number.hpp"

#include <charconv>
#include <limits>

#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::uint64_t all_bits = std::numeric_limits<std::uint64_t>::max();
constexpr int bits_a_byte = 8;

std::uint64_t mask_of(std::size_t width) {
    return width >= 8 ? all_bits : (std::uint64_t{1} << (bits_a_byte * width)) - 1;
}

std::uint64_t sign_bit(std::size_t width) {
    return std::uint64_t{1} << (bits_a_byte * width - 1);
}

bool take_fixed(BytesView& in, std::size_t width, RawOrder order, std::uint64_t& bits) {
    BytesView bytes;
    if (!take_bytes(in, width, bytes)) return false;
    bits = 0;
    for (std::size_t index = 0; index < width; ++index) {
        const std::size_t from = order == RawOrder::big ? index : width - 1 - index;
        bits = bits << bits_a_byte | static_cast<std::uint8_t>(bytes[from]);
    }
    return true;
}

void append_fixed(std::uint64_t bits, std::size_t width, RawOrder order, Bytes& out) {
    for (std::size_t index = 0; index < width; ++index) {
        const std::size_t place = order == RawOrder::big ? width - 1 - index : index;
        out.push_back(static_cast<char>(bits >> (bits_a_byte * place)));
    }
}

std::size_t varint_size(std::uint64_t value) {
    std::size_t size = 1;
    for (; value >= 0x80; value >>= 7) ++size;
    return size;
}

bool take_shortest_varint(BytesView& in, std::uint64_t& value) {
    const std::size_t before = in.size();
    return take_varint(in, value) && before - in.size() == varint_size(value);
}

bool take_bitcoin(BytesView& in, std::uint64_t& value) {
    value = 0;
    while (!in.empty()) {
        const auto byte = static_cast<std::uint8_t>(in[0]);
        in.remove_prefix(1);
        if (value > all_bits >> 7) return false;
        value = value << 7 | (byte & 0x7f);
        if (byte < 0x80) return true;
        if (value == all_bits) return false;
        ++value;
    }
    return false;
}

void append_bitcoin(std::uint64_t value, Bytes& out) {
    Bytes reversed;
    for (char more = 0;; more = '\x80', value = (value >> 7) - 1) {
        reversed.push_back(static_cast<char>((value & 0x7f) | static_cast<std::uint8_t>(more)));
        if (value < 0x80) break;
    }
    out.append(reversed.rbegin(), reversed.rend());
}

bool take_any_varint(RawVarint form, BytesView& in, std::uint64_t& value) {
    return form == RawVarint::bitcoin ? take_bitcoin(in, value) : take_shortest_varint(in, value);
}

void append_any_varint(RawVarint form, std::uint64_t value, Bytes& out) {
    if (form == RawVarint::bitcoin) {
        append_bitcoin(value, out);
    } else {
        append_varint(out, value);
    }
}

// Bits of the field's width, as they lie in the bytes, from and to 64 bits of a number.
std::uint64_t widen(const RawField& field, std::uint64_t bits) {
    if (field.complement) bits = ~bits & mask_of(field.width);
    if (field.sign == RawSign::none) return bits;
    if (field.sign == RawSign::flipped) bits ^= sign_bit(field.width);
    return bits & sign_bit(field.width) ? bits | ~mask_of(field.width) : bits;
}

std::uint64_t narrow(const RawField& field, std::uint64_t bits) {
    if (field.sign == RawSign::flipped) bits ^= sign_bit(field.width);
    if (field.complement) bits = ~bits;
    return bits & mask_of(field.width);
}

std::uint64_t unzigzag(std::uint64_t bits) { return bits >> 1 ^ (0 - (bits & 1)); }
std::uint64_t zigzag(std::uint64_t bits) { return bits << 1 ^ (0 - (bits >> 63)); }

bool fits(const RawField& field, std::uint64_t bits) {
    if (field.part == RawPart::varint) return true;
    return widen(field, narrow(field, bits)) == bits;
}

template <typename Integer>
ValueView little_endian(Kind kind, Integer value, Bytes& buffer) {
    const auto bits = static_cast<std::make_unsigned_t<Integer>>(value);
    buffer.clear();
    append_fixed(bits, sizeof value, RawOrder::little, buffer);
    return {kind, buffer};
}

}  // namespace

bool is_signed(const RawField& field) {
    if (field.part == RawPart::varint) return field.varint == RawVarint::zigzag;
    return field.sign != RawSign::none;
}

bool take_raw_number(const RawField& field, BytesView& in, std::uint64_t& bits) {
    if (field.part == RawPart::integer) {
        if (!take_fixed(in, field.width, field.order, bits)) return false;
        bits = widen(field, bits);
        return true;
    }
    if (!take_any_varint(field.varint, in, bits)) return false;
    if (field.varint == RawVarint::zigzag) bits = unzigzag(bits);
    return true;
}

void append_raw_number(const RawField& field, std::uint64_t bits, Bytes& out) {
    if (field.part == RawPart::integer) {
        return append_fixed(narrow(field, bits), field.width, field.order, out);
    }
    append_any_varint(field.varint, field.varint == RawVarint::zigzag ? zigzag(bits) : bits, out);
}

bool take_raw_length(const RawField& field, BytesView& in, std::uint64_t& length) {
    if (field.width > 0) return take_fixed(in, field.width, field.order, length);
    return take_any_varint(field.varint, in, length);
}

bool append_raw_length(const RawField& field, std::uint64_t length, Bytes& out) {
    if (field.width == 0) {
        append_any_varint(field.varint, length, out);
        return true;
    }
    if (length > mask_of(field.width)) return false;
    append_fixed(length, field.width, field.order, out);
    return true;
}

ValueView raw_number_value(const RawField& field, std::uint64_t bits, Bytes& buffer) {
    const auto integer = static_cast<std::int64_t>(bits);
    if (field.kind == Kind::int32) {
        return little_endian(Kind::int32, static_cast<std::int32_t>(integer), buffer);
    }
    if (field.kind == Kind::int64) return little_endian(Kind::int64, integer, buffer);
    char digits[24];
    const std::to_chars_result end = is_signed(field)
                                         ? std::to_chars(digits, digits + sizeof digits, integer)
                                         : std::to_chars(digits, digits + sizeof digits, bits);
    buffer.assign(digits, end.ptr);
    return {Kind::number, buffer};
}

std::optional<std::uint64_t> raw_number_bits(const RawField& field, const ValueView& value) {
    Bytes scratch;
    const std::optional<BytesView> text = canonical_number(value, scratch);
    if (!text) return std::nullopt;
    std::optional<std::uint64_t> bits;
    if (is_signed(field)) {
        if (const auto integer = integer_from_text<std::int64_t>(*text)) {
            bits = static_cast<std::uint64_t>(*integer);
        }
    } else {
        bits = integer_from_text<std::uint64_t>(*text);
    }
    return bits && fits(field, *bits) ? bits : std::nullopt;
}

}  // namespace idxfsck::store
