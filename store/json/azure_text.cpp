#include "store/json/azure_text.hpp"

#include <cmath>

#include "store/json/azure_type.hpp"
#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::string_view damaged = "a payload that does not fit its kind";

// Must the type be said, because the value alone would be read as another one?
bool needs_annotation(BytesView name, const ValueView& value) {
    switch (value.kind) {
        case Kind::null:
        case Kind::boolean:
        case Kind::int32: return false;
        case Kind::real: return !std::isfinite(value.as_real());
        case Kind::text: return name == azure_timestamp;
        case Kind::date_time: return name != azure_timestamp;
        default: return true;
    }
}

bool size_fits(const ValueView& value) {
    switch (value.kind) {
        case Kind::boolean: return value.payload.size() == 1;
        case Kind::int32: return value.payload.size() == 4;
        case Kind::int64:
        case Kind::real:
        case Kind::date_time: return value.payload.size() == 8;
        case Kind::guid: return value.payload.size() == 16;
        default: return true;
    }
}

// A finite double with a point or an exponent, so that it is not read as an integer.
void append_double(Bytes& out, double value) {
    if (!std::isfinite(value)) out.push_back('"');
    const std::size_t begin = out.size();
    append_real(out, value);
    if (!std::isfinite(value)) {
        out.push_back('"');
    } else if (out.find_first_of(".e", begin) == Bytes::npos) {
        out.append(".0");
    }
}

// As JavaScript writes it where nothing is lost, with three digits; the system's own with seven.
std::string_view append_time(Bytes& out, BytesView name, std::int64_t ticks) {
    constexpr std::int64_t ticks_per_millisecond = 10'000;
    if (ticks < 0 || ticks >= ticks_end) return damaged;
    const bool short_form = name != azure_timestamp && ticks % ticks_per_millisecond == 0;
    out.push_back('"');
    append_date_time(out, ticks, short_form ? 3 : 7);
    out.push_back('"');
    return {};
}

template <typename Append>
std::string_view quoted(Bytes& out, Append append) {
    out.push_back('"');
    append();
    out.push_back('"');
    return {};
}

std::string_view append_value(Bytes& out, BytesView name, const ValueView& value) {
    switch (value.kind) {
        case Kind::null: out.append("null"); return {};
        case Kind::boolean: out.append(value.as_boolean() ? "true" : "false"); return {};
        case Kind::int32: out.append(std::to_string(value.as_integer())); return {};
        case Kind::int64:
            return quoted(out, [&] { out.append(std::to_string(value.as_integer())); });
        case Kind::real: append_double(out, value.as_real()); return {};
        case Kind::date_time: return append_time(out, name, value.as_integer());
        case Kind::guid: return quoted(out, [&] { append_guid(out, value.payload); });
        case Kind::binary: return quoted(out, [&] { append_base64(out, value.payload); });
        default: break;
    }
    if (!is_utf8(value.payload)) return "text that is not UTF-8";
    append_json_string(out, value.payload);
    return {};
}

}  // namespace

std::string_view append_azure_property(Bytes& out, BytesView name, const ValueView& value) {
    const BytesView type = find_azure_name(value.kind);
    if (type.empty() && value.kind != Kind::null) return "the shape has no such type";
    if (name.ends_with(azure_annotation)) return "a name that would be read as an annotation";
    if (!size_fits(value)) return damaged;
    if (needs_annotation(name, value)) {
        Bytes annotation{name};
        append_json_string(out, annotation.append(azure_annotation));
        out.append(":\"").append(type).append("\",");
    }
    append_json_string(out, name);
    out.push_back(':');
    return append_value(out, name, value);
}

}  // namespace idxfsck::store
