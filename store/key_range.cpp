#include "store/key_range.hpp"

#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::store {

namespace {

constexpr char place_mark = '\x01';
constexpr std::size_t label_size_max = 64;

Bytes readable_component(const ValueView& component) {
    Bytes scratch;
    switch (component.kind) {
        case Kind::null: return "null";
        case Kind::boolean: return component.as_boolean() ? "true" : "false";
        case Kind::text: return Bytes{component.payload};
        case Kind::date_time: return std::to_string(component.as_integer());
        default: break;
    }
    if (const auto number = canonical_number(component, scratch)) return Bytes{*number};
    return to_hex(component.payload);
}

}  // namespace

Partition make_partition(const KeyRange& range, BytesView label_key) {
    Partition out;
    // A place followed by a zero byte is the very next one.
    const Bytes begin = range.after_begin ? range.begin + '\0' : range.begin;
    append_varint(out.token, begin.size());
    out.token.append(begin).append(range.end);
    out.label = label_key.empty() ? "from the start" : "from " + readable_key(label_key);
    return out;
}

Position make_position(BytesView last_place) {
    Position out;
    out.token.push_back(place_mark);
    out.token.append(last_place);
    return out;
}

KeyRange parse_partition(const Partition& partition) {
    BytesView rest = partition.token;
    std::uint64_t size = 0;
    BytesView begin;
    if (!take_varint(rest, size) || !take_bytes(rest, size, begin)) {
        throw Error{"a partition token was not made by this store"}.with("token",
                                                                         partition.token);
    }
    return {Bytes{begin}, Bytes{rest}, false};
}

KeyRange parse_rest(const Partition& partition, const Position& position) {
    KeyRange range = parse_partition(partition);
    if (position.token.empty()) return range;
    const BytesView place = BytesView{position.token}.substr(1);
    const bool inside = place >= range.begin && (range.end.empty() || place < range.end);
    if (position.token[0] != place_mark || !inside) {
        throw Error{"a position is not one of its partition"}
            .with("partition", partition.label)
            .with("position", position.token);
    }
    range.begin = place;
    range.after_begin = true;
    return range;
}

Bytes readable_key(BytesView encoded_key) {
    const std::optional<Key> key = decode_key(encoded_key);
    return key ? readable_key(*key) : Bytes{encoded_key.substr(0, label_size_max)};
}

Bytes readable_key(std::span<const Value> key) {
    Bytes out;
    for (std::size_t index = 0; index < key.size(); ++index) {
        if (index > 0) out.push_back('/');
        out.append(readable_component(key[index]));
    }
    if (out.size() > label_size_max) out.resize(label_size_max);
    return out;
}

}  // namespace idxfsck::store
