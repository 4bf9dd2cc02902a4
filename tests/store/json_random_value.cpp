#include "json_random_value.hpp"

#include <array>
#include <limits>

namespace idxfsck::store {

namespace {

constexpr std::array<std::string_view, 14> pieces{
    "a", "Z9", " ", "\"", "\\", "\n", std::string_view{"\0", 1}, "\x7f", "é", "\xc2\x85", "€", "😀",
    "$guid", "<b>"};

}  // namespace

Bytes RandomValue::utf8() {
    Bytes out;
    for (std::size_t count = below(6); count > 0; --count) out.append(pieces[below(pieces.size())]);
    return out;
}

Bytes RandomValue::any_bytes(std::size_t size_max) {
    Bytes out;
    for (std::size_t count = below(size_max + 1); count > 0; --count) {
        out.push_back(static_cast<char>(below(256)));
    }
    return out;
}

Bytes RandomValue::number_text() {
    Bytes out = below(2) == 0 ? "" : "-";
    for (std::size_t count = 1 + below(below(3) == 0 ? 40 : 3); count > 0; --count) {
        out.push_back(static_cast<char>('0' + below(10)));
    }
    if (below(3) == 0) out.append(".").append(std::to_string(below(1000)));
    if (below(4) == 0) out.append(below(2) == 0 ? "e" : "E+").append(std::to_string(below(400)));
    return out;
}

Value RandomValue::scalar(Kind kind) {
    constexpr std::array<double, 8> reals{0.0, -0.0, 1.0, 0.1, 5e-324, 1.7976931348623157e308,
                                          std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::quiet_NaN()};
    const std::uint64_t bits = random_() >> below(64);
    switch (kind) {
        case Kind::boolean: return Value::boolean(below(2) == 0);
        case Kind::int32: return Value::int32(static_cast<std::int32_t>(bits));
        case Kind::int64: return Value::int64(static_cast<std::int64_t>(bits));
        case Kind::real:
            return Value::real(below(2) == 0 ? reals[below(reals.size())]
                                             : static_cast<double>(bits) / 7);
        case Kind::number: return Value::number(number_text());
        case Kind::text: return Value::text(below(5) == 0 ? any_bytes(6) : utf8());
        case Kind::binary: return Value::binary(any_bytes(9));
        case Kind::date_time:
            return Value::date_time(static_cast<std::int64_t>(bits % 3'155'378'976'000'000'000));
        case Kind::guid: {
            Bytes sixteen = any_bytes(16);
            sixteen.resize(16);
            return Value::guid(std::move(sixteen));
        }
        default: return Value::null();
    }
}

Value RandomValue::container(Kind kind, std::size_t depth) {
    std::vector<Value> elements;
    std::vector<std::pair<Bytes, Value>> members;
    std::vector<Bytes> payloads;
    for (std::size_t count = below(5); count > 0; --count) {
        if (kind == Kind::list) elements.push_back(value(depth - 1));
        if (kind == Kind::map) {
            members.emplace_back(below(8) == 0 ? any_bytes(4) : utf8(), value(depth - 1));
        }
        if (is_set(kind)) payloads.push_back(scalar(set_element_kind(kind)).payload);
    }
    if (kind == Kind::list) return Value::list(elements);
    if (kind == Kind::map) return Value::map(std::move(members));
    return Value::set(kind, std::move(payloads));
}

Value RandomValue::value(std::size_t depth) {
    const auto kind = static_cast<Kind>(1 + below(depth == 0 ? 10 : 15));
    return is_container(kind) ? container(kind, depth) : scalar(kind);
}

Value RandomValue::damaged() {
    Value out = value();
    for (std::size_t count = 1 + below(3); count > 0; --count) {
        const std::size_t size = out.payload.size();
        switch (below(4)) {
            case 0: out.payload.push_back(static_cast<char>(below(256))); break;
            case 1: out.payload.resize(below(size + 1)); break;
            case 2: out.kind = static_cast<Kind>(below(16)); break;
            default:
                if (size > 0) out.payload[below(size)] = static_cast<char>(below(256));
        }
    }
    return out;
}

}  // namespace idxfsck::store
