#include "typed_rows.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace idxfsck::tests {

namespace {

using store::Json;
using store::Value;

// What a case says of the moment at which a row was read or written, and not of the row.
const std::set<std::string> moments{"_age_ms", "_read_at", "_version", "_ts"};

using Attributes = std::vector<store::NamedValue>;

// `key: [a, b]` becomes key1 and key2.
void flatten(const std::string& name, const Json& array, Attributes& attributes) {
    for (std::size_t index = 0; index < array.size(); ++index) {
        attributes.push_back({name + std::to_string(index + 1), typed_value(array[index])});
    }
}

Value text_set(const Json& array) {
    std::vector<store::Bytes> texts;
    for (const Json& element : array) texts.push_back(element.get<std::string>());
    return Value::set(store::Kind::text_set, std::move(texts));
}

void add_field(const std::string& name, const Json& json, std::int64_t now_s,
               Attributes& attributes) {
    if (name == "table" || moments.contains(name)) return;
    if (name == "json") {
        for (const auto& [inner, value] : json.items()) {
            attributes.push_back({inner, typed_value(value)});
        }
    } else if (name == "_ttl_s") {
        const std::int64_t left_s = json.get<std::int64_t>();
        if (left_s < 0) return;
        attributes.push_back({"expires_at", Value::number(std::to_string(now_s + left_s))});
    } else if ((name == "key" || name == "column") && json.is_array()) {
        flatten(name, json, attributes);
    } else if (name == "members") {
        attributes.push_back({name, text_set(json)});
    } else {
        attributes.push_back({name, typed_value(json)});
    }
}

const store::TableSchema& schema_of(const std::vector<store::TableSchema>& schemas,
                                    const std::string& table) {
    for (const store::TableSchema& schema : schemas) {
        if (schema.name == table) return schema;
    }
    throw std::runtime_error{"the spec has no table " + table};
}

void add_schema(std::vector<store::TableSchema>& schemas, store::TableSchema schema) {
    for (const store::TableSchema& known : schemas) {
        if (known.name != schema.name) continue;
        if (known != schema) throw std::runtime_error{"two keys of table " + schema.name};
        return;
    }
    schemas.push_back(std::move(schema));
}

}  // namespace

Value typed_value(const Json& json) {
    if (json.is_null()) return Value::null();
    if (json.is_boolean()) return Value::boolean(json.get<bool>());
    if (json.is_number()) return Value::number(json.dump());
    if (json.is_string()) return Value::text(json.get<std::string>());
    if (json.is_array()) {
        std::vector<Value> elements;
        for (const Json& element : json) elements.push_back(typed_value(element));
        return Value::list(elements);
    }
    std::vector<std::pair<store::Bytes, Value>> members;
    for (const auto& [name, value] : json.items()) members.emplace_back(name, typed_value(value));
    return Value::map(std::move(members));
}

store::Key typed_key(const Json& json) {
    if (!json.is_array()) return {typed_value(json)};
    store::Key key;
    for (const Json& component : json) key.push_back(typed_value(component));
    return key;
}

std::vector<store::TableSchema> schemas_of(const audit::Spec& spec) {
    std::vector<store::TableSchema> schemas;
    for (const audit::BaseSpec& base : spec.bases) {
        add_schema(schemas, {base.table, {base.key.begin(), base.key.end()}});
    }
    for (const audit::IndexSpec& index : spec.indexes) {
        if (index.inside) continue;
        store::TableSchema schema{index.table, {}};
        for (const audit::NamedTemplate& named : index.key) schema.key.push_back(named.name);
        add_schema(schemas, std::move(schema));
    }
    return schemas;
}

std::optional<TypedRow> typed_row(const Json& json, const std::string& table,
                                  const std::vector<store::TableSchema>& schemas,
                                  std::int64_t now_s) {
    if (json.contains("attr") && json.contains("of")) return std::nullopt;
    TypedRow typed{json.value("table", table), {}};
    Attributes attributes;
    for (const auto& [name, value] : json.items()) add_field(name, value, now_s, attributes);
    for (const store::Bytes& component : schema_of(schemas, typed.table).key) {
        const auto found = std::find_if(attributes.begin(), attributes.end(),
                                        [&](const auto& one) { return one.name == component; });
        if (found == attributes.end()) throw std::runtime_error{"a row without " + component};
        typed.row.key.push_back(std::move(found->value));
        attributes.erase(found);
    }
    typed.row.attributes = store::encode_attributes(std::move(attributes));
    return typed;
}

}  // namespace idxfsck::tests
