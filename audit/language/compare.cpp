#include "audit/language/compare.hpp"

#include <algorithm>
#include <compare>
#include <optional>

#include "audit/language/transforms.hpp"
#include "store/json/scalar_text.hpp"
#include "store/number.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::ValueView;

// `unordered`: different, but neither less nor greater.
using Order = std::partial_ordering;

Order order_of_bytes(BytesView a, BytesView b) {
    const int order = a.compare(b);
    if (order == 0) return Order::equivalent;
    return order < 0 ? Order::less : Order::greater;
}

// Of two numbers without their signs.
Order order_of_sizes(const store::Decimal& a, const store::Decimal& b) {
    if (a.digits.empty() || b.digits.empty()) return a.digits.size() <=> b.digits.size();
    if (a.exponent != b.exponent) return a.exponent <=> b.exponent;
    return order_of_bytes(a.digits, b.digits);
}

Order order_of_decimals(const store::Decimal& a, const store::Decimal& b) {
    if (a.negative != b.negative) return a.negative ? Order::less : Order::greater;
    return a.negative ? order_of_sizes(b, a) : order_of_sizes(a, b);
}

Order order_of_texts(BytesView a, BytesView b) {
    if (a == b) return a == "NaN" ? Order::unordered : Order::equivalent;
    store::Bytes a_scratch;
    store::Bytes b_scratch;
    const auto a_decimal = store::parse_decimal(a, a_scratch);
    const auto b_decimal = store::parse_decimal(b, b_scratch);
    if (a_decimal && b_decimal) return order_of_decimals(*a_decimal, *b_decimal);
    if (a == "NaN" || b == "NaN") return Order::unordered;
    const bool less = a == "-Infinity" || b == "Infinity";
    return less ? Order::less : Order::greater;
}

bool is_small_integer(BytesView text) {
    return !text.empty() && text.size() <= 18 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Order order_of_numbers(ValueView a, ValueView b, Scratch& scratch) {
    const bool fixed_width = a.kind != Kind::real && a.kind != Kind::number &&
                             b.kind != Kind::real && b.kind != Kind::number;
    if (fixed_width) return a.as_integer() <=> b.as_integer();
    if (!make_fit(Takes::number, scratch, a) || !make_fit(Takes::number, scratch, b)) {
        return Order::unordered;
    }
    if (is_small_integer(a.payload) && is_small_integer(b.payload)) {
        if (a.payload.size() != b.payload.size()) return a.payload.size() <=> b.payload.size();
        return order_of_bytes(a.payload, b.payload);
    }
    return order_of_texts(a.payload, b.payload);
}

Order order_of_times(const ValueView& a, const ValueView& b) {
    const auto ticks = [](const ValueView& value) -> std::optional<std::int64_t> {
        if (value.kind == Kind::date_time) return value.as_integer();
        const auto read = store::date_time_from_text(value.payload);
        return read ? std::optional{*read} : std::nullopt;
    };
    const auto a_ticks = ticks(a);
    const auto b_ticks = ticks(b);
    if (!a_ticks || !b_ticks) return Order::unordered;
    return *a_ticks <=> *b_ticks;
}

bool is_pair(const ValueView& a, const ValueView& b, Kind kind) {
    const bool a_fits = a.kind == kind || a.kind == Kind::text;
    const bool b_fits = b.kind == kind || b.kind == Kind::text;
    return a_fits && b_fits && (a.kind == kind || b.kind == kind);
}

Order order_of(ValueView a, ValueView b, Scratch& scratch) {
    if (store::is_numeric(a.kind) && store::is_numeric(b.kind)) {
        return order_of_numbers(a, b, scratch);
    }
    if (is_pair(a, b, Kind::date_time)) return order_of_times(a, b);
    if (is_pair(a, b, Kind::guid) && a.kind != b.kind) {
        if (!to_text(scratch, a) || !to_text(scratch, b)) return Order::unordered;
    }
    if (a.kind != b.kind) return Order::unordered;
    const bool ordered = a.kind == Kind::text || a.kind == Kind::binary || a.kind == Kind::guid;
    if (ordered) return order_of_bytes(a.payload, b.payload);
    return a.payload == b.payload ? Order::equivalent : Order::unordered;
}

}  // namespace

Truth compare(Comparison comparison, ValueView left, ValueView right, Scratch& scratch) {
    if (!left.present() || !right.present()) return Truth::unknown;
    if (comparison <= Comparison::not_equal && left.kind == Kind::text &&
        right.kind == Kind::text) {
        return truth_of((left.payload == right.payload) == (comparison == Comparison::equal));
    }
    const Order order = order_of(left, right, scratch);
    if (comparison == Comparison::equal) return truth_of(order == Order::equivalent);
    if (comparison == Comparison::not_equal) return truth_of(order != Order::equivalent);
    const bool sized = left.kind != Kind::boolean && left.kind != Kind::null &&
                       !store::is_container(left.kind);
    if (order == Order::unordered || !sized) return Truth::unknown;
    switch (comparison) {
        case Comparison::less: return truth_of(order == Order::less);
        case Comparison::less_or_equal: return truth_of(order != Order::greater);
        case Comparison::greater: return truth_of(order == Order::greater);
        default: return truth_of(order != Order::less);
    }
}

}  // namespace idxfsck::audit::language
