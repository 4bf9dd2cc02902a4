#include "store/json/scalar_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <simdjson.h>

namespace idxfsck::store {

namespace {

constexpr std::size_t exponent_digits_max = 9;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Takes digits off the front; how many.
std::size_t take_digits(BytesView& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    const auto count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
}

bool take(BytesView& text, char character) {
    if (!text.starts_with(character)) return false;
    text.remove_prefix(1);
    return true;
}

int hex_value(char character) {
    if (is_digit(character)) return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    if (character >= 'A' && character <= 'F') return character - 'A' + 10;
    return -1;
}

// The size of the UTF-8 sequence at the front of `bytes`; 0 if it is none. RFC 3629, table 3-7 of
// the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
std::size_t sequence_size(BytesView bytes) {
    const auto at = [&](std::size_t index) {
        return index < bytes.size() ? static_cast<std::uint8_t>(bytes[index]) : std::uint8_t{0};
    };
    const std::uint8_t first = at(0);
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return 0;
    const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const std::uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const std::uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (at(1) < low || at(1) > high) return 0;
    for (std::size_t index = 2; index < size; ++index) {
        if ((at(index) & 0xc0) != 0x80) return 0;
    }
    return size;
}

void append_escape(Bytes& out, unsigned code) {
    constexpr std::string_view digits = "0123456789abcdef";
    out.append("\\u00").push_back(digits[code >> 4]);
    out.push_back(digits[code & 15]);
}

void append_json_control(Bytes& out, char character) {
    switch (character) {
        case '"': out.append("\\\""); break;
        case '\\': out.append("\\\\"); break;
        case '\b': out.append("\\b"); break;
        case '\f': out.append("\\f"); break;
        case '\n': out.append("\\n"); break;
        case '\r': out.append("\\r"); break;
        case '\t': out.append("\\t"); break;
        default: append_escape(out, static_cast<std::uint8_t>(character));
    }
}

}  // namespace

bool is_number(BytesView text) {
    take(text, '-');
    if (take_digits(text) == 0) return false;
    if (take(text, '.') && take_digits(text) == 0) return false;
    if (take(text, 'e') || take(text, 'E')) {
        if (!take(text, '-')) take(text, '+');
        const std::size_t digits = take_digits(text);
        if (digits == 0 || digits > exponent_digits_max) return false;
    }
    return text.empty();
}

bool is_json_number(BytesView text) {
    if (!is_number(text)) return false;
    take(text, '-');
    return !text.starts_with('0') || text.size() == 1 || !is_digit(text[1]);
}

bool is_utf8(BytesView bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

std::size_t valid_utf8_size(BytesView bytes) {
    std::size_t size = 0;
    while (size < bytes.size()) {
        const std::size_t step = sequence_size(bytes.substr(size));
        if (step == 0) break;
        size += step;
    }
    return size;
}

void append_real(Bytes& out, double value) {
    if (std::isnan(value)) {
        out.append("NaN");
    } else if (std::isinf(value)) {
        out.append(value < 0 ? "-Infinity" : "Infinity");
    } else {
        char buffer[32];
        const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
        out.append(buffer, end.ptr);
    }
}

std::optional<double> real_from_text(BytesView text) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    if (!is_number(text)) return std::nullopt;
    double value = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return value;
}

void append_guid(Bytes& out, BytesView sixteen) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t index = 0; index < sixteen.size(); ++index) {
        if (index == 4 || index == 6 || index == 8 || index == 10) out.push_back('-');
        const auto byte = static_cast<std::uint8_t>(sixteen[index]);
        out.push_back(digits[byte >> 4]);
        out.push_back(digits[byte & 15]);
    }
}

std::optional<Bytes> guid_from_text(BytesView text) {
    if (text.size() != 36) return std::nullopt;
    Bytes digits;
    for (std::size_t index = 0; index < text.size(); ++index) {
        const bool dash = index == 8 || index == 13 || index == 18 || index == 23;
        if (dash != (text[index] == '-')) return std::nullopt;
        if (!dash) digits.push_back(text[index]);
    }
    return from_hex(digits);
}

std::optional<Bytes> from_hex(BytesView text) {
    if (text.size() % 2 != 0) return std::nullopt;
    Bytes out;
    out.reserve(text.size() / 2);
    for (std::size_t index = 0; index < text.size(); index += 2) {
        const int high = hex_value(text[index]);
        const int low = hex_value(text[index + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out.push_back(static_cast<char>(high << 4 | low));
    }
    return out;
}

void append_json_string(Bytes& out, BytesView text) {
    out.push_back('"');
    std::size_t done = 0;
    for (std::size_t index = 0; index < text.size(); ++index) {
        const auto byte = static_cast<std::uint8_t>(text[index]);
        const bool c1 = byte == 0xc2 && index + 1 < text.size() &&
                        static_cast<std::uint8_t>(text[index + 1]) < 0xa0;
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f && !c1) continue;
        out.append(text.substr(done, index - done));
        if (c1) {
            append_escape(out, static_cast<std::uint8_t>(text[++index]));
        } else {
            append_json_control(out, text[index]);
        }
        done = index + 1;
    }
    out.append(text.substr(done));
    out.push_back('"');
}

}  // namespace idxfsck::store
