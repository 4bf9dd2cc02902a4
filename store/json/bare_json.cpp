#include "store/json/bare_json.hpp"

#include "store/json/scalar_text.hpp"
#include "store/json/value_text.hpp"

namespace idxfsck::store {

namespace {

bool append_text(Bytes& out, BytesView text) {
    if (!is_utf8(text)) return false;
    append_json_string(out, text);
    return true;
}

bool append_number(Bytes& out, const ValueView& value) {
    Bytes text{value.payload};
    if (value.kind == Kind::real) {
        text.clear();
        append_real(text, value.as_real());
    } else if (value.kind != Kind::number) {
        text = std::to_string(value.as_integer());
    }
    out.append(text);
    return is_json_number(text);
}

bool append(Bytes& out, const ValueView& value, std::size_t depth);

bool append_container(Bytes& out, const ValueView& value, std::size_t depth) {
    if (depth >= value_depth_max) return false;
    const bool is_map = value.kind == Kind::map;
    ElementCursor cursor{value};
    out.push_back(is_map ? '{' : '[');
    for (bool first = true; cursor.next(); first = false) {
        if (!first) out.push_back(',');
        if (is_map && !append_text(out, cursor.name())) return false;
        if (is_map) out.push_back(':');
        if (!append(out, cursor.value(), depth + 1)) return false;
    }
    out.push_back(is_map ? '}' : ']');
    return !cursor.damaged();
}

bool append(Bytes& out, const ValueView& value, std::size_t depth) {
    switch (value.kind) {
        case Kind::null: out.append("null"); return true;
        case Kind::boolean: out.append(value.as_boolean() ? "true" : "false"); return true;
        case Kind::text: return append_text(out, value.payload);
        case Kind::list:
        case Kind::map: return append_container(out, value, depth);
        default: return is_numeric(value.kind) && append_number(out, value);
    }
}

}  // namespace

bool append_bare_json(Bytes& out, const ValueView& value) { return append(out, value, 0); }

}  // namespace idxfsck::store
