#include <array>

#include <nlohmann/json.hpp>

#include "audit/language/transforms.hpp"
#include "store/json/value_text.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::Value;
using store::ValueView;
using Json = nlohmann::ordered_json;

bool cut(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const auto first = static_cast<std::size_t>(arguments.numbers[0]);
    const auto count = static_cast<std::size_t>(arguments.numbers[1]);
    if (first > value.payload.size() || count > value.payload.size() - first) {
        return refuse(scratch, Damage::key_wrong_type);
    }
    value = {Kind::binary, value.payload.substr(first, count)};
    return true;
}

std::string check_cut(const Arguments& arguments) {
    if (arguments.numbers[0] < 0) return "the first byte is number 0";
    return arguments.numbers[1] < 1 ? "at least one byte" : "";
}

bool member(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::map) return refuse(scratch, Damage::key_wrong_type);
    store::ElementCursor cursor{value};
    while (cursor.next()) {
        if (cursor.name() != arguments.texts[0]) continue;
        value = cursor.value();
        return true;
    }
    value = {};
    return true;
}

bool element(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (!store::is_container(value.kind) || value.kind == Kind::map) {
        return refuse(scratch, Damage::key_wrong_type);
    }
    store::ElementCursor cursor{value};
    std::int64_t number = 0;
    while (cursor.next()) {
        if (number++ != arguments.numbers[0]) continue;
        value = cursor.value();
        return true;
    }
    value = {};
    return true;
}

std::string check_element(const Arguments& arguments) {
    return arguments.numbers[0] < 0 ? "the first element is number 0" : "";
}

std::optional<Value> value_of(const Json& json, std::size_t depth) {
    if (depth > store::value_depth_max) return std::nullopt;
    if (json.is_string()) return Value::text(json.get<std::string>());
    if (json.is_boolean()) return Value::boolean(json.get<bool>());
    if (json.is_number()) return Value::number(json.dump());
    if (json.is_null()) return Value{ValueView{Kind::null, {}}};
    std::vector<Value> elements;
    std::vector<std::pair<store::Bytes, Value>> members;
    for (const auto& [name, part] : json.items()) {
        std::optional<Value> inner = value_of(part, depth + 1);
        if (!inner) return std::nullopt;
        if (json.is_array()) {
            elements.push_back(std::move(*inner));
        } else {
            members.emplace_back(name, std::move(*inner));
        }
    }
    return json.is_array() ? Value::list(elements) : Value::map(std::move(members));
}

bool from_json(const Arguments&, Scratch& scratch, ValueView& value) {
    const Json json = Json::parse(value.payload, nullptr, false);
    if (json.is_discarded()) return refuse(scratch, Damage::key_wrong_type);
    const std::optional<Value> read = value_of(json, 0);
    if (!read) return refuse(scratch, Damage::key_wrong_type);
    value = {read->kind, scratch.arena.copy(read->payload)};
    return true;
}

const std::array<TransformInfo, 4> table{{
    {"bytes", "(first, count)", "So many bytes, from that one on; the first is number 0.",
     Takes::bytes, Gives::binary, "nn", cut, nullptr, check_cut},
    {"from_json", "", "What the JSON text says: a map, a list, a text, a number.", Takes::text,
     Gives::same, "", from_json},
    {"member", "('name')", "The member of a map; absent if it has none of that name.", Takes::any,
     Gives::same, "t", member},
    {"element", "(number)", "The element of a list; the first is number 0.", Takes::any,
     Gives::same, "n", element, nullptr, check_element},
}};

}  // namespace

std::span<const TransformInfo> part_transforms() {
    return table;
}

}  // namespace idxfsck::audit::language
