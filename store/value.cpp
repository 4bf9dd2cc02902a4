#include "store/value.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace idxfsck::store {

namespace {

constexpr std::array<BytesView, 16> kind_names{
    "absent", "null",      "boolean", "int32", "int64", "real",     "number",     "text",
    "binary", "date_time", "guid",    "list",  "map",   "text_set", "number_set", "binary_set"};

template <typename Integer>
Bytes little_endian(Integer value) {
    using Unsigned = std::make_unsigned_t<Integer>;
    auto bits = static_cast<Unsigned>(value);
    Bytes out;
    for (std::size_t index = 0; index < sizeof(Integer); ++index) {
        out.push_back(static_cast<char>(bits & 0xff));
        bits = static_cast<Unsigned>(bits >> 8);
    }
    return out;
}

std::uint64_t from_little_endian(BytesView bytes) {
    std::uint64_t bits = 0;
    for (std::size_t index = bytes.size(); index-- > 0;) {
        bits = bits << 8 | static_cast<std::uint8_t>(bytes[index]);
    }
    return bits;
}

}  // namespace

BytesView kind_name(Kind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kind_names.size() ? kind_names[index] : BytesView{"unknown"};
}

std::int64_t ValueView::as_integer() const {
    if (payload.size() == 8) return static_cast<std::int64_t>(from_little_endian(payload));
    if (payload.size() != 4) return 0;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(from_little_endian(payload)));
}

double ValueView::as_real() const {
    return payload.size() == 8 ? std::bit_cast<double>(from_little_endian(payload)) : 0.0;
}

Value Value::int32(std::int32_t value) { return {Kind::int32, little_endian(value)}; }

Value Value::int64(std::int64_t value) { return {Kind::int64, little_endian(value)}; }

Value Value::real(double value) {
    return {Kind::real, little_endian(std::bit_cast<std::int64_t>(value))};
}

Value Value::date_time(std::int64_t ticks) { return {Kind::date_time, little_endian(ticks)}; }

Value Value::list(const std::vector<Value>& elements) {
    Value out{Kind::list, {}};
    for (const Value& element : elements) append_element(out.payload, element);
    return out;
}

Value Value::map(std::vector<std::pair<Bytes, Value>> members) {
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(members.begin(), members.end(), by_name);
    Value out{Kind::map, {}};
    for (std::size_t index = 0; index < members.size(); ++index) {
        const auto& [name, value] = members[index];
        if (index + 1 < members.size() && members[index + 1].first == name) continue;
        append_varint(out.payload, name.size());
        out.payload.append(name);
        append_element(out.payload, value);
    }
    return out;
}

Value Value::set(Kind kind, std::vector<Bytes> payloads) {
    std::sort(payloads.begin(), payloads.end());
    payloads.erase(std::unique(payloads.begin(), payloads.end()), payloads.end());
    Value out{kind, {}};
    for (const Bytes& payload : payloads) {
        append_element(out.payload, {set_element_kind(kind), payload});
    }
    return out;
}

Kind set_element_kind(Kind set_kind) {
    if (set_kind == Kind::text_set) return Kind::text;
    return set_kind == Kind::number_set ? Kind::number : Kind::binary;
}

void append_element(Bytes& out, const ValueView& value) {
    out.push_back(static_cast<char>(value.kind));
    append_varint(out, value.payload.size());
    out.append(value.payload);
}

ElementCursor::ElementCursor(const ValueView& container)
    : rest_{is_container(container.kind) ? container.payload : BytesView{}},
      container_{container.kind} {}

bool ElementCursor::next() {
    if (rest_.empty() || damaged_) return false;
    std::uint64_t size = 0;
    const bool named = container_ != Kind::map ||
                       (take_varint(rest_, size) && take_bytes(rest_, size, name_));
    damaged_ = !named || !take_element(rest_, value_) ||
               (is_set(container_) && value_.kind != set_element_kind(container_));
    return !damaged_;
}

}  // namespace idxfsck::store
