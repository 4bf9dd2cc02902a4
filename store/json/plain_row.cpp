// The plain shape: JSON as it is, and the wrappers of wrapper.hpp.

#include "store/json/line_walk.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/wrapper.hpp"

namespace idxfsck::store {

namespace {

using Members = std::vector<std::pair<Bytes, Value>>;

constexpr std::string_view too_deep = "containers nested too deep";
constexpr std::string_view bad_wrapper = "a wrapper that holds something else than its name says";
constexpr std::string_view absent_inside = "absent inside a container or a row";

bool read_value(LineWalk& walk, ondemand::value& value, std::size_t depth, Value& out);

bool read_list(LineWalk& walk, ondemand::value& value, std::size_t depth, Value& out) {
    if (depth >= value_depth_max) return walk.fail(too_deep, token_of(value).data());
    out.kind = Kind::list;
    return each_element(walk, value, [&](ondemand::value& element) {
        Value read;
        if (!read_value(walk, element, depth + 1, read)) return false;
        append_element(out.payload, read);
        return true;
    });
}

bool read_members(LineWalk& walk, ondemand::value& value, BytesView token, std::size_t depth,
                  Value& out) {
    if (depth >= value_depth_max) return walk.fail(too_deep, token.data());
    Members members;
    const bool whole = each_element(walk, value, [&](ondemand::value& pair) {
        const BytesView pair_token = token_of(pair);
        if (!pair_token.starts_with('[')) return walk.fail(bad_wrapper, pair_token.data());
        std::vector<Value> parts;
        const bool read = each_element(walk, pair, [&](ondemand::value& part) {
            return read_value(walk, part, depth + 1, parts.emplace_back());
        });
        if (!read) return false;
        if (parts.size() != 2 || parts[0].kind != Kind::text) {
            return walk.fail(bad_wrapper, pair_token.data());
        }
        members.emplace_back(std::move(parts[0].payload), std::move(parts[1]));
        return true;
    });
    return whole && take(walk, read_map(std::move(members)), token.substr(0, 1), out);
}

// {"$text": …} inside a set of texts.
bool read_wrapped_text(LineWalk& walk, ondemand::value& value, BytesView token, Value& out) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return walk.fail_json();
    const bool whole = each_member(walk, object, [&](BytesView name, ondemand::value& member) {
        BytesView text;
        if (name != "$text" || out.view().present()) return walk.fail(bad_wrapper, token.data());
        return expect_text(walk, member, bad_wrapper, text) &&
               take(walk, read_text_wrapper(Kind::text, text), token.substr(0, 1), out);
    });
    return whole && (out.view().present() || walk.fail(bad_wrapper, token.data()));
}

bool read_element(LineWalk& walk, ondemand::value& value, Kind kind, Value& out) {
    const BytesView token = token_of(value);
    if (kind == Kind::text && token.starts_with('{')) {
        return read_wrapped_text(walk, value, token, out);
    }
    BytesView text;
    if (!expect_text(walk, value, bad_wrapper, text)) return false;
    if (kind != Kind::text) return take(walk, read_text_wrapper(kind, text), token, out);
    out = Value::text(Bytes{text});
    return true;
}

bool read_elements(LineWalk& walk, ondemand::value& value, Kind set_kind, BytesView token,
                   Value& out) {
    std::vector<Bytes> payloads;
    const bool whole = each_element(walk, value, [&](ondemand::value& element) {
        Value read;
        if (!read_element(walk, element, set_element_kind(set_kind), read)) return false;
        payloads.push_back(std::move(read.payload));
        return true;
    });
    return whole && take(walk, read_set(set_kind, std::move(payloads)), token.substr(0, 1), out);
}

bool read_raw(LineWalk& walk, ondemand::value& value, BytesView token, Value& out) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return walk.fail_json();
    std::optional<Bytes> kind;
    std::optional<Bytes> payload;
    const bool whole = each_member(walk, object, [&](BytesView name, ondemand::value& member) {
        std::optional<Bytes>& part = name == "kind" ? kind : payload;
        if ((name != "kind" && name != "payload") || part) {
            return walk.fail(bad_wrapper, token.data());
        }
        BytesView text;
        if (!expect_text(walk, member, bad_wrapper, text)) return false;
        part.emplace(text);
        return true;
    });
    if (!whole) return false;
    if (!kind || !payload) return walk.fail(bad_wrapper, token.data());
    return take(walk, read_raw_wrapper(*kind, *payload), token.substr(0, 1), out);
}

bool read_object(LineWalk& walk, ondemand::value& value, std::size_t depth, bool wrapped,
                 Value& out);

bool read_integer(LineWalk& walk, BytesView token, Value& out) {
    const std::optional<std::int32_t> integer = integer_from_text<std::int32_t>(token);
    if (!integer) return walk.fail("not a 32-bit integer", token.data(), token);
    out = Value::int32(*integer);
    return true;
}

bool read_wrapper(LineWalk& walk, BytesView name, ondemand::value& value, std::size_t depth,
                  Value& out) {
    const Wrapper wrapper = find_wrapper(name);
    const BytesView token = token_of(value);
    const TokenKind kind = kind_of(value, token);
    if (kind == TokenKind::broken) return walk.fail_json();
    const auto holds = [&](TokenKind expected) {
        return kind == expected || walk.fail(bad_wrapper, token.data());
    };
    switch (wrapper.form) {
        case WrapperForm::none: return walk.fail("unknown wrapper", token.data(), name);
        case WrapperForm::text: {
            BytesView text;
            return holds(TokenKind::text) && read_text(walk, value, text) &&
                   take(walk, read_text_wrapper(wrapper.kind, text), token, out);
        }
        case WrapperForm::integer:
            return holds(TokenKind::number) && read_integer(walk, token, out);
        case WrapperForm::flag: return walk.fail(absent_inside, token.data());
        case WrapperForm::texts:
            return holds(TokenKind::list) && read_elements(walk, value, wrapper.kind, token, out);
        case WrapperForm::map:
            return holds(TokenKind::map) && read_object(walk, value, depth, true, out);
        case WrapperForm::members:
            return holds(TokenKind::list) && read_members(walk, value, token, depth, out);
        case WrapperForm::raw:
            return holds(TokenKind::map) && read_raw(walk, value, token, out);
    }
    return false;
}

// May the first member of an object, whose brace is this token, begin with '$', spelled so or
// escaped? Only then its members are counted, which costs a walk over them.
bool may_begin_with_dollar(BytesView brace) {
    const char* name = brace.data() + brace.size();
    return name[0] == '"' && (name[1] == '$' || name[1] == '\\');
}

// An object that is a value: a map, or a wrapper. `literal`: inside a $map, where names are names.
bool read_object(LineWalk& walk, ondemand::value& value, std::size_t depth, bool literal,
                 Value& out) {
    const BytesView brace = value.raw_json_token();
    const bool maybe_wrapper = walk.wrappers && !literal && may_begin_with_dollar(brace);
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return walk.fail_json();
    std::size_t count = 0;
    if (maybe_wrapper && object.count_fields().get(count) != simdjson::SUCCESS) {
        return walk.fail_json();
    }
    const bool too_deep_for_map = depth >= value_depth_max;
    if (too_deep_for_map && count != 1) return walk.fail(too_deep, brace.data());
    Members members;
    bool wrapped = false;
    const bool whole = each_member(walk, object, [&](BytesView name, ondemand::value& member) {
        wrapped = count == 1 && looks_like_wrapper(name);
        if (wrapped) return read_wrapper(walk, name, member, depth, out);
        if (too_deep_for_map) return walk.fail(too_deep, brace.data());
        return read_value(walk, member, depth + 1, members.emplace_back(name, Value{}).second);
    });
    if (!whole || wrapped) return whole;
    return take(walk, read_map(std::move(members)), brace.substr(0, 1), out);
}

bool read_scalar(LineWalk& walk, ondemand::value& value, TokenKind kind, BytesView token,
                 ValueView& out) {
    static constexpr char booleans[] = {'\0', '\1'};
    switch (kind) {
        case TokenKind::text: out.kind = Kind::text; return read_text(walk, value, out.payload);
        case TokenKind::number: out = {Kind::number, token}; return true;
        case TokenKind::null: out = {Kind::null, {}}; return true;
        case TokenKind::boolean:
            out = {Kind::boolean, BytesView{&booleans[token == "true" ? 1 : 0], 1}};
            return true;
        default: return walk.fail_json();
    }
}

bool read_value(LineWalk& walk, ondemand::value& value, std::size_t depth, Value& out) {
    const BytesView token = token_of(value);
    const TokenKind kind = kind_of(value, token);
    if (kind != TokenKind::list && kind != TokenKind::map) {
        ValueView scalar;
        if (!read_scalar(walk, value, kind, token, scalar)) return false;
        out = Value{scalar};
        return true;
    }
    return kind == TokenKind::list ? read_list(walk, value, depth, out)
                                   : read_object(walk, value, depth, false, out);
}

}  // namespace

bool walk_plain(LineWalk& walk, ondemand::object row) {
    return each_member(walk, row, [&](BytesView name, ondemand::value& value) {
        const BytesView token = token_of(value);
        ParsedAttribute& attribute = walk.row.emplace_back();
        attribute.name = name;
        walk.attribute = name;
        attribute.offset = walk.offset_of(token.data());
        const TokenKind kind = kind_of(value, token);
        if (kind != TokenKind::list && kind != TokenKind::map) {
            return read_scalar(walk, value, kind, token, attribute.value);
        }
        Value container;
        if (!read_value(walk, value, 0, container)) return false;
        attribute.value = walk.keep(std::move(container));
        return true;
    });
}

}  // namespace idxfsck::store
