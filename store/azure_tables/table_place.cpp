#include "store/azure_tables/table_place.hpp"

#include <algorithm>

#include "store/azure_tables/odata_text.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"
#include "store/http/url_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t label_bytes_max = 64;
constexpr std::uint64_t legs_max = 3;

// UTF-8 sorts as UTF-16 does, but for the characters from U+E000 to U+FFFF (EE and EF): they come
// behind the pairs of surrogates (F0 to F4).
int rank_of(char byte) {
    const int value = static_cast<std::uint8_t>(byte);
    return value == 0xee || value == 0xef ? value + 0x10 : value;
}

Bytes term(const char* name, const char* relation, BytesView text) {
    return std::string{name} + " " + relation + " " + odata_text(text);
}

Bytes joined(const Bytes& a, const Bytes& b) {
    return a.empty() || b.empty() ? a + b : a + " and " + b;
}

[[noreturn]] void refuse(const char* text) {
    throw Error{text}.hint("the checkpoint is of another store or is damaged: start anew");
}

void append_text(Bytes& out, BytesView text) {
    append_varint(out, text.size());
    out.append(text);
}

bool take_text(BytesView& in, Bytes& out) {
    std::uint64_t size = 0;
    BytesView text;
    if (!take_varint(in, size) || !take_bytes(in, size, text)) return false;
    out = text;
    return true;
}

bool take_byte(BytesView& in, char& out) {
    if (in.empty()) return false;
    out = in[0];
    in.remove_prefix(1);
    return true;
}

void append_place(Bytes& out, const TablePlace& place) {
    append_text(out, place.partition_key);
    out.push_back(!place.row_key ? 'p' : place.after ? 'a' : 'r');
    if (place.row_key) append_text(out, *place.row_key);
}

bool take_place(BytesView& in, TablePlace& place) {
    char kind = 0;
    if (!take_text(in, place.partition_key) || !take_byte(in, kind)) return false;
    if (kind == 'p') return true;
    place.after = kind == 'a';
    return (kind == 'a' || kind == 'r') && take_text(in, place.row_key.emplace());
}

Bytes label_of(const TablePlace& place) {
    if (place == TablePlace{}) return "from the start";
    Bytes out = (place.after ? "after " : "from ") + place.partition_key;
    if (place.row_key) out.append("/").append(*place.row_key);
    out.resize(std::min(out.size(), label_bytes_max));
    return out;
}

void append_part(Bytes& out, const std::optional<Bytes>& part) {
    out.push_back(part ? 'y' : 'n');
    if (part) append_text(out, *part);
}

bool take_part(BytesView& in, std::optional<Bytes>& part) {
    char there = 0;
    if (!take_byte(in, there) || (there != 'y' && there != 'n')) return false;
    return there == 'n' || take_text(in, part.emplace());
}

void append_page(Bytes& out, std::size_t leg, const Continuation& next) {
    out.push_back('C');
    append_varint(out, leg);
    append_part(out, next.partition);
    append_part(out, next.row);
}

// Of what stands behind the 'C'.
bool take_page(BytesView& in, ScanPlace& place) {
    std::uint64_t leg = 0;
    if (!take_varint(in, leg) || leg >= legs_max) return false;
    place.leg = static_cast<std::size_t>(leg);
    return take_part(in, place.next.partition) && take_part(in, place.next.row);
}

std::optional<ScanPlace> place_in(BytesView token) {
    ScanPlace place;
    PlaceRange& range = place.range;
    char mark = 0;
    if (!take_byte(token, mark) || mark != 'T' || !take_place(token, range.begin)) return {};
    if (!take_byte(token, mark) || (mark != 'e' && mark != 'n')) return {};
    if (mark == 'e' && !take_place(token, range.end.emplace())) return {};
    if (range.end && range.end->after) return {};
    if (token.empty()) return place;
    const bool page = take_byte(token, mark) && mark == 'C' && take_page(token, place);
    return page && token.empty() ? std::optional{place} : std::nullopt;
}

}  // namespace

std::strong_ordering compare_utf16(BytesView a, BytesView b) {
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (left == a.end() || right == b.end()) return a.size() <=> b.size();
    return rank_of(*left) <=> rank_of(*right);
}

std::strong_ordering compare_places(const TablePlace& a, const TablePlace& b) {
    const auto partitions = compare_utf16(a.partition_key, b.partition_key);
    if (partitions != 0) return partitions;
    if (!a.row_key || !b.row_key) return a.row_key.has_value() <=> b.row_key.has_value();
    if (const auto order = compare_utf16(*a.row_key, *b.row_key); order != 0) return order;
    return a.after <=> b.after;
}

bool TablePlace::is_before(BytesView partition, BytesView row) const {
    if (const auto order = compare_utf16(partition_key, partition); order != 0) return order < 0;
    if (!row_key) return true;
    const auto order = compare_utf16(*row_key, row);
    return after ? order < 0 : order <= 0;
}

std::vector<Bytes> legs_of(const PlaceRange& range) {
    const auto& [begin, end] = range;
    if (end && compare_places(begin, *end) >= 0) return {};
    const bool one_partition = end && end->partition_key == begin.partition_key;
    const bool cut_front = begin.row_key.has_value();
    // A row key of no characters is the first that there is.
    const bool cut_back = end && end->row_key && !end->row_key->empty();
    const Bytes front =
        cut_front ? term("RowKey", begin.after ? "gt" : "ge", *begin.row_key) : Bytes{};
    const Bytes back = cut_back ? term("RowKey", "lt", *end->row_key) : Bytes{};
    if (one_partition) {
        if (!cut_back) return {};
        return {joined(term("PartitionKey", "eq", begin.partition_key), joined(front, back))};
    }
    std::vector<Bytes> legs;
    if (cut_front) legs.push_back(joined(term("PartitionKey", "eq", begin.partition_key), front));
    Bytes from;
    if (cut_front) from = term("PartitionKey", "gt", begin.partition_key);
    else if (!begin.partition_key.empty()) from = term("PartitionKey", "ge", begin.partition_key);
    legs.push_back(joined(from, end ? term("PartitionKey", "lt", end->partition_key) : Bytes{}));
    if (cut_back) legs.push_back(joined(term("PartitionKey", "eq", end->partition_key), back));
    return legs;
}

bool Continuation::more() const {
    const auto says = [](const std::optional<Bytes>& part) { return part && !part->empty(); };
    return says(partition) || says(row) || says(table);
}

Bytes Continuation::query() const {
    Bytes out;
    if (!more()) return out;
    const auto add = [&](const char* name, const std::optional<Bytes>& part) {
        if (part) out.append("&").append(name).append("=").append(url_encoded(*part));
    };
    add("NextTableName", table);
    add("NextPartitionKey", partition);
    add("NextRowKey", row);
    return out;
}

Partition range_partition(const PlaceRange& range) {
    Partition out{"T", label_of(range.begin)};
    append_place(out.token, range.begin);
    out.token.push_back(range.end ? 'e' : 'n');
    if (range.end) append_place(out.token, *range.end);
    return out;
}

Partition rest_partition(const ScanPlace& place) {
    Partition out = range_partition(place.range);
    if (place.leg > 0 || place.next.more()) append_page(out.token, place.leg, place.next);
    return out;
}

Position row_position(const TablePlace& place) {
    Position out{"P"};
    append_place(out.token, place);
    return out;
}

Position page_position(std::size_t leg, const Continuation& next) {
    Position out;
    append_page(out.token, leg, next);
    return out;
}

Position end_position(const Partition& partition) { return {"E" + digest(partition.token)}; }

ScanPlace parse_position(const Partition& partition, const std::optional<Position>& position) {
    const std::optional<ScanPlace> start = place_in(partition.token);
    if (!start) refuse("this is no partition of the store");
    if (!position) return *start;
    ScanPlace out = *start;
    BytesView rest = position->token;
    char mark = 0;
    if (!take_byte(rest, mark)) refuse("this is no position of the store");
    if (mark == 'E') {
        if (*position != end_position(partition)) refuse("this is a position of another partition");
        out.ended = true;
    } else if (mark == 'P') {
        TablePlace place;
        if (!take_place(rest, place) || !rest.empty()) refuse("this is no position of the store");
        const bool inside = compare_places(out.range.begin, place) <= 0 &&
                            (!out.range.end || compare_places(place, *out.range.end) < 0);
        if (!inside) refuse("this is a position of another partition");
        out.range.begin = place;
    } else if (mark != 'C' || !take_page(rest, out) || !rest.empty()) {
        refuse("this is no position of the store");
    }
    return out;
}

}  // namespace idxfsck::store
