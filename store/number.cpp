#include "store/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace idxfsck::store {

namespace {

constexpr std::int64_t plain_digits_max = 40;
constexpr std::size_t exponent_digits_max = 9;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// The end of the digits that start at `from`.
std::size_t skip_digits(BytesView text, std::size_t from) {
    while (from < text.size() && is_digit(text[from])) ++from;
    return from;
}

// Reads `(e|E)[+-]digits` from `from` to the end of `text`.
bool read_exponent(BytesView text, std::size_t from, std::int64_t& exponent) {
    ++from;
    const bool negative = from < text.size() && text[from] == '-';
    if (from < text.size() && (text[from] == '-' || text[from] == '+')) ++from;
    if (from == text.size() || skip_digits(text, from) != text.size()) return false;
    while (from < text.size() && text[from] == '0') ++from;
    if (text.size() - from > exponent_digits_max) return false;
    exponent = 0;
    for (; from < text.size(); ++from) exponent = exponent * 10 + (text[from] - '0');
    if (negative) exponent = -exponent;
    return true;
}

// Is the text of this number its own canonical spelling? Says no in doubt.
bool is_canonical(BytesView text) {
    const std::size_t begin = !text.empty() && text[0] == '-' ? 1 : 0;
    const std::size_t point = skip_digits(text, begin);
    if (point == begin || text.size() > plain_digits_max) return false;
    if (text[begin] == '0' && (point - begin > 1 || begin == 1)) return false;
    if (point == text.size()) return true;
    if (text[point] != '.') return false;
    const std::size_t end = skip_digits(text, point + 1);
    return end == text.size() && end > point + 1 && text[end - 1] != '0';
}

void append_plain(Bytes& out, BytesView digits, std::int64_t exponent) {
    const auto count = static_cast<std::int64_t>(digits.size());
    if (exponent <= 0) {
        out.append("0.").append(static_cast<std::size_t>(-exponent), '0').append(digits);
    } else if (exponent >= count) {
        out.append(digits).append(static_cast<std::size_t>(exponent - count), '0');
    } else {
        out.append(digits.substr(0, static_cast<std::size_t>(exponent))).push_back('.');
        out.append(digits.substr(static_cast<std::size_t>(exponent)));
    }
}

void append_scientific(Bytes& out, BytesView digits, std::int64_t exponent) {
    out.push_back(digits[0]);
    if (digits.size() > 1) out.append(".").append(digits.substr(1));
    out.append(exponent > 0 ? "e+" : "e-");
    char text[24];
    const std::int64_t magnitude = exponent > 0 ? exponent - 1 : 1 - exponent;
    out.append(text, std::to_chars(text, text + sizeof text, magnitude).ptr);
}

BytesView write_integer(std::int64_t value, Bytes& scratch) {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    scratch.assign(text, end);
    return scratch;
}

BytesView canonical_real(double value, Bytes& scratch) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    constexpr double integers_exact_max = 9007199254740992.0;  // 2^53
    if (std::trunc(value) == value && std::abs(value) <= integers_exact_max) {
        return write_integer(static_cast<std::int64_t>(value), scratch);
    }
    char shortest[48];
    const auto end = std::to_chars(shortest, shortest + sizeof shortest, value).ptr;
    Bytes digits;
    const std::optional<Decimal> decimal = parse_decimal({shortest, end}, digits);
    scratch.clear();
    append_decimal(scratch, *decimal);
    return scratch;
}

BytesView strip_trailing_zeros(BytesView digits) {
    while (!digits.empty() && digits.back() == '0') digits.remove_suffix(1);
    return digits;
}

}  // namespace

std::optional<Decimal> parse_decimal(BytesView text, Bytes& scratch) {
    Decimal out;
    out.negative = !text.empty() && text[0] == '-';
    if (out.negative) text.remove_prefix(1);
    const std::size_t whole_end = skip_digits(text, 0);
    if (whole_end == 0) return std::nullopt;
    std::size_t end = whole_end;
    if (end < text.size() && text[end] == '.') {
        end = skip_digits(text, whole_end + 1);
        if (end == whole_end + 1) return std::nullopt;
    }
    std::int64_t exponent = 0;
    if (end < text.size()) {
        if (text[end] != 'e' && text[end] != 'E') return std::nullopt;
        if (!read_exponent(text, end, exponent)) return std::nullopt;
    }
    BytesView digits = text.substr(0, whole_end);
    if (end > whole_end) {
        scratch.assign(digits).append(text.substr(whole_end + 1, end - whole_end - 1));
        digits = scratch;
    }
    const std::size_t leading = std::min(digits.find_first_not_of('0'), digits.size());
    out.digits = strip_trailing_zeros(digits.substr(leading));
    if (out.digits.empty()) return Decimal{};
    out.exponent = exponent + static_cast<std::int64_t>(whole_end) -
                   static_cast<std::int64_t>(leading);
    if (!is_decimal_exponent(out.exponent)) return std::nullopt;
    return out;
}

void append_decimal(Bytes& out, const Decimal& decimal) {
    if (decimal.digits.empty()) {
        out.push_back('0');
        return;
    }
    if (decimal.negative) out.push_back('-');
    const auto count = static_cast<std::int64_t>(decimal.digits.size());
    const std::int64_t whole = std::max<std::int64_t>(decimal.exponent, 1);
    const std::int64_t fraction = std::max<std::int64_t>(count - decimal.exponent, 0);
    if (whole + fraction > plain_digits_max) {
        append_scientific(out, decimal.digits, decimal.exponent);
    } else {
        append_plain(out, decimal.digits, decimal.exponent);
    }
}

std::optional<BytesView> canonical_number(const ValueView& value, Bytes& scratch) {
    switch (value.kind) {
        case Kind::int32:
        case Kind::int64: return write_integer(value.as_integer(), scratch);
        case Kind::real: return canonical_real(value.as_real(), scratch);
        case Kind::number: break;
        default: return std::nullopt;
    }
    if (is_canonical(value.payload)) return value.payload;
    Bytes digits;
    const std::optional<Decimal> decimal = parse_decimal(value.payload, digits);
    if (!decimal) return std::nullopt;
    scratch.clear();
    append_decimal(scratch, *decimal);
    return scratch;
}

}  // namespace idxfsck::store
