#include "store/dynamodb/table_description.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/json/dynamodb_tag.hpp"

namespace idxfsck::store {

namespace {

using Json = nlohmann::json;

constexpr std::size_t key_components_max = 2;

const Json* member(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

Bytes text_in(const Json& object, const char* name) {
    const Json* const found = member(object, name);
    return found != nullptr && found->is_string() ? found->get<std::string>() : Bytes{};
}

std::uint64_t count_in(const Json& object, const char* name) {
    const Json* const found = member(object, name);
    return found != nullptr && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

Kind kind_of(const Json& table, const Bytes& attribute) {
    const Json* const definitions = member(table, "AttributeDefinitions");
    if (definitions == nullptr || !definitions->is_array()) return Kind::absent;
    for (const Json& definition : *definitions) {
        if (text_in(definition, "AttributeName") != attribute) continue;
        const Kind kind = find_dynamodb_kind(text_in(definition, "AttributeType"));
        const bool can_be_key =
            kind == Kind::text || kind == Kind::number || kind == Kind::binary;
        return can_be_key ? kind : Kind::absent;
    }
    return Kind::absent;
}

// The partition key first, whatever the order in the answer.
bool read_key(const Json& table, TableDescription& out) {
    const Json* const schema = member(table, "KeySchema");
    if (schema == nullptr || !schema->is_array()) return false;
    if (schema->empty() || schema->size() > key_components_max) return false;
    for (const char* const role : {"HASH", "RANGE"}) {
        for (const Json& component : *schema) {
            if (text_in(component, "KeyType") != role) continue;
            const Bytes name = text_in(component, "AttributeName");
            out.schema.key.push_back(name);
            out.schema.key_kinds.push_back(kind_of(table, name));
        }
    }
    const bool named = std::find(out.schema.key.begin(), out.schema.key.end(), "") ==
                       out.schema.key.end();
    const std::vector<Kind>& kinds = out.schema.key_kinds;
    const bool typed = std::find(kinds.begin(), kinds.end(), Kind::absent) == kinds.end();
    return named && typed && out.schema.key.size() == schema->size();
}

// Global and local ones.
void read_own_indexes(const Json& table, TableDescription& out) {
    for (const char* const reach : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
        const Json* const indexes = member(table, reach);
        if (indexes == nullptr || !indexes->is_array()) continue;
        for (const Json& index : *indexes) {
            const Bytes name = text_in(index, "IndexName");
            if (!name.empty()) out.own_indexes.push_back(name);
        }
    }
}

// arn:aws:dynamodb:eu-west-1:123456789012:table/Users
Bytes account_in(BytesView arn) {
    constexpr int parts_before = 4;
    for (int part = 0; part < parts_before; ++part) {
        arn.remove_prefix(std::min(arn.find(':'), arn.size() - 1) + 1);
        if (arn.empty()) return {};
    }
    const BytesView account = arn.substr(0, arn.find(':'));
    const bool digits = account.find_first_not_of("0123456789") == BytesView::npos;
    return account.size() == 12 && digits ? Bytes{account} : Bytes{};
}

}  // namespace

bool TableDescription::usable() const {
    return status == "ACTIVE" || status == "UPDATING";
}

std::optional<TableDescription> table_in(BytesView body) {
    const Json json = Json::parse(body, nullptr, false);
    const Json* const table = member(json, "Table");
    if (table == nullptr) return std::nullopt;
    TableDescription out;
    out.schema.name = text_in(*table, "TableName");
    out.status = text_in(*table, "TableStatus");
    out.rows = count_in(*table, "ItemCount");
    out.bytes = count_in(*table, "TableSizeBytes");
    const Bytes arn = text_in(*table, "TableArn");
    if (!arn.empty()) out.account = account_in(arn);
    if (out.schema.name.empty() || !read_key(*table, out)) return std::nullopt;
    read_own_indexes(*table, out);
    return out;
}

std::optional<Bytes> expiry_in(BytesView body) {
    const Json json = Json::parse(body, nullptr, false);
    const Json* const expiry = member(json, "TimeToLiveDescription");
    if (expiry == nullptr) return std::nullopt;
    const Bytes status = text_in(*expiry, "TimeToLiveStatus");
    if (status.empty()) return std::nullopt;
    // What is being switched off deletes no more.
    const bool deletes = status == "ENABLED" || status == "ENABLING";
    return deletes ? text_in(*expiry, "AttributeName") : Bytes{};
}

std::optional<TableNames> table_names_in(BytesView body) {
    const Json json = Json::parse(body, nullptr, false);
    const Json* const names = member(json, "TableNames");
    if (names == nullptr || !names->is_array()) return std::nullopt;
    TableNames out;
    for (const Json& name : *names) {
        if (!name.is_string()) return std::nullopt;
        out.names.push_back(name.get<std::string>());
    }
    const Bytes last = text_in(json, "LastEvaluatedTableName");
    if (!last.empty()) out.last = last;
    return out;
}

}  // namespace idxfsck::store
