#include "store/rocksdb/raw_field.hpp"

#include <algorithm>

#include "store/json/bare_json.hpp"
#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/value_text.hpp"
#include "store/rocksdb/raw_number.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t json_bytes_max = 64 << 20;
constexpr std::size_t guid_size = 16;

bool is_json(const RawField& field) {
    return field.form == RawForm::json || field.form == RawForm::typed_json;
}

bool is_number_field(const RawField& field) {
    return field.part == RawPart::integer || field.part == RawPart::varint;
}

void turn(Bytes& bytes) {
    for (char& byte : bytes) byte = static_cast<char>(~byte);
}

Base64Style base64_style(RawForm form) {
    const bool url = form == RawForm::base64_url;
    return {url, !url};
}

void append_upper_hex(BytesView bytes, Bytes& out) {
    out = to_hex(bytes);
    for (char& digit : out) {
        if (digit >= 'a') digit = static_cast<char>(digit - 'a' + 'A');
    }
}

// Nothing but what showing the bytes would give: digits of the other case are another text.
std::optional<Bytes> bytes_of_hex(BytesView text, RawForm form) {
    const char first = form == RawForm::hex ? 'A' : 'a';
    const auto other_case = [&](char digit) { return digit >= first && digit <= first + 5; };
    if (std::any_of(text.begin(), text.end(), other_case)) return std::nullopt;
    return from_hex(text);
}

std::optional<Bytes> bytes_of_json(const RawField& field, const ValueView& value) {
    Bytes text;
    if (field.form == RawForm::json) {
        if (!append_bare_json(text, value)) return std::nullopt;
    } else {
        append_value_text(text, value, Numbers::exact);
    }
    return text;
}

// The content of a field, before its bits are turned over.
std::optional<Bytes> content_of(const RawField& field, const ValueView& value) {
    const RawForm form = field.form;
    if (is_json(field)) return bytes_of_json(field, value);
    if (form == RawForm::binary || form == RawForm::guid) {
        const bool fits = value.kind == (form == RawForm::guid ? Kind::guid : Kind::binary);
        return fits ? std::optional{Bytes{value.payload}} : std::nullopt;
    }
    if (value.kind != Kind::text) return std::nullopt;
    switch (form) {
        case RawForm::hex:
        case RawForm::hex_upper: return bytes_of_hex(value.payload, form);
        case RawForm::base64:
        case RawForm::base64_url: return from_base64(value.payload, base64_style(form));
        default: break;
    }
    return is_utf8(value.payload) ? std::optional{Bytes{value.payload}} : std::nullopt;
}

// Would the reader find the end where it is?
bool append_ended(const RawField& field, const Bytes& content, Bytes& out) {
    const std::size_t begin = out.size();
    out.append(content).append(field.literal);
    return BytesView{out}.substr(begin).find(field.literal) == content.size();
}

bool append_content(const RawField& field, Bytes content, Bytes& out) {
    if (field.complement) turn(content);
    switch (field.part) {
        case RawPart::bytes:
            if (content.size() != field.width) return false;
            break;
        case RawPart::ended: return append_ended(field, content, out);
        case RawPart::sized:
            if (!append_raw_length(field, content.size(), out)) return false;
            break;
        default: break;
    }
    out.append(content);
    return true;
}

}  // namespace

RawFieldReader::RawFieldReader(const RawField& field) : field_{&field} {
    if (!is_json(field)) return;
    const bool typed = field.form == RawForm::typed_json;
    json_ = std::make_unique<RowParser>(Shape::plain,
                                        typed ? Wrappers::read : Wrappers::literal);
}

std::span<const ParsedAttribute> RawFieldReader::members() const { return json_->attributes(); }

bool RawFieldReader::take(BytesView& in) {
    value_ = {};
    if (field_->part == RawPart::literal) {
        if (!in.starts_with(field_->literal)) return false;
        in.remove_prefix(field_->literal.size());
        return true;
    }
    if (is_number_field(*field_)) {
        std::uint64_t bits = 0;
        if (!take_raw_number(*field_, in, bits)) return false;
        value_ = raw_number_value(*field_, bits, shown_);
        return true;
    }
    BytesView content;
    if (!take_content(in, content)) return false;
    if (field_->complement) {
        turned_ = content;
        turn(turned_);
        content = turned_;
    }
    return show(content);
}

bool RawFieldReader::take_content(BytesView& in, BytesView& content) const {
    std::uint64_t size = in.size();
    switch (field_->part) {
        case RawPart::bytes: size = field_->width; break;
        case RawPart::sized:
            if (!take_raw_length(*field_, in, size)) return false;
            break;
        case RawPart::ended: size = in.find(field_->literal); break;
        default: break;
    }
    if (size == BytesView::npos || !take_bytes(in, size, content)) return false;
    if (field_->part == RawPart::ended) in.remove_prefix(field_->literal.size());
    return true;
}

bool RawFieldReader::show(BytesView content) {
    switch (field_->form) {
        case RawForm::text: value_ = {Kind::text, content}; return is_utf8(content);
        case RawForm::binary: value_ = {Kind::binary, content}; return true;
        case RawForm::guid: value_ = {Kind::guid, content}; return content.size() == guid_size;
        case RawForm::json:
        case RawForm::typed_json: return parse_json(content);
        case RawForm::hex: shown_ = to_hex(content); break;
        case RawForm::hex_upper: append_upper_hex(content, shown_); break;
        case RawForm::base64:
        case RawForm::base64_url:
            shown_.clear();
            append_base64(shown_, content, base64_style(field_->form));
            break;
    }
    value_ = {Kind::text, shown_};
    return true;
}

// A value that is not members is parsed as the one member of an object made around it; bytes that
// would break out of it leave more members than one, or no JSON.
bool RawFieldReader::parse_json(BytesView content) {
    if (content.size() > json_bytes_max) return false;
    padded_.clear();
    if (!field_->members) padded_.append("{\"v\":");
    padded_.append(content);
    if (!field_->members) padded_.push_back('}');
    const std::size_t size = padded_.size();
    padded_.append(line_padding, '\0');
    if (json_->parse(BytesView{padded_}.substr(0, size))) return false;
    if (field_->members) return true;
    if (members().size() != 1) return false;
    value_ = members()[0].value;
    return true;
}

bool append_raw_field(const RawField& field, const ValueView& value, Bytes& out) {
    if (field.part == RawPart::literal) {
        out.append(field.literal);
        return true;
    }
    if (is_number_field(field)) {
        const std::optional<std::uint64_t> bits = raw_number_bits(field, value);
        if (bits) append_raw_number(field, *bits, out);
        return bits.has_value();
    }
    std::optional<Bytes> content = content_of(field, value);
    return content && append_content(field, std::move(*content), out);
}

bool append_raw_members(const RawField& field, std::span<const ParsedAttribute> members,
                        Bytes& out) {
    Bytes text{"{"};
    for (const ParsedAttribute& member : members) {
        const std::optional<Bytes> value = bytes_of_json(field, member.value);
        if (!value || !is_utf8(member.name)) return false;
        if (text.size() > 1) text.push_back(',');
        append_json_string(text, member.name);
        text.append(1, ':').append(*value);
    }
    text.push_back('}');
    return append_content(field, std::move(text), out);
}

}  // namespace idxfsck::store
