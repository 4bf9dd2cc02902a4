#include "store/dynamodb/expression.hpp"

#include "store/dynamodb/item.hpp"
#include "store/error.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t expression_bytes_max = 4096;

void append_expression(Bytes& out, const char* member, const Bytes& expression) {
    if (expression.empty()) return;
    if (expression.size() > expression_bytes_max) {
        throw Error{"the row has more attributes than a condition of DynamoDB can name"}.hint(
            "mend this row by hand, or keep fewer attributes in it");
    }
    out.append(",\"").append(member).append("\":\"").append(expression).append("\"");
}

}  // namespace

void WriteExpression::require(const Expectation& expected) {
    if (std::holds_alternative<ExpectAbsent>(expected)) return require_absent();
    if (const auto* whole = std::get_if<ExpectRow>(&expected)) return require_row(whole->row);
    const auto& attributes = std::get<ExpectAttributes>(expected).attributes;
    add_condition("attribute_exists(" + name(key_name_) + ")");
    for (const NamedValue& attribute : attributes) require_value(attribute.name, attribute.value);
}

void WriteExpression::require_absent() {
    add_condition("attribute_not_exists(" + name(key_name_) + ")");
}

void WriteExpression::require_row(const Row& row) {
    add_condition("attribute_exists(" + name(key_name_) + ")");
    AttributeCursor cursor{row.attributes};
    while (cursor.next()) require_value(cursor.name(), cursor.value());
}

void WriteExpression::require_value(BytesView attribute, const ValueView& expected) {
    const Bytes place = name(attribute);
    if (!expected.present()) return add_condition("attribute_not_exists(" + place + ")");
    add_condition(place + "=" + value(expected));
}

void WriteExpression::change(BytesView before, BytesView after) {
    std::map<Bytes, Value> old;
    for (NamedValue& attribute : decode_attributes(before)) {
        old.emplace(std::move(attribute.name), std::move(attribute.value));
    }
    for (const NamedValue& attribute : decode_attributes(after)) {
        const auto found = old.find(attribute.name);
        const bool same = found != old.end() && found->second == attribute.value;
        if (found != old.end()) old.erase(found);
        if (same) continue;
        set_.append(set_.empty() ? "SET " : ",").append(name(attribute.name));
        set_.append("=").append(value(attribute.value));
    }
    for (const auto& [gone, ignored] : old) {
        remove_.append(remove_.empty() ? "REMOVE " : ",").append(name(gone));
    }
}

Bytes WriteExpression::text() const {
    Bytes out;
    append_expression(out, "ConditionExpression", condition_);
    append_expression(out, "UpdateExpression",
                      set_ + (set_.empty() || remove_.empty() ? "" : " ") + remove_);
    out.append(",\"ExpressionAttributeNames\":{");
    bool first = true;
    for (const auto& [attribute, placeholder] : names_) {
        out.append(first ? "\"" : ",\"").append(placeholder).append("\":");
        append_json_string(out, attribute);
        first = false;
    }
    out.push_back('}');
    if (values_.empty()) return out;
    out.append(",\"ExpressionAttributeValues\":{");
    for (std::size_t place = 0; place < values_.size(); ++place) {
        out.append(place > 0 ? ",\":" : "\":").append(std::to_string(place)).append("\":");
        append_typed_value(out, values_[place]);
    }
    return out.append("}");
}

Bytes WriteExpression::name(BytesView attribute) {
    if (attribute.empty() || !is_utf8(attribute)) {
        throw Error{"DynamoDB has no attribute of such a name"}.with("attribute", attribute);
    }
    const auto found = names_.find(attribute);
    if (found != names_.end()) return found->second;
    const Bytes placeholder = "#" + std::to_string(names_.size());
    names_.emplace(attribute, placeholder);
    return placeholder;
}

Bytes WriteExpression::value(const ValueView& attribute_value) {
    values_.emplace_back(attribute_value);
    return ":" + std::to_string(values_.size() - 1);
}

void WriteExpression::add_condition(const Bytes& condition) {
    condition_.append(condition_.empty() ? "" : " AND ").append(condition);
}

}  // namespace idxfsck::store
