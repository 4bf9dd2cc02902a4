#include "store/json/shape.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/json/dynamodb_tag.hpp"

namespace idxfsck::store {

namespace {

using nlohmann::json;

bool is_typed(const json& value) {
    return value.is_object() && value.size() == 1 &&
           find_dynamodb_kind(value.begin().key()) != Kind::absent;
}

bool all_typed(const json& item) {
    return item.is_object() && !item.empty() && std::all_of(item.begin(), item.end(), is_typed);
}

bool is_dynamodb(const json& row) {
    return all_typed(row) || (row.size() == 1 && row.contains("Item") && all_typed(row["Item"]));
}

bool is_azure(const json& row) {
    if (row.contains("PartitionKey") && row.contains("RowKey")) return true;
    const auto names = row.items();
    return std::any_of(names.begin(), names.end(), [](const auto& member) {
        const BytesView name = member.key();
        return name.starts_with("odata.") || name.ends_with("@odata.type");
    });
}

}  // namespace

Shape detect_shape(BytesView line) {
    const json row = json::parse(line, nullptr, false);
    if (!row.is_object()) return Shape::plain;
    if (is_dynamodb(row)) return Shape::dynamodb;
    return is_azure(row) ? Shape::azure : Shape::plain;
}

}  // namespace idxfsck::store
