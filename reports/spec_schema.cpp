#include "reports/spec_schema.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "audit/language/key_check.hpp"
#include "audit/language/spec_keys.hpp"

namespace idxfsck::reports {

namespace {

using audit::language::SpecKey;
using audit::language::SpecTable;
using Json = nlohmann::ordered_json;

std::vector<std::string> parted(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t at = text.find('|'); at != text.npos; at = text.find('|')) {
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    parts.emplace_back(text);
    return parts;
}

Json reference(std::string_view definition) {
    std::string name{definition};
    for (char& character : name) {
        if (character == ' ') character = '-';
    }
    return {{"$ref", "#/definitions/" + name}};
}

// What comes after a word, if `takes` begins with that word.
bool begins(std::string_view takes, std::string_view word, std::string_view& rest) {
    if (!takes.starts_with(word) || takes.size() <= word.size()) return false;
    if (takes[word.size()] != ' ') return false;
    rest = takes.substr(word.size() + 1);
    return true;
}

Json taken(std::string_view takes) {
    std::string_view rest;
    if (begins(takes, "words", rest)) return {{"enum", parted(rest)}};
    if (begins(takes, "table", rest)) return reference(rest);
    if (begins(takes, "tables", rest)) {
        return {{"type", "object"},
                {"minProperties", 1},
                {"additionalProperties", reference(rest)}};
    }
    if (begins(takes, "list", rest)) {
        return {{"type", "array"}, {"minItems", 1}, {"items", reference(rest)}};
    }
    if (begins(takes, "any", rest)) {
        Json choices = Json::array();
        for (const std::string& one : parted(rest)) choices.push_back(taken(one));
        return {{"anyOf", std::move(choices)}};
    }
    return reference(takes);
}

Json described(const SpecKey& key) {
    Json json = taken(key.takes);
    // Beside a $ref draft 7 heeds nothing else.
    if (json.contains("$ref")) json = {{"allOf", Json::array({std::move(json)})}};
    json["description"] = key.description;
    return json;
}

Json one_of(std::string_view group) {
    Json choices = Json::array();
    for (const std::string& name : parted(group)) {
        choices.push_back({{"required", Json::array({name})}});
    }
    return {{"anyOf", std::move(choices)}};
}

// What the table's flag forbids where it is true, and asks for where it is not.
Json by_flag(const SpecTable& table) {
    const std::string flag{table.flag};
    Json refused = Json::object();
    for (const std::string_view name : table.refused_with_flag) refused[std::string{name}] = false;
    const Json raised{{"properties", {{flag, {{"const", true}}}}},
                      {"required", Json::array({flag})}};
    return {{"if", raised},
            {"then", {{"properties", std::move(refused)}}},
            {"else", {{"required", table.needed_without_flag}}}};
}

Json table_schema(const SpecTable& table) {
    Json properties = Json::object();
    Json needed = Json::array();
    for (const SpecKey& key : table.keys) {
        properties[std::string{key.name}] = described(key);
        if (key.needed) needed.push_back(key.name);
    }
    Json json{{"description", table.description},
              {"type", "object"},
              {"properties", std::move(properties)}};
    if (!needed.empty()) json["required"] = std::move(needed);
    json["additionalProperties"] = table.others.empty() ? Json(false) : taken(table.others);
    if (table.others == "template value") json["propertyNames"] = {{"minLength", 1}};
    for (const std::string_view group : table.one_of) json["allOf"].push_back(one_of(group));
    if (!table.flag.empty()) json.update(by_flag(table));
    return json;
}

void add_texts(Json& definitions) {
    const Json text{{"type", "string"}};
    const Json name{{"type", "string"}, {"minLength", 1}};
    definitions["text"] = text;
    definitions["name"] = name;
    definitions["condition"] = name;
    definitions["names"] = {
        {"anyOf", {name, {{"type", "array"}, {"items", name}, {"uniqueItems", true}}}}};
    definitions["duration"] = {{"type", "string"}, {"pattern", "^[0-9]+(ms|s|m|h|d)$"}};
    definitions["limits-names"] = {{"enum", audit::language::limits_names()}};
    definitions["kinds"] = {
        {"type", "object"},
        {"additionalProperties",
         {{"enum", {"text", "number", "int32", "int64", "boolean", "guid", "date_time",
                    "binary"}}}}};
}

void add_numbers(Json& definitions) {
    definitions["boolean"] = {{"type", "boolean"}};
    definitions["true"] = {{"enum", Json::array({true})}};
    definitions["whole-number"] = {{"type", "integer"}, {"minimum", 0}};
    definitions["share"] = {
        {"anyOf",
         {{{"type", "number"}, {"minimum", 0}, {"maximum", 1}},
          {{"type", "string"}, {"pattern", "^([0-9]{1,2}([.][0-9]+)?|100([.]0+)?)%$"}}}}};
}

void add_templates(Json& definitions) {
    definitions["choices"] = {
        {"type", "array"}, {"minItems", 1}, {"items", reference("choice")}};
    definitions["template-value"] = {
        {"description", "A template, a literal, choices, or a template with a policy."},
        {"anyOf",
         {{{"type", {"string", "number", "boolean"}}},
          reference("choices"),
          reference("template")}}};
    definitions["templates"] = {{"type", "object"},
                                {"minProperties", 1},
                                {"propertyNames", {{"minLength", 1}}},
                                {"additionalProperties", reference("template-value")}};
}

}  // namespace

Json spec_schema() {
    Json definitions = Json::object();
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "idxfsck spec"}};
    for (const SpecTable& table : audit::language::spec_tables()) {
        if (table.name == "spec") {
            schema.update(table_schema(table));
        } else {
            definitions[std::string{table.name}] = table_schema(table);
        }
    }
    add_texts(definitions);
    add_numbers(definitions);
    add_templates(definitions);
    schema["definitions"] = std::move(definitions);
    return schema;
}

}  // namespace idxfsck::reports
