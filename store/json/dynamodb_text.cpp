#include "store/json/dynamodb_text.hpp"

#include "store/json/base64.hpp"
#include "store/json/dynamodb_tag.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/value_text.hpp"

namespace idxfsck::store {

namespace {

std::string_view append_typed(Bytes& out, const ValueView& value, std::size_t depth);

void append_quoted(Bytes& out, BytesView ascii) {
    out.append(1, '"').append(ascii).push_back('"');
}

std::string_view append_scalar(Bytes& out, const ValueView& value) {
    switch (value.kind) {
        case Kind::null: out.append("true"); return {};
        case Kind::boolean: out.append(value.as_boolean() ? "true" : "false"); return {};
        case Kind::number:
            if (!is_number(value.payload)) return "a number that is none";
            append_quoted(out, value.payload);
            return {};
        case Kind::text:
            if (!is_utf8(value.payload)) return "text that is not UTF-8";
            append_json_string(out, value.payload);
            return {};
        default:
            out.push_back('"');
            append_base64(out, value.payload);
            out.push_back('"');
            return {};
    }
}

std::string_view append_elements(Bytes& out, const ValueView& container, std::size_t depth) {
    ElementCursor cursor{container};
    for (bool first = true; cursor.next(); first = false) {
        if (!first) out.push_back(',');
        std::string_view why_not;
        if (container.kind == Kind::map) {
            if (!is_utf8(cursor.name())) return "a name that is not UTF-8";
            append_json_string(out, cursor.name());
            out.push_back(':');
        }
        why_not = is_set(container.kind) ? append_scalar(out, cursor.value())
                                         : append_typed(out, cursor.value(), depth + 1);
        if (!why_not.empty()) return why_not;
    }
    return cursor.damaged() ? "a damaged container" : "";
}

std::string_view append_container(Bytes& out, const ValueView& value, std::size_t depth) {
    if (depth >= value_depth_max) return "containers nested too deep";
    out.push_back(value.kind == Kind::map ? '{' : '[');
    const std::string_view why_not = append_elements(out, value, depth);
    out.push_back(value.kind == Kind::map ? '}' : ']');
    return why_not;
}

std::string_view append_typed(Bytes& out, const ValueView& value, std::size_t depth) {
    const BytesView tag = find_dynamodb_name(value.kind);
    if (tag.empty()) return "the shape has no such type";
    out.append("{\"").append(tag).append("\":");
    const std::string_view why_not = is_container(value.kind)
                                         ? append_container(out, value, depth)
                                         : append_scalar(out, value);
    out.push_back('}');
    return why_not;
}

}  // namespace

std::string_view append_dynamodb_value(Bytes& out, const ValueView& value) {
    return append_typed(out, value, 0);
}

}  // namespace idxfsck::store
