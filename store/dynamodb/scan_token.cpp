#include "store/dynamodb/scan_token.hpp"

#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::store {

namespace {

[[noreturn]] void refuse(const char* text) {
    throw Error{text}.hint("the checkpoint is of another store or is damaged: start anew");
}

bool take_byte(BytesView& in, char& out) {
    if (in.empty()) return false;
    out = in[0];
    in.remove_prefix(1);
    return true;
}

Bytes token_of(char mark, const SegmentPlace& place) {
    Bytes out(1, mark);
    append_varint(out, place.segment.number);
    append_varint(out, place.segment.total);
    out.push_back(place.ended ? 'e' : place.after ? 'a' : 's');
    if (!place.ended && place.after) out.append(encode_key(*place.after));
    return out;
}

std::optional<SegmentPlace> place_in(BytesView token, char mark) {
    SegmentPlace out;
    auto& [number, total] = out.segment;
    char seen = 0;
    char state = 0;
    if (!take_byte(token, seen) || seen != mark) return std::nullopt;
    if (!take_varint(token, number) || !take_varint(token, total)) return std::nullopt;
    if (number >= total || total > segments_max) return std::nullopt;
    if (!take_byte(token, state)) return std::nullopt;
    if (state == 'a') {
        out.after = decode_key(token);
        if (!out.after) return std::nullopt;
        return out;
    }
    out.ended = state == 'e';
    if ((state != 's' && state != 'e') || !token.empty()) return std::nullopt;
    return out;
}

}  // namespace

Partition segment_partition(const Segment& segment) {
    return rest_partition({segment, std::nullopt, false});
}

Partition rest_partition(const SegmentPlace& place) {
    const auto& [number, total] = place.segment;
    return {token_of('S', place), (place.after ? "rest of segment " : "segment ") +
                                      std::to_string(number + 1) + " of " + std::to_string(total)};
}

Position segment_position(const SegmentPlace& place) { return {token_of('P', place)}; }

SegmentPlace parse_place(const Partition& partition, const std::optional<Position>& position) {
    const std::optional<SegmentPlace> start = place_in(partition.token, 'S');
    if (!start || start->ended) refuse("this is no partition of the store");
    if (!position) return *start;
    const std::optional<SegmentPlace> place = place_in(position->token, 'P');
    if (!place) refuse("this is no position of the store");
    if (place->segment != start->segment) refuse("this is a position of another partition");
    // At the start of a partition that is the rest of a segment.
    return place->after || place->ended ? *place : *start;
}

}  // namespace idxfsck::store
