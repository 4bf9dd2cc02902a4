#include <nlohmann/json.hpp>

#include "audit/language/member_list.hpp"
#include "store/number.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::Value;
using Json = nlohmann::ordered_json;

std::optional<Value> member_of(const Json& json) {
    if (json.is_string()) return Value::text(json.get<std::string>());
    if (json.is_number()) return Value::number(json.dump());
    if (json.is_boolean()) return Value::boolean(json.get<bool>());
    return std::nullopt;
}

std::optional<Json> json_of(const Value& member) {
    if (member.kind == Kind::text) return Json(member.payload);
    if (member.kind == Kind::boolean) return Json(member.view().as_boolean());
    if (!store::is_numeric(member.kind)) return std::nullopt;
    store::Bytes scratch;
    const auto number = store::canonical_number(member.view(), scratch);
    if (!number) return std::nullopt;
    Json json = Json::parse(*number, nullptr, false);
    return json.is_discarded() ? std::nullopt : std::optional{std::move(json)};
}

}  // namespace

std::optional<Value> json_members(store::BytesView text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_array()) return std::nullopt;
    std::vector<Value> members;
    for (const Json& element : json) {
        std::optional<Value> member = member_of(element);
        if (!member) return std::nullopt;
        members.push_back(std::move(*member));
    }
    return Value::list(members);
}

std::optional<Value> json_text(const std::vector<Value>& members) {
    Json json = Json::array();
    for (const Value& member : members) {
        std::optional<Json> element = json_of(member);
        if (!element) return std::nullopt;
        json.push_back(std::move(*element));
    }
    try {
        return Value::text(json.dump());
    } catch (const Json::type_error&) {
        return std::nullopt;  // a text that is no UTF-8 cannot stand in JSON
    }
}

}  // namespace idxfsck::audit::language
