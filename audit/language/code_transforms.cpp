#include <array>

#include "audit/language/transforms.hpp"
#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Base64Style;
using store::BytesView;
using store::Kind;
using store::ValueView;

constexpr BytesView digits_lower = "0123456789abcdef";
constexpr BytesView digits_upper = "0123456789ABCDEF";

constexpr Base64Style standard{false, true};
constexpr Base64Style standard_bare{false, false};
constexpr Base64Style url_padded{true, true};
constexpr Base64Style url_bare{true, false};

bool is_alphanumeric(char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z');
}

// What encoded bytes were before: text if they are UTF-8, as almost all keys are.
bool give_decoded(Scratch& scratch, ValueView& value, BytesView bytes) {
    const Kind kind = store::is_utf8(bytes) ? Kind::text : Kind::binary;
    value = {kind, scratch.arena.copy(bytes)};
    return true;
}

template <const Base64Style& Style>
bool base64(const Arguments&, Scratch& scratch, ValueView& value) {
    scratch.number.clear();
    store::append_base64(scratch.number, value.payload, Style);
    return give_text(value, scratch.arena.copy(scratch.number));
}

template <const Base64Style& Style>
bool unbase64(const Arguments&, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::text) return false;
    const std::optional<store::Bytes> bytes = store::from_base64(value.payload, Style);
    return bytes && give_decoded(scratch, value, *bytes);
}

template <const Base64Style& Style>
Alphabet base64_alphabet(const Arguments&) {
    return {[](char character) {
                if (is_alphanumeric(character)) return true;
                if (character == '=') return Style.padding;
                return Style.url ? character == '-' || character == '_'
                                 : character == '+' || character == '/';
            },
            0};
}

template <const BytesView& Digits>
bool hex(const Arguments&, Scratch& scratch, ValueView& value) {
    char* const out = scratch.arena.allocate(value.payload.size() * 2);
    for (std::size_t index = 0; index < value.payload.size(); ++index) {
        const auto byte = static_cast<unsigned char>(value.payload[index]);
        out[2 * index] = Digits[byte >> 4];
        out[2 * index + 1] = Digits[byte & 15];
    }
    return give_text(value, {out, value.payload.size() * 2});
}

template <const BytesView& Digits>
bool unhex(const Arguments&, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::text || value.payload.size() % 2 != 0) return false;
    if (value.payload.find_first_not_of(Digits) != BytesView::npos) return false;
    const std::size_t size = value.payload.size() / 2;
    char* const out = scratch.arena.allocate(size);
    for (std::size_t index = 0; index < size; ++index) {
        const std::size_t high = Digits.find(value.payload[2 * index]);
        const std::size_t low = Digits.find(value.payload[2 * index + 1]);
        out[index] = static_cast<char>(high << 4 | low);
    }
    value = {store::is_utf8({out, size}) ? Kind::text : Kind::binary, {out, size}};
    return true;
}

Alphabet hex_alphabet(const Arguments&) {
    return {is_alphanumeric, 0};
}

bool is_kept(const Arguments& arguments, char character) {
    if (is_alphanumeric(character) || BytesView{"-._~"}.find(character) != BytesView::npos) {
        return true;
    }
    return arguments.size() > 0 && arguments.texts[0].find(character) != std::string::npos;
}

bool url_escape(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const BytesView text = value.payload;
    char* const out = scratch.arena.allocate(text.size() * 3);
    std::size_t written = 0;
    for (const char character : text) {
        if (is_kept(arguments, character)) {
            out[written++] = character;
            continue;
        }
        const auto byte = static_cast<unsigned char>(character);
        out[written++] = '%';
        out[written++] = digits_upper[byte >> 4];
        out[written++] = digits_upper[byte & 15];
    }
    scratch.arena.give_back(text.size() * 3 - written);
    return give_text(value, {out, written});
}

bool url_unescape(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::text) return false;
    const BytesView text = value.payload;
    char* const out = scratch.arena.allocate(text.size());
    std::size_t written = 0;
    for (std::size_t index = 0; index < text.size(); ++index) {
        if (text[index] != '%') {
            if (!is_kept(arguments, text[index])) return false;
            out[written++] = text[index];
            continue;
        }
        if (index + 2 >= text.size()) return false;
        const std::size_t high = digits_upper.find(text[index + 1]);
        const std::size_t low = digits_upper.find(text[index + 2]);
        if (high == BytesView::npos || low == BytesView::npos) return false;
        const char character = static_cast<char>(high << 4 | low);
        if (is_kept(arguments, character)) return false;
        out[written++] = character;
        index += 2;
    }
    return give_text(value, {out, written});
}

std::string check_kept(const Arguments& arguments) {
    const bool percent = arguments.size() > 0 && arguments.texts[0].find('%') != std::string::npos;
    return percent ? "% cannot stay as it is: it marks what was escaped" : "";
}

Alphabet escaped_alphabet(const Arguments& arguments) {
    if (arguments.size() > 0) return {};
    return {[](char character) { return is_alphanumeric(character) || character == '%' ||
                                        BytesView{"-._~"}.find(character) != BytesView::npos; },
            0};
}

// The two together: not one-to-one, so it is a transform of its own only for its name.
template <bool (*Decode)(const Arguments&, Scratch&, ValueView&)>
bool decode(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    return Decode(arguments, scratch, value) || refuse(scratch, Damage::key_characters);
}

template <bool (*Encode)(const Arguments&, Scratch&, ValueView&)>
bool encode(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::text && value.kind != Kind::binary) return false;
    return Encode(arguments, scratch, value);
}

const std::array<TransformInfo, 12> table{{
    {"base64", "", "Base64 of the bytes, standard alphabet, with padding.", Takes::bytes,
     Gives::text, "", base64<standard>, unbase64<standard>, nullptr, base64_alphabet<standard>},
    {"base64_bare", "", "Base64, standard alphabet, without padding.", Takes::bytes, Gives::text,
     "", base64<standard_bare>, unbase64<standard_bare>, nullptr, base64_alphabet<standard_bare>},
    {"base64url", "", "Base64 with - and _ for + and /, with padding.", Takes::bytes, Gives::text,
     "", base64<url_padded>, unbase64<url_padded>, nullptr, base64_alphabet<url_padded>},
    {"base64url_bare", "", "Base64 with - and _ for + and /, without padding.", Takes::bytes,
     Gives::text, "", base64<url_bare>, unbase64<url_bare>, nullptr, base64_alphabet<url_bare>},
    {"from_base64", "", "The bytes that standard base64 with padding stands for.", Takes::text,
     Gives::same, "", decode<unbase64<standard>>, encode<base64<standard>>},
    {"from_base64url", "", "The bytes that base64 with - and _, without padding, stands for.",
     Takes::text, Gives::same, "", decode<unbase64<url_bare>>, encode<base64<url_bare>>},
    {"hex", "", "Lower-case hexadecimal of the bytes.", Takes::bytes, Gives::text, "",
     hex<digits_lower>, unhex<digits_lower>, nullptr, hex_alphabet},
    {"hex_upper", "", "Upper-case hexadecimal of the bytes.", Takes::bytes, Gives::text, "",
     hex<digits_upper>, unhex<digits_upper>, nullptr, hex_alphabet},
    {"from_hex", "", "The bytes that lower-case hexadecimal stands for.", Takes::text, Gives::same,
     "", decode<unhex<digits_lower>>, encode<hex<digits_lower>>},
    {"from_hex_upper", "", "The bytes that upper-case hexadecimal stands for.", Takes::text,
     Gives::same, "", decode<unhex<digits_upper>>, encode<hex<digits_upper>>},
    {"url_escape", "['kept']",
     "Percent-escapes of all bytes but letters, digits, -._~ and those named (RFC 3986; "
     "JavaScript's encodeURIComponent keeps \"!'()*\" too).",
     Takes::text, Gives::text, "T", url_escape, url_unescape, check_kept, escaped_alphabet},
    {"url_unescape", "['kept']", "The text that was percent-escaped so.", Takes::text, Gives::text,
     "T", decode<url_unescape>, encode<url_escape>, check_kept},
}};

}  // namespace

std::span<const TransformInfo> code_transforms() {
    return table;
}

}  // namespace idxfsck::audit::language
