#include "store/key_codec.hpp"

#include <algorithm>
#include <cstring>

#include "store/error.hpp"
#include "store/number_codec.hpp"

namespace idxfsck::store {

namespace {

constexpr char zero_escaped = '\xff';  // 00 FF: a zero byte of the text
constexpr char text_end = '\x01';      // 00 01: its end
constexpr std::size_t guid_size = 16;

[[noreturn]] void refuse(BytesView text, const ValueView& component) {
    throw Error{Bytes{text}}.with("kind", kind_name(component.kind));
}

void require_size(const ValueView& component, std::size_t size) {
    if (component.payload.size() != size) {
        refuse("a key component does not have the size of its kind", component);
    }
}

void append_reversed(Bytes& out, BytesView bytes) { out.append(bytes.rbegin(), bytes.rend()); }

void append_integer(Bytes& out, const ValueView& component, std::size_t size) {
    require_size(component, size);
    append_reversed(out, component.payload);
    out[out.size() - size] ^= '\x80';
}

// Flips the sign bit of a positive and all bits of a negative: the order of the bits, read as an
// unsigned integer, is then the order of the numbers.
void flip_real(char* bytes, bool negative) {
    if (!negative) {
        bytes[0] ^= '\x80';
        return;
    }
    for (std::size_t index = 0; index < 8; ++index) bytes[index] = static_cast<char>(~bytes[index]);
}

void append_real(Bytes& out, const ValueView& component) {
    require_size(component, 8);
    append_reversed(out, component.payload);
    char* const bytes = out.data() + out.size() - 8;
    flip_real(bytes, (bytes[0] & '\x80') != 0);
}

void append_string(Bytes& out, BytesView text) {
    while (!text.empty()) {
        const std::size_t zero = text.find('\0');
        out.append(text.substr(0, zero));
        if (zero == BytesView::npos) break;
        out.push_back('\0');
        out.push_back(zero_escaped);
        text.remove_prefix(zero + 1);
    }
    out.push_back('\0');
    out.push_back(text_end);
}

void append_decimal_component(Bytes& out, const ValueView& component) {
    Bytes scratch;
    const std::optional<Decimal> decimal = parse_decimal(component.payload, scratch);
    if (!decimal) refuse("a key component is no number", component);
    append_number(out, *decimal);
}

template <typename Component>
Bytes encode(std::span<const Component> key) {
    Bytes out;
    for (const Component& component : key) append_key_component(out, component);
    return out;
}

}  // namespace

void append_key_component(Bytes& out, const ValueView& component) {
    out.push_back(static_cast<char>(component.kind));
    switch (component.kind) {
        case Kind::null: require_size(component, 0); return;
        case Kind::boolean:
            require_size(component, 1);
            if (component.payload[0] & ~1) refuse("a key component is no boolean", component);
            out.push_back(component.payload[0]);
            return;
        case Kind::int32: append_integer(out, component, 4); return;
        case Kind::int64:
        case Kind::date_time: append_integer(out, component, 8); return;
        case Kind::real: append_real(out, component); return;
        case Kind::number: append_decimal_component(out, component); return;
        case Kind::text:
        case Kind::binary: append_string(out, component.payload); return;
        case Kind::guid:
            require_size(component, guid_size);
            out.append(component.payload);
            return;
        default: refuse("a value of this kind cannot be a key component", component);
    }
}

Bytes encode_key(std::span<const Value> key) { return encode(key); }

Bytes encode_key(std::span<const ValueView> key) { return encode(key); }

Bytes encode_key_of(const TableSchema& table, std::span<const Value> key) {
    if (key.size() != table.key.size()) {
        throw Error{"a key does not have the components of its table"}.with("table", table.name);
    }
    return encode_key(key);
}

std::optional<Key> decode_key(BytesView encoded) {
    KeyDecoder decoder;
    const std::span<const ValueView> components = decoder.decode(encoded);
    if (components.empty() && !encoded.empty()) return std::nullopt;
    Key key;
    for (const ValueView& component : components) key.emplace_back(component);
    return key;
}

Row with_stored_key(const Row& row) {
    try {
        if (std::optional<Key> key = decode_key(encode_key(row.key))) {
            return {std::move(*key), row.attributes, row.version};
        }
    } catch (const Error&) {
        // Whoever writes the row is told what is wrong with its key.
    }
    return row;
}

std::span<const ValueView> KeyDecoder::decode(BytesView encoded) {
    count_ = 0;
    moved_.clear();
    scratch_.clear();
    BytesView rest = encoded;
    while (!rest.empty()) {
        if (!take_component(rest)) return {};
    }
    for (const Moved& moved : moved_) {
        components_[moved.component].payload = BytesView{scratch_}.substr(moved.begin, moved.size);
    }
    return {components_.data(), count_};
}

bool KeyDecoder::take_component(BytesView& rest) {
    const auto kind = static_cast<Kind>(rest[0]);
    rest.remove_prefix(1);
    std::size_t size = 0;
    switch (kind) {
        case Kind::text:
        case Kind::binary: return take_string(rest, kind);
        case Kind::number: return take_number(rest);
        case Kind::int32: return take_integer(rest, kind, 4);
        case Kind::int64:
        case Kind::date_time:
        case Kind::real: return take_integer(rest, kind, 8);
        case Kind::null: break;
        case Kind::boolean: size = 1; break;
        case Kind::guid: size = guid_size; break;
        default: return false;
    }
    ValueView& component = add_component(kind);
    component.payload = {};
    if (!take_bytes(rest, size, component.payload)) return false;
    return kind != Kind::boolean || (component.payload[0] & ~1) == 0;
}

bool KeyDecoder::take_integer(BytesView& rest, Kind kind, std::size_t size) {
    BytesView bytes;
    if (!take_bytes(rest, size, bytes)) return false;
    char big_endian[8];
    std::copy(bytes.begin(), bytes.end(), big_endian);
    if (kind == Kind::real) {
        flip_real(big_endian, (big_endian[0] & '\x80') == 0);
    } else {
        big_endian[0] ^= '\x80';
    }
    const std::size_t begin = scratch_.size();
    append_reversed(scratch_, {big_endian, size});
    keep_moved(kind, begin);
    return true;
}

bool KeyDecoder::take_string(BytesView& rest, Kind kind) {
    const std::size_t begin = scratch_.size();
    bool in_place = true;
    while (true) {
        const std::size_t zero = rest.find('\0');
        if (zero == BytesView::npos || zero + 1 == rest.size()) return false;
        const char after = rest[zero + 1];
        const BytesView part = rest.substr(0, zero);
        rest.remove_prefix(zero + 2);
        if (after != text_end && after != zero_escaped) return false;
        if (after == text_end && in_place) {
            add_component(kind).payload = part;
            return true;
        }
        in_place = false;
        scratch_.append(part);
        if (after == text_end) break;
        scratch_.push_back('\0');
    }
    keep_moved(kind, begin);
    return true;
}

bool KeyDecoder::take_number(BytesView& rest) {
    Decimal decimal;
    if (!store::take_number(rest, decimal, digits_)) return false;
    const std::size_t begin = scratch_.size();
    append_decimal(scratch_, decimal);
    keep_moved(Kind::number, begin);
    return true;
}

void KeyDecoder::keep_moved(Kind kind, std::size_t begin) {
    moved_.push_back({count_, begin, scratch_.size() - begin});
    add_component(kind);
}

}  // namespace idxfsck::store
