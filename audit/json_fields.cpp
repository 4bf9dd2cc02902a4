#include "audit/json_fields.hpp"

#include "store/json/scalar_text.hpp"

namespace idxfsck::audit {

namespace {

const store::Json& empty_array() {
    static const store::Json none = store::Json::array();
    return none;
}

const store::Json& empty_object() {
    static const store::Json none = store::Json::object();
    return none;
}

}  // namespace

JsonFields::JsonFields(const store::Json& object) : object_{object} {
    if (!object.is_object()) problem_ = "not an object";
}

const store::Json* JsonFields::find(std::string_view name) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
}

const store::Json* JsonFields::need(std::string_view name) {
    const store::Json* field = find(name);
    if (field == nullptr) complain(name, "is missing");
    return field;
}

void JsonFields::complain(std::string_view name, std::string_view what) {
    if (!problem_.empty()) return;
    problem_.append("field `").append(name).append("` ").append(what);
}

std::string JsonFields::text(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return {};
    if (field->is_string()) return field->get<std::string>();
    const store::Decoded<store::Value> value = store::value_from_json(*field);
    if (value && value->kind == store::Kind::text) return value->payload;
    complain(name, "is no text");
    return {};
}

std::int64_t JsonFields::integer(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return 0;
    const bool fits = field->is_number_integer() &&
                      !(field->is_number_unsigned() && field->get<std::uint64_t>() > INT64_MAX);
    if (!fits) complain(name, "is no integer");
    return fits ? field->get<std::int64_t>() : 0;
}

std::uint64_t JsonFields::count(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return 0;
    if (field->is_number_unsigned()) return field->get<std::uint64_t>();
    // A document put together in memory may hold a count as a signed number.
    if (field->is_number_integer() && field->get<std::int64_t>() >= 0) {
        return static_cast<std::uint64_t>(field->get<std::int64_t>());
    }
    complain(name, "is no count");
    return 0;
}

double JsonFields::real(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return 0;
    if (field->is_number()) return field->get<double>();
    complain(name, "is no number");
    return 0;
}

bool JsonFields::flag(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return false;
    if (field->is_boolean()) return field->get<bool>();
    complain(name, "is neither true nor false");
    return false;
}

store::Key JsonFields::key(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return {};
    store::Decoded<store::Key> key = store::key_from_json(*field);
    if (key) return std::move(*key);
    complain(name, key.why_not);
    return {};
}

const store::Json& JsonFields::array(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return empty_array();
    if (field->is_array()) return *field;
    complain(name, "is no array");
    return empty_array();
}

const store::Json& JsonFields::object(std::string_view name) {
    const store::Json* field = need(name);
    if (field == nullptr) return empty_object();
    if (field->is_object()) return *field;
    complain(name, "is no object");
    return empty_object();
}

std::string JsonFields::text_or_empty(std::string_view name) {
    return has(name) ? text(name) : std::string{};
}

std::optional<store::Key> JsonFields::key_if(std::string_view name) {
    return has(name) ? std::optional{key(name)} : std::nullopt;
}

std::optional<store::Value> JsonFields::value_if(std::string_view name) {
    // Here a JSON null is a value: the null of the store.
    const auto field = object_.is_object() ? object_.find(name) : object_.end();
    if (field == object_.end()) return std::nullopt;
    store::Decoded<store::Value> value = store::value_from_json(*field);
    if (value) return std::move(*value);
    complain(name, value.why_not);
    return std::nullopt;
}

store::Bytes JsonFields::hex_or_empty(std::string_view name) {
    if (!has(name)) return {};
    std::optional<store::Bytes> bytes = store::from_hex(text(name));
    if (!bytes) complain(name, "is no hexadecimal text");
    return bytes ? std::move(*bytes) : store::Bytes{};
}

std::optional<SeenRow> JsonFields::seen_row_if(std::string_view name) {
    if (!has(name)) return std::nullopt;
    JsonFields fields{object(name)};
    SeenRow row;
    row.table = fields.text("table");
    row.key = fields.key("key");
    row.present = fields.flag("present");
    row.digest = fields.text_or_empty("digest");
    row.version = fields.hex_or_empty("version");
    if (!fields.sound()) complain(name, fields.problem());
    return row;
}

store::Json text_to_json(std::string_view text) {
    return store::value_to_json(store::ValueView{store::Kind::text, text});
}

store::Json seen_row_to_json(const SeenRow& row) {
    store::Json json = store::Json::object();
    json["table"] = text_to_json(row.table);
    json["key"] = store::key_to_json(row.key);
    json["present"] = row.present;
    if (!row.digest.empty()) json["digest"] = text_to_json(row.digest);
    if (!row.version.empty()) json["version"] = store::to_hex(row.version);
    return json;
}

std::optional<store::Json> parse_object(std::string_view text) {
    store::Json json = store::Json::parse(text, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    return json;
}

}  // namespace idxfsck::audit
