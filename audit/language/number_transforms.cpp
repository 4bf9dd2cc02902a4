#include <algorithm>
#include <array>

#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::ValueView;

// Wide enough for 38 digits, the most that the stores keep.
__extension__ using Whole = __int128;
__extension__ using Bits = unsigned __int128;

constexpr std::size_t digits_max = 38;
constexpr std::int64_t width_max = 16;

// The canonical text of a whole number; false for one with a fraction, or too long.
bool parse_whole(BytesView text, Whole& number) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > digits_max) return false;
    number = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9') return false;
        number = number * 10 + (digit - '0');
    }
    if (negative) number = -number;
    return true;
}

bool take_whole(Scratch& scratch, const ValueView& value, Whole& number) {
    return parse_whole(value.payload, number) || refuse(scratch, Damage::key_wrong_type);
}

bool give_whole(Scratch& scratch, ValueView& value, Whole number) {
    std::array<char, digits_max + 3> digits;
    std::size_t begin = digits.size();
    Bits rest = number < 0 ? -static_cast<Bits>(number) : static_cast<Bits>(number);
    do {
        digits[--begin] = static_cast<char>('0' + static_cast<int>(rest % 10));
        rest /= 10;
    } while (rest != 0 && begin > 1);
    if (number < 0) digits[--begin] = '-';
    value = {Kind::number, scratch.arena.copy({digits.data() + begin, digits.size() - begin})};
    return true;
}

// What an inversion gets may be any value; canonical spelling is part of being the one inverse.
bool whole_of(Scratch& scratch, ValueView value, Whole& number) {
    if (!store::is_numeric(value.kind)) return false;
    return make_fit(Takes::number, scratch, value) && parse_whole(value.payload, number);
}

bool plus(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    return give_whole(scratch, value, number + arguments.numbers[0]);
}

bool minus(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    return give_whole(scratch, value, number - arguments.numbers[0]);
}

bool max_minus(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    return give_whole(scratch, value, arguments.numbers[0] - number);
}

template <int Sign>
bool shift_back(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!whole_of(scratch, value, number)) return false;
    return give_whole(scratch, value, number - Sign * static_cast<Whole>(arguments.numbers[0]));
}

bool from_max(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    return whole_of(scratch, value, number) &&
           give_whole(scratch, value, arguments.numbers[0] - number);
}

Whole floor_to(Whole number, Whole step) {
    const Whole rest = number % step;
    return number - (rest < 0 ? rest + step : rest);
}

bool round_down(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    return give_whole(scratch, value, floor_to(number, arguments.numbers[0]));
}

bool mod(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    return give_whole(scratch, value, number - floor_to(number, arguments.numbers[0]));
}

std::string check_step(const Arguments& arguments) {
    return arguments.numbers[0] > 0 ? "" : "a whole number from 1 on";
}

bool pad(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    // A sign would sort before the digits.
    if (number < 0) return refuse(scratch, Damage::key_wrong_type);
    const auto width = static_cast<std::size_t>(arguments.numbers[0]);
    if (value.payload.size() >= width) return give_text(value, value.payload);
    char* const out = scratch.arena.allocate(width);
    const std::size_t zeros = width - value.payload.size();
    std::fill_n(out, zeros, '0');
    std::copy(value.payload.begin(), value.payload.end(), out + zeros);
    return give_text(value, {out, width});
}

bool unpad(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const auto width = static_cast<std::size_t>(arguments.numbers[0]);
    BytesView digits = value.payload;
    const bool padded = digits.size() == width || (digits.size() > width && digits[0] != '0');
    if (value.kind != Kind::text || !padded) return false;
    while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
    Whole number = 0;
    const bool right = !digits.starts_with('-') && parse_whole(digits, number);
    return right && give_whole(scratch, value, number);
}

std::string check_pad(const Arguments& arguments) {
    const bool fits = arguments.numbers[0] > 0 && arguments.numbers[0] <= 1024;
    return fits ? "" : "out of range: 1 to 1024";
}

Alphabet digit_alphabet(const Arguments&) {
    return {[](char character) { return character >= '0' && character <= '9'; }, 0};
}

std::string check_width(const Arguments& arguments) {
    const bool fits = arguments.numbers[0] > 0 && arguments.numbers[0] <= width_max;
    return fits ? "" : "out of range: 1 to 16 bytes";
}

Bits sign_bit(std::size_t width) {
    return static_cast<Bits>(1) << (8 * width - 1);
}

bool fits_bits(Whole number, std::size_t width, bool with_sign) {
    if (width == width_max) return with_sign || number >= 0;
    const Whole half = static_cast<Whole>(sign_bit(width));
    if (with_sign) return number >= -half && number < half;
    return number >= 0 && number < 2 * half;
}

// A whole number in so many bytes. With a sign, the sign bit is flipped: the bytes sort as the
// numbers do.
template <bool Big, bool Signed>
bool to_bytes(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const auto width = static_cast<std::size_t>(arguments.numbers[0]);
    Whole number = 0;
    if (!take_whole(scratch, value, number)) return false;
    if (!fits_bits(number, width, Signed)) return refuse(scratch, Damage::key_too_long);
    Bits bits = static_cast<Bits>(number);
    if (Signed) bits ^= sign_bit(width);
    char* const out = scratch.arena.allocate(width);
    for (std::size_t index = 0; index < width; ++index) {
        out[Big ? width - 1 - index : index] = static_cast<char>(bits >> (8 * index));
    }
    value = {Kind::binary, {out, width}};
    return true;
}

template <bool Big, bool Signed>
bool from_bytes(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const auto width = static_cast<std::size_t>(arguments.numbers[0]);
    const bool bytes = value.kind == Kind::binary || value.kind == Kind::text;
    if (!bytes || value.payload.size() != width) return false;
    Bits bits = 0;
    for (std::size_t index = 0; index < width; ++index) {
        const char byte = value.payload[Big ? index : width - 1 - index];
        bits = bits << 8 | static_cast<unsigned char>(byte);
    }
    if (Signed) bits ^= sign_bit(width);
    // Of the negative numbers of a narrow width the upper bits are all ones.
    if (Signed && width < width_max && (bits & sign_bit(width)) != 0) bits -= sign_bit(width) * 2;
    const auto number = static_cast<Whole>(bits);
    if (!fits_bits(number, width, Signed)) return false;
    return give_whole(scratch, value, number);
}

template <bool Big>
bool read_bytes(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    // A text of as many bytes is not what the inverse would give.
    const bool read =
        value.kind == Kind::binary && from_bytes<Big, false>(arguments, scratch, value);
    return read || refuse(scratch, Damage::key_wrong_type);
}

bool complement(const Arguments&, Scratch& scratch, ValueView& value) {
    const std::size_t size = value.payload.size();
    char* const out = scratch.arena.allocate(size);
    std::transform(value.payload.begin(), value.payload.end(), out,
                   [](char byte) { return static_cast<char>(~byte); });
    value = {Kind::binary, {out, size}};
    return true;
}

bool uncomplement(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::binary && value.kind != Kind::text) return false;
    return complement(arguments, scratch, value);
}

const std::array<TransformInfo, 12> table{{
    {"plus", "(number)", "A whole number more.", Takes::number, Gives::number, "n", plus,
     shift_back<1>},
    {"minus", "(number)", "A whole number less.", Takes::number, Gives::number, "n", minus,
     shift_back<-1>},
    {"max_minus", "(maximum)", "The maximum less the number: the newest first.", Takes::number,
     Gives::number, "n", max_minus, from_max},
    {"round_down", "(step)", "Down to a multiple of the step, for buckets.", Takes::number,
     Gives::number, "n", round_down, nullptr, check_step},
    {"mod", "(divisor)", "What is left of a division, from 0 on.", Takes::number, Gives::number,
     "n", mod, nullptr, check_step},
    {"pad", "(digits)", "Zeros before a whole number from 0 on, up to so many digits.",
     Takes::number, Gives::text, "n", pad, unpad, check_pad, digit_alphabet},
    {"big_endian", "(bytes)", "A whole number from 0 on in so many bytes, highest first.",
     Takes::number, Gives::binary, "n", to_bytes<true, false>, from_bytes<true, false>,
     check_width},
    {"big_endian_signed", "(bytes)",
     "As big_endian with the sign bit flipped, so that negative numbers sort before the others.",
     Takes::number, Gives::binary, "n", to_bytes<true, true>, from_bytes<true, true>, check_width},
    {"little_endian", "(bytes)", "A whole number from 0 on in so many bytes, lowest first.",
     Takes::number, Gives::binary, "n", to_bytes<false, false>, from_bytes<false, false>,
     check_width},
    {"from_big_endian", "(bytes)", "The whole number that so many bytes are, highest first.",
     Takes::bytes, Gives::number, "n", read_bytes<true>, to_bytes<true, false>, check_width},
    {"from_little_endian", "(bytes)", "The whole number that so many bytes are, lowest first.",
     Takes::bytes, Gives::number, "n", read_bytes<false>, to_bytes<false, false>, check_width},
    {"complement", "", "Every bit turned about: the newest first.", Takes::bytes, Gives::binary, "",
     complement, uncomplement},
}};

}  // namespace

std::span<const TransformInfo> number_transforms() {
    return table;
}

}  // namespace idxfsck::audit::language
