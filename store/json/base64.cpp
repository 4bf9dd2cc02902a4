#include "store/json/base64.hpp"

#include <array>

namespace idxfsck::store {

namespace {

constexpr std::string_view standard_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> inverse(std::string_view digits) {
    std::array<std::uint8_t, 256> table{};
    table.fill(no_digit);
    for (std::size_t index = 0; index < digits.size(); ++index) {
        table[static_cast<std::uint8_t>(digits[index])] = static_cast<std::uint8_t>(index);
    }
    return table;
}

constexpr std::array<std::uint8_t, 256> standard_inverse = inverse(standard_digits);
constexpr std::array<std::uint8_t, 256> url_inverse = inverse(url_digits);

std::uint32_t byte_at(BytesView bytes, std::size_t index) {
    return index < bytes.size() ? static_cast<std::uint8_t>(bytes[index]) : 0;
}

// Takes '=' off the end. False if there are not exactly as many as the style calls for.
bool take_padding(BytesView& text, bool padding) {
    if (!padding) return text.size() % 4 != 1;
    if (text.size() % 4 != 0) return false;
    for (int count = 0; count < 2 && text.ends_with('='); ++count) text.remove_suffix(1);
    return true;
}

}  // namespace

void append_base64(Bytes& out, BytesView bytes, Base64Style style) {
    const std::string_view digits = style.url ? url_digits : standard_digits;
    out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
    for (std::size_t index = 0; index < bytes.size(); index += 3) {
        const std::uint32_t group = byte_at(bytes, index) << 16 | byte_at(bytes, index + 1) << 8 |
                                    byte_at(bytes, index + 2);
        const std::size_t characters = bytes.size() - index >= 3 ? 4 : bytes.size() - index + 1;
        for (std::size_t place = 0; place < 4; ++place) {
            if (place < characters) {
                out.push_back(digits[group >> (18 - 6 * place) & 63]);
            } else if (style.padding) {
                out.push_back('=');
            }
        }
    }
}

Bytes to_base64(BytesView bytes, Base64Style style) {
    Bytes out;
    append_base64(out, bytes, style);
    return out;
}

std::optional<Bytes> from_base64(BytesView text, Base64Style style) {
    if (!take_padding(text, style.padding) || text.size() % 4 == 1) return std::nullopt;
    const std::array<std::uint8_t, 256>& values = style.url ? url_inverse : standard_inverse;
    Bytes out;
    out.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int bit_count = 0;
    for (const char character : text) {
        const std::uint8_t value = values[static_cast<std::uint8_t>(character)];
        if (value == no_digit) return std::nullopt;
        bits = bits << 6 | value;
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        out.push_back(static_cast<char>(bits >> bit_count & 0xff));
        bits &= (1U << bit_count) - 1;
    }
    if (bits != 0) return std::nullopt;
    return out;
}

}  // namespace idxfsck::store
