#include "store/dynamodb/item.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/json/dynamodb_tag.hpp"
#include "store/json/dynamodb_text.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/value_text.hpp"
#include "store/number.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t digits_max = 38;
// 0.1 × 10^-129 and 0.99… × 10^126.
constexpr std::int64_t exponent_min = -129;
constexpr std::int64_t exponent_max = 126;

std::optional<Value> held_number(const ValueView& value) {
    Bytes scratch;
    const std::optional<BytesView> text = canonical_number(value, scratch);
    if (!text) return std::nullopt;
    Bytes digits;
    const std::optional<Decimal> decimal = parse_decimal(*text, digits);
    if (!decimal || decimal->digits.size() > digits_max) return std::nullopt;
    const bool in_range = decimal->digits.empty() || (decimal->exponent >= exponent_min &&
                                                      decimal->exponent <= exponent_max);
    if (!in_range) return std::nullopt;
    return Value::number(Bytes{*text});
}

// A number that is spelt as it is kept: by far the most are.
bool is_plain_integer(BytesView text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    if (text.empty() || text.size() > digits_max) return false;
    if (text[0] == '0') return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Value> held(const ValueView& value, std::size_t depth);

std::optional<Value> held_set(const ValueView& set) {
    std::vector<Bytes> payloads;
    ElementCursor cursor{set};
    while (cursor.next()) {
        std::optional<Value> element = held(cursor.value(), 0);
        if (!element || element->kind != set_element_kind(set.kind)) return std::nullopt;
        payloads.push_back(std::move(element->payload));
    }
    if (cursor.damaged() || payloads.empty()) return std::nullopt;
    return Value::set(set.kind, std::move(payloads));
}

std::optional<Value> held_container(const ValueView& container, std::size_t depth) {
    if (depth >= value_depth_max) return std::nullopt;
    std::vector<Value> elements;
    std::vector<std::pair<Bytes, Value>> members;
    ElementCursor cursor{container};
    while (cursor.next()) {
        std::optional<Value> element = held(cursor.value(), depth + 1);
        if (!element || !is_utf8(cursor.name())) return std::nullopt;
        if (container.kind == Kind::list) elements.push_back(std::move(*element));
        else members.emplace_back(cursor.name(), std::move(*element));
    }
    if (cursor.damaged()) return std::nullopt;
    return container.kind == Kind::list ? Value::list(elements) : Value::map(std::move(members));
}

std::optional<Value> held(const ValueView& value, std::size_t depth) {
    if (is_numeric(value.kind)) return held_number(value);
    if (is_set(value.kind)) return held_set(value);
    if (is_container(value.kind)) return held_container(value, depth);
    if (find_dynamodb_name(value.kind).empty()) return std::nullopt;
    if (value.kind == Kind::text && !is_utf8(value.payload)) return std::nullopt;
    return Value{value};
}

void append_member(Bytes& out, BytesView name, const ValueView& value, bool first) {
    if (!first) out.push_back(',');
    if (!is_utf8(name)) throw Error{"DynamoDB has no names that are not UTF-8"};
    append_json_string(out, name);
    out.push_back(':');
    append_typed_value(out, value);
}

}  // namespace

std::optional<Value> dynamodb_value(const ValueView& value) { return held(value, 0); }

std::optional<Row> dynamodb_row(const Row& row) {
    Row out;
    for (const Value& component : row.key) {
        std::optional<Value> value = dynamodb_value(component);
        if (!value || is_container(value->kind)) return std::nullopt;
        out.key.push_back(std::move(*value));
    }
    AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        const std::optional<Value> value = dynamodb_value(cursor.value());
        if (!value || !is_utf8(cursor.name())) return std::nullopt;
        append_varint(out.attributes, cursor.name().size());
        out.attributes.append(cursor.name());
        append_element(out.attributes, *value);
    }
    if (cursor.damaged()) return std::nullopt;
    return out;
}

ItemReader::ItemReader(const std::vector<Bytes>& key_names)
    : key_names_{key_names},
      parser_{Shape::dynamodb},
      key_(key_names.size()),
      key_payloads_(key_names.size()) {}

// The parser looks for a wrapper called Item first. With one around every item none can be taken
// for it, whatever its attributes are called.
std::string_view ItemReader::read(BytesView json) {
    line_.assign("{\"Item\":").append(json).append("}");
    const std::size_t size = line_.size();
    line_.append(line_padding, ' ');
    std::fill(key_.begin(), key_.end(), ValueView{});
    attributes_.clear();
    const std::optional<LineProblem> problem = parser_.parse(BytesView{line_}.substr(0, size));
    if (problem) return problem->cause;
    for (const ParsedAttribute& attribute : parser_.attributes()) {
        const std::string_view why_not = take(attribute);
        if (!why_not.empty()) return why_not;
    }
    const auto present = [](const ValueView& component) { return component.present(); };
    if (!std::all_of(key_.begin(), key_.end(), present)) return "a key attribute is missing";
    return {};
}

std::string_view ItemReader::take(const ParsedAttribute& attribute) {
    const ValueView value = canonical(attribute.value);
    if (!value.present()) return "a value that no item can hold";
    const auto component = std::find(key_names_.begin(), key_names_.end(), attribute.name);
    if (component != key_names_.end()) {
        if (is_container(value.kind)) return "a key attribute that is a list, map or set";
        const auto place = static_cast<std::size_t>(component - key_names_.begin());
        key_payloads_[place] = value.payload;
        key_[place] = {value.kind, key_payloads_[place]};
        return {};
    }
    append_varint(attributes_, attribute.name.size());
    attributes_.append(attribute.name);
    append_element(attributes_, value);
    return {};
}

ValueView ItemReader::canonical(const ValueView& value) {
    const bool number = value.kind == Kind::number;
    if ((number && is_plain_integer(value.payload)) || value.kind == Kind::text) return value;
    if (!number && !is_container(value.kind)) return value;
    std::optional<Value> kept = dynamodb_value(value);
    if (!kept) return {};
    kept_ = std::move(*kept);
    return kept_;
}

Row ItemReader::row() const {
    Row row;
    for (const ValueView& component : key_) row.key.emplace_back(component);
    row.attributes = attributes_;
    return row;
}

void append_typed_value(Bytes& out, const ValueView& value) {
    const std::string_view why_not = append_dynamodb_value(out, value);
    if (why_not.empty()) return;
    throw Error{"DynamoDB cannot hold this value"}
        .with("kind", kind_name(value.kind))
        .with("cause", why_not);
}

void append_key(Bytes& out, const std::vector<Bytes>& names, const Key& key) {
    out.push_back('{');
    for (std::size_t place = 0; place < names.size() && place < key.size(); ++place) {
        append_member(out, names[place], key[place], place == 0);
    }
    out.push_back('}');
}

void append_item(Bytes& out, const std::vector<Bytes>& names, const Row& row) {
    append_key(out, names, row.key);
    out.pop_back();
    AttributeCursor cursor{row.attributes};
    while (cursor.next()) append_member(out, cursor.name(), cursor.value(), false);
    if (cursor.damaged()) throw Error{"the attributes of a row to write are damaged"};
    out.push_back('}');
}

}  // namespace idxfsck::store
