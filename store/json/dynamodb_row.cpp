// The DynamoDB shape: every value is an object of one member whose name is its type.

#include "store/json/base64.hpp"
#include "store/json/dynamodb_tag.hpp"
#include "store/json/line_walk.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/wrapper.hpp"

namespace idxfsck::store {

namespace {

using Members = std::vector<std::pair<Bytes, Value>>;

constexpr std::string_view untyped = "a value without its type: {\"S\": …} or the like";
constexpr std::string_view wrong_content = "a type that does not fit what it holds";

bool read_typed(LineWalk& walk, ondemand::value& value, std::size_t depth, ValueView& out);

bool read_number(LineWalk& walk, BytesView text, BytesView token, ValueView& out) {
    if (!is_number(text)) return walk.fail("bad number", token.data(), token);
    out = {Kind::number, text};
    return true;
}

bool read_binary(LineWalk& walk, BytesView text, BytesView token, ValueView& out) {
    std::optional<Bytes> bytes = from_base64(text);
    if (!bytes) return walk.fail("bad base64", token.data(), token);
    out = {Kind::binary, walk.keep(std::move(*bytes))};
    return true;
}

// S, N and B, and the elements of their sets.
bool read_texts(LineWalk& walk, Kind kind, ondemand::value& value, ValueView& out) {
    const BytesView token = token_of(value);
    BytesView text;
    if (!expect_text(walk, value, wrong_content, text)) return false;
    if (kind == Kind::number) return read_number(walk, text, token, out);
    if (kind == Kind::binary) return read_binary(walk, text, token, out);
    out = {Kind::text, text};
    return true;
}

bool read_constant(LineWalk& walk, Kind kind, ondemand::value& value, ValueView& out) {
    static constexpr char booleans[] = {'\0', '\1'};
    const BytesView token = token_of(value);
    const bool is_true = token == "true";
    if (!is_true && (kind == Kind::null || token != "false")) {
        return walk.fail(wrong_content, token.data(), token);
    }
    out = {kind, kind == Kind::null ? BytesView{} : BytesView{&booleans[is_true ? 1 : 0], 1}};
    return true;
}

bool read_set_of(LineWalk& walk, Kind set_kind, ondemand::value& value, Value& out) {
    const BytesView token = token_of(value);
    std::vector<Bytes> payloads;
    const bool whole = each_element(walk, value, [&](ondemand::value& element) {
        ValueView payload;
        if (!read_texts(walk, set_element_kind(set_kind), element, payload)) return false;
        payloads.emplace_back(payload.payload);
        return true;
    });
    return whole && take(walk, read_set(set_kind, std::move(payloads)), token.substr(0, 1), out);
}

bool read_list(LineWalk& walk, ondemand::value& value, std::size_t depth, Value& out) {
    out.kind = Kind::list;
    return each_element(walk, value, [&](ondemand::value& element) {
        ValueView view;
        if (!read_typed(walk, element, depth + 1, view)) return false;
        append_element(out.payload, view);
        return true;
    });
}

bool read_members(LineWalk& walk, ondemand::value& value, std::size_t depth, Value& out) {
    const BytesView token = token_of(value);
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return walk.fail_json();
    Members members;
    const bool whole = each_member(walk, object, [&](BytesView name, ondemand::value& member) {
        ValueView view;
        if (!read_typed(walk, member, depth + 1, view)) return false;
        members.emplace_back(name, Value{view});
        return true;
    });
    return whole && take(walk, read_map(std::move(members)), token.substr(0, 1), out);
}

bool read_container(LineWalk& walk, Kind kind, ondemand::value& value, std::size_t depth,
                    ValueView& out) {
    const BytesView token = token_of(value);
    if (depth >= value_depth_max) return walk.fail("containers nested too deep", token.data());
    if (token.front() != (kind == Kind::map ? '{' : '[')) {
        return walk.fail(wrong_content, token.data(), token);
    }
    Value read;
    const bool whole = kind == Kind::map    ? read_members(walk, value, depth, read)
                       : kind == Kind::list ? read_list(walk, value, depth, read)
                                            : read_set_of(walk, kind, value, read);
    if (whole) out = walk.keep(std::move(read));
    return whole;
}

bool read_tagged(LineWalk& walk, BytesView tag, ondemand::value& value, std::size_t depth,
                 ValueView& out) {
    const Kind kind = find_dynamodb_kind(tag);
    if (kind == Kind::absent) return walk.fail("unknown type", token_of(value).data(), tag);
    if (kind == Kind::null || kind == Kind::boolean) return read_constant(walk, kind, value, out);
    if (is_container(kind)) return read_container(walk, kind, value, depth, out);
    return read_texts(walk, kind, value, out);
}

bool read_typed(LineWalk& walk, ondemand::value& value, std::size_t depth, ValueView& out) {
    const BytesView token = token_of(value);
    if (!token.starts_with('{')) return walk.fail(untyped, token.data(), token);
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return walk.fail_json();
    bool typed = false;
    const bool whole = each_member(walk, object, [&](BytesView tag, ondemand::value& content) {
        if (typed) return walk.fail("a value with two types", token.data());
        typed = true;
        return read_tagged(walk, tag, content, depth, out);
    });
    if (whole && !typed) return walk.fail(untyped, token.data());
    return whole;
}

bool read_attribute(LineWalk& walk, BytesView name, ondemand::value& value) {
    ParsedAttribute& attribute = walk.row.emplace_back();
    attribute.name = name;
    walk.attribute = name;
    attribute.offset = walk.offset_of(token_of(value).data());
    return read_typed(walk, value, 0, attribute.value);
}

}  // namespace

bool walk_bare_dynamodb(LineWalk& walk, ondemand::object row) {
    return each_member(walk, row, [&](BytesView name, ondemand::value& value) {
        return read_attribute(walk, name, value);
    });
}

bool walk_dynamodb(LineWalk& walk, ondemand::object row) {
    bool wrapped = false;
    bool first = true;
    return each_member(walk, row, [&](BytesView name, ondemand::value& value) {
        const BytesView token = token_of(value);
        walk.attribute = {};
        if (wrapped) return walk.fail("a member beside Item", token.data(), name);
        wrapped = first && name == "Item";
        first = false;
        if (!wrapped) return read_attribute(walk, name, value);
        if (!token.starts_with('{')) return walk.fail(wrong_content, token.data(), token);
        ondemand::object item;
        if (value.get_object().get(item) != simdjson::SUCCESS) return walk.fail_json();
        return walk_bare_dynamodb(walk, item);
    });
}

}  // namespace idxfsck::store
