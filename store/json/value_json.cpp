#include "store/json/value_json.hpp"

#include "store/json/scalar_text.hpp"
#include "store/json/wrapper.hpp"

namespace idxfsck::store {

namespace {

using Result = Decoded<Value>;
using Members = std::vector<std::pair<Bytes, Value>>;

constexpr std::string_view too_deep = "containers nested too deep";
constexpr std::string_view bad_wrapper = "a wrapper that holds something else than its name says";

Result read(const Json& json, std::size_t depth);

const Bytes* text_of(const Json& json) { return json.get_ptr<const Json::string_t*>(); }

// The integer as the text of a number. Only the JSON library's own integers: a fraction has lost
// its spelling.
Result read_number(const Json& json) {
    if (json.is_number_unsigned()) return Value::number(std::to_string(json.get<std::uint64_t>()));
    if (json.is_number_integer()) return Value::number(std::to_string(json.get<std::int64_t>()));
    return Result::failed("a number that is no integer must be written as {\"$number\": \"…\"}");
}

// A value inside a container, where absent has no place.
Result read_inner(const Json& json, std::size_t depth) {
    Result value = read(json, depth);
    if (value && !value->view().present()) return Result::failed("absent inside a container");
    return value;
}

Result read_list(const Json& json, std::size_t depth) {
    if (depth >= value_depth_max) return Result::failed(too_deep);
    Value list{Kind::list, {}};
    for (const Json& element : json) {
        const Result value = read_inner(element, depth + 1);
        if (!value) return value;
        append_element(list.payload, *value);
    }
    return list;
}

Result read_object(const Json& json, std::size_t depth) {
    if (depth >= value_depth_max) return Result::failed(too_deep);
    Members members;
    for (const auto& [name, element] : json.items()) {
        Result value = read_inner(element, depth + 1);
        if (!value) return value;
        members.emplace_back(name, std::move(*value));
    }
    return read_map(std::move(members));
}

Result read_members(const Json& json, std::size_t depth) {
    if (!json.is_array()) return Result::failed(bad_wrapper);
    if (depth >= value_depth_max) return Result::failed(too_deep);
    Members members;
    for (const Json& pair : json) {
        if (!pair.is_array() || pair.size() != 2) return Result::failed(bad_wrapper);
        Result name = read(pair[0], depth + 1);
        if (!name) return name;
        if (name->kind != Kind::text) return Result::failed(bad_wrapper);
        Result value = read_inner(pair[1], depth + 1);
        if (!value) return value;
        members.emplace_back(std::move(name->payload), std::move(*value));
    }
    return read_map(std::move(members));
}

// One element of a set: a text, or {"$text": …} in a set of texts.
Result read_element(Kind set_kind, const Json& json) {
    const Kind kind = set_element_kind(set_kind);
    const bool plain_text = kind == Kind::text && json.is_string();
    if (plain_text) return Value::text(*text_of(json));
    const bool wrapped = kind == Kind::text && json.is_object() && json.size() == 1 &&
                         json.begin().key() == "$text";
    const Bytes* text = text_of(wrapped ? *json.begin() : json);
    if (text == nullptr) return Result::failed(bad_wrapper);
    return read_text_wrapper(kind, *text);
}

Result read_elements(Kind set_kind, const Json& json) {
    if (!json.is_array()) return Result::failed(bad_wrapper);
    std::vector<Bytes> payloads;
    for (const Json& element : json) {
        Result value = read_element(set_kind, element);
        if (!value) return value;
        payloads.push_back(std::move(value->payload));
    }
    return read_set(set_kind, std::move(payloads));
}

Result read_int32(const Json& json) {
    if (!json.is_number_integer()) return Result::failed(bad_wrapper);
    const Result number = read_number(json);
    const std::optional<std::int32_t> value = integer_from_text<std::int32_t>(number->payload);
    if (!value) return Result::failed("not a 32-bit integer");
    return Value::int32(*value);
}

Result read_raw(const Json& json) {
    if (!json.is_object() || json.size() != 2) return Result::failed(bad_wrapper);
    const auto kind = json.find("kind");
    const auto payload = json.find("payload");
    if (kind == json.end() || payload == json.end() || !kind->is_string() ||
        !payload->is_string()) {
        return Result::failed(bad_wrapper);
    }
    return read_raw_wrapper(*text_of(*kind), *text_of(*payload));
}

Result read_wrapper(BytesView name, const Json& json, std::size_t depth) {
    const Wrapper wrapper = find_wrapper(name);
    switch (wrapper.form) {
        case WrapperForm::none: return Result::failed("unknown wrapper");
        case WrapperForm::text:
            if (!json.is_string()) return Result::failed(bad_wrapper);
            return read_text_wrapper(wrapper.kind, *text_of(json));
        case WrapperForm::integer: return read_int32(json);
        case WrapperForm::flag:
            return json == Json(true) ? Result{Value{}} : Result::failed(bad_wrapper);
        case WrapperForm::texts: return read_elements(wrapper.kind, json);
        case WrapperForm::map:
            return json.is_object() ? read_object(json, depth) : Result::failed(bad_wrapper);
        case WrapperForm::members: return read_members(json, depth);
        case WrapperForm::raw: return read_raw(json);
    }
    return Result::failed("unknown wrapper");
}

Result read(const Json& json, std::size_t depth) {
    if (json.is_string()) return Value::text(*text_of(json));
    if (json.is_null()) return Value::null();
    if (json.is_boolean()) return Value::boolean(json.get<bool>());
    if (json.is_number()) return read_number(json);
    if (json.is_array()) return read_list(json, depth);
    if (!json.is_object()) return Result::failed("not a JSON value");
    if (json.size() == 1 && looks_like_wrapper(json.begin().key())) {
        return read_wrapper(json.begin().key(), *json.begin(), depth);
    }
    return read_object(json, depth);
}

}  // namespace

Json value_to_json(const ValueView& value) {
    Bytes text;
    append_value_text(text, value, Numbers::safe);
    return Json::parse(text);
}

Decoded<Value> value_from_json(const Json& json) { return read(json, 0); }

Json key_to_json(const Key& key) {
    Json json = Json::array();
    for (const Value& component : key) json.push_back(value_to_json(component));
    return json;
}

Decoded<Key> key_from_json(const Json& json) {
    if (!json.is_array()) return Decoded<Key>::failed("a key that is not an array");
    Key key;
    for (const Json& component : json) {
        Result value = read(component, 0);
        if (!value) return Decoded<Key>::failed(value.why_not);
        key.push_back(std::move(*value));
    }
    return key;
}

Json row_to_json(const Row& row) {
    Json json = Json::object();
    json["key"] = key_to_json(row.key);
    json["attributes"] = value_to_json({Kind::map, row.attributes});
    json["version"] = to_hex(row.version);
    return json;
}

Decoded<Row> row_from_json(const Json& json) {
    using RowResult = Decoded<Row>;
    if (!json.is_object() || !json.contains("key") || !json.contains("attributes") ||
        !json.contains("version") || !json["version"].is_string()) {
        return RowResult::failed("a row without key, attributes and version");
    }
    Decoded<Key> key = key_from_json(json["key"]);
    if (!key) return RowResult::failed(key.why_not);
    Result attributes = read(json["attributes"], 0);
    if (!attributes) return RowResult::failed(attributes.why_not);
    if (attributes->kind != Kind::map) return RowResult::failed("attributes that are no map");
    std::optional<Bytes> version = from_hex(*text_of(json["version"]));
    if (!version) return RowResult::failed("a version that is not hexadecimal");
    return Row{std::move(*key), std::move(attributes->payload), std::move(*version)};
}

}  // namespace idxfsck::store
