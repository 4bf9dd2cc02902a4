#include "store/json/wrapper.hpp"

#include <algorithm>
#include <array>

#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

struct NamedWrapper {
    BytesView name;
    Wrapper wrapper;
};

constexpr std::array<NamedWrapper, 15> wrappers{{
    {"$absent", {WrapperForm::flag, Kind::absent}},
    {"$binary", {WrapperForm::text, Kind::binary}},
    {"$binary_set", {WrapperForm::texts, Kind::binary_set}},
    {"$date_time", {WrapperForm::text, Kind::date_time}},
    {"$guid", {WrapperForm::text, Kind::guid}},
    {"$int32", {WrapperForm::integer, Kind::int32}},
    {"$int64", {WrapperForm::text, Kind::int64}},
    {"$map", {WrapperForm::map, Kind::map}},
    {"$members", {WrapperForm::members, Kind::map}},
    {"$number", {WrapperForm::text, Kind::number}},
    {"$number_set", {WrapperForm::texts, Kind::number_set}},
    {"$raw", {WrapperForm::raw, Kind::absent}},
    {"$real", {WrapperForm::text, Kind::real}},
    {"$text", {WrapperForm::text, Kind::text}},
    {"$text_set", {WrapperForm::texts, Kind::text_set}},
}};

using Result = Decoded<Value>;

Result read_base64(Kind kind, BytesView text) {
    std::optional<Bytes> bytes = from_base64(text);
    if (!bytes) return Result::failed("bad base64");
    return Value{kind, std::move(*bytes)};
}

Result read_int64(BytesView text) {
    const std::optional<std::int64_t> value = integer_from_text<std::int64_t>(text);
    if (!value) return Result::failed("not a 64-bit integer");
    return Value::int64(*value);
}

Result read_real(BytesView text) {
    const std::optional<double> value = real_from_text(text);
    if (!value) return Result::failed("not a 64-bit floating-point number");
    return Value::real(*value);
}

Result read_date_time(BytesView text) {
    const Decoded<std::int64_t> ticks = date_time_from_text(text);
    if (!ticks) return Result::failed(ticks.why_not);
    return Value::date_time(*ticks);
}

Result read_guid(BytesView text) {
    std::optional<Bytes> bytes = guid_from_text(text);
    if (!bytes) return Result::failed("not a guid");
    return Value::guid(std::move(*bytes));
}

Result read_number(BytesView text) {
    if (!is_number(text)) return Result::failed("bad number");
    return Value::number(Bytes{text});
}

}  // namespace

Wrapper find_wrapper(BytesView name) {
    for (const NamedWrapper& candidate : wrappers) {
        if (candidate.name == name) return candidate.wrapper;
    }
    return {};
}

Result read_text_wrapper(Kind kind, BytesView text) {
    switch (kind) {
        case Kind::number: return read_number(text);
        case Kind::int64: return read_int64(text);
        case Kind::real: return read_real(text);
        case Kind::date_time: return read_date_time(text);
        case Kind::guid: return read_guid(text);
        default: return read_base64(kind, text);
    }
}

Result read_raw_wrapper(BytesView kind, BytesView payload) {
    for (int number = 0; number <= static_cast<int>(Kind::binary_set); ++number) {
        const auto candidate = static_cast<Kind>(number);
        if (kind_name(candidate) == kind) return read_base64(candidate, payload);
    }
    return Result::failed("unknown kind of value");
}

Result read_set(Kind kind, std::vector<Bytes> payloads) {
    std::sort(payloads.begin(), payloads.end());
    if (std::adjacent_find(payloads.begin(), payloads.end()) != payloads.end()) {
        return Result::failed("a set that holds an element twice");
    }
    return Value::set(kind, std::move(payloads));
}

Result read_map(std::vector<std::pair<Bytes, Value>> members) {
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    std::sort(members.begin(), members.end(), by_name);
    if (std::adjacent_find(members.begin(), members.end(), same_name) != members.end()) {
        return Result::failed("duplicate member");
    }
    return Value::map(std::move(members));
}

}  // namespace idxfsck::store
