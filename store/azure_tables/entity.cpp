#include "store/azure_tables/entity.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <simdjson.h>

#include "store/error.hpp"
#include "store/expectation.hpp"
#include "store/json/azure_text.hpp"
#include "store/json/azure_type.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

namespace ondemand = simdjson::ondemand;

// What the service adds to an entity of its own begins so; no property's name has a dot in it.
constexpr BytesView service_prefix = "odata.";
constexpr BytesView etag_name = "odata.etag";

constexpr std::string_view no_json = "an answer that is no JSON object, or is cut";

constexpr std::size_t property_bytes_max = 64 << 10;
constexpr std::size_t entity_bytes_max = 1 << 20;
constexpr std::size_t properties_max = 252;
constexpr std::size_t name_units_max = 255;
// 1601-01-01, the service's first day.
constexpr std::int64_t first_ticks = 504'911'232'000'000'000;

std::size_t utf16_bytes(BytesView text) {
    std::size_t units = 0;
    for (const char character : text) {
        const auto byte = static_cast<std::uint8_t>(character);
        units += (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
    }
    return units * 2;
}

// As the service counts it.
std::size_t size_of(const ValueView& value) {
    return value.kind == Kind::text ? utf16_bytes(value.payload) : value.payload.size();
}

std::string_view refusal_of(BytesView name, const ValueView& value) {
    if (find_azure_name(value.kind).empty()) return "a kind that tables have no type for";
    if (name == azure_timestamp) return "Timestamp is the service's own";
    if (name.empty() || name.starts_with(service_prefix) || name.ends_with(azure_annotation) ||
        !is_utf8(name) || utf16_bytes(name) > name_units_max * 2) {
        return "no name for a property";
    }
    if (value.kind == Kind::text && !is_utf8(value.payload)) return "text that is not UTF-8";
    if (size_of(value) > property_bytes_max) return "larger than a property may be: 64 KiB";
    if (value.kind == Kind::date_time && value.as_integer() < first_ticks) {
        return "a time before 1601";
    }
    return {};
}

// A decimal number, as templates make them of literals, in a kind that tables have: whole, or the
// Double that is spelt the same. Nothing if there is none.
std::optional<Value> held_number(const ValueView& number) {
    Bytes scratch;
    const std::optional<BytesView> text = canonical_number(number, scratch);
    if (!text) return std::nullopt;
    const char* const end = text->data() + text->size();
    std::int64_t whole = 0;
    const auto as_whole = std::from_chars(text->data(), end, whole);
    if (as_whole.ec == std::errc{} && as_whole.ptr == end) {
        using Small = std::numeric_limits<std::int32_t>;
        const bool small = whole >= Small::min() && whole <= Small::max();
        return small ? Value::int32(static_cast<std::int32_t>(whole)) : Value::int64(whole);
    }
    double real = 0.0;
    const auto as_real = std::from_chars(text->data(), end, real);
    if (as_real.ec != std::errc{} || as_real.ptr != end) return std::nullopt;
    const Value held = Value::real(real);
    Bytes other;
    return canonical_number(held.view(), other) == text ? std::optional{held} : std::nullopt;
}

// The texts of the objects of a list.
bool take_objects(ondemand::value& value, std::vector<BytesView>& out) {
    ondemand::array list;
    if (value.get_array().get(list) != simdjson::SUCCESS) return false;
    for (auto item : list) {
        ondemand::object object;
        std::string_view text;
        if (item.get_object().get(object) != simdjson::SUCCESS) return false;
        if (object.raw_json().get(text) != simdjson::SUCCESS) return false;
        out.push_back(text);
    }
    return true;
}

}  // namespace

const std::vector<Bytes>& entity_key_names() {
    static const std::vector<Bytes> names{Bytes{partition_key_name}, Bytes{row_key_name}};
    return names;
}

KeyLimits table_key_limits() {
    KeyLimits limits;
    limits.characters_max = 512;
    limits.null = false;
    limits.forbidden = "/\\#?";
    limits.control_characters = false;
    return limits;
}

bool possible_entity_key(const Key& key) {
    if (key.size() != entity_key_names().size()) return false;
    for (const Value& component : key) {
        if (component.kind != Kind::text || !is_utf8(component.payload)) return false;
    }
    try {
        check_key(table_key_limits(), {{}, entity_key_names()}, key);
        return true;
    } catch (const Error&) {
        return false;
    }
}

HeldRow held_row(const Row& row) {
    if (!possible_entity_key(row.key)) return {std::nullopt, "a key that no row can have", {}};
    std::vector<NamedValue> kept;
    std::size_t bytes = 4 + utf16_bytes(row.key[0].payload) + utf16_bytes(row.key[1].payload);
    AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        ValueView value = cursor.value();
        if (value.kind == Kind::null) continue;
        const std::optional<Value> number =
            value.kind == Kind::number ? held_number(value) : std::nullopt;
        if (number) value = number->view();
        const std::string_view why_not = refusal_of(cursor.name(), value);
        if (!why_not.empty()) return {std::nullopt, why_not, Bytes{cursor.name()}};
        bytes += 8 + utf16_bytes(cursor.name()) + size_of(value) + 4;
        kept.push_back({Bytes{cursor.name()}, Value{value}});
    }
    if (kept.size() > properties_max) return {std::nullopt, "more than 252 properties", {}};
    if (bytes > entity_bytes_max) return {std::nullopt, "larger than a row may be: 1 MiB", {}};
    return {Row{row.key, encode_attributes(std::move(kept)), row.version}, {}, {}};
}

std::string_view EntityReader::read(BytesView json) {
    if (const auto problem = parser_.parse(json)) return problem->cause;
    key_.assign(2, {});
    attributes_.clear();
    version_.clear();
    for (const ParsedAttribute& attribute : parser_.attributes()) {
        const auto& [name, value, offset] = attribute;
        if (name == partition_key_name) {
            key_[0] = value;
        } else if (name == row_key_name) {
            key_[1] = value;
        } else if (name.starts_with(service_prefix)) {
            if (name == etag_name) version_ = value.payload;
        } else if (name != azure_timestamp && value.kind != Kind::null) {
            append_varint(attributes_, name.size());
            attributes_.append(name);
            append_element(attributes_, value);
        }
    }
    if (key_[0].kind != Kind::text || key_[1].kind != Kind::text) {
        return "a row without PartitionKey and RowKey";
    }
    return {};
}

Row EntityReader::row() const {
    return {{Value{key_[0]}, Value{key_[1]}}, attributes_, version_};
}

Bytes entity_text(const Row& row) {
    Bytes out = "{\"PartitionKey\":";
    append_json_string(out, row.key.at(0).payload);
    out.append(",\"RowKey\":");
    append_json_string(out, row.key.at(1).payload);
    AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        out.push_back(',');
        const ValueView value = cursor.value();
        if (value.kind == Kind::real && std::isfinite(value.as_real())) {
            append_json_string(out, Bytes{cursor.name()}.append(azure_annotation));
            out.append(":\"Edm.Double\",");
        }
        const std::string_view why_not = append_azure_property(out, cursor.name(), value);
        ensure(why_not.empty(), "a row that is written has been looked at before");
    }
    return out.append("}");
}

std::string_view entities_in(const Bytes& body, std::vector<BytesView>& out) {
    thread_local ondemand::parser parser;
    out.clear();
    const simdjson::padded_string_view padded{body.data(), body.size(), body.capacity()};
    ondemand::document document;
    ondemand::object answer;
    if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return no_json;
    if (document.get_object().get(answer) != simdjson::SUCCESS) return no_json;
    bool found = false;
    for (auto field : answer) {
        std::string_view name;
        std::string_view text;
        ondemand::value value;
        if (field.unescaped_key().get(name) != simdjson::SUCCESS) return no_json;
        if (field.value().get(value) != simdjson::SUCCESS) return no_json;
        if (name == "value") {
            if (found || !take_objects(value, out)) return "the rows are no list of objects";
            found = true;
        } else if (simdjson::to_json_string(value).get(text) != simdjson::SUCCESS) {
            return no_json;
        }
    }
    // At the end of the document there is no location any more.
    const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    if (!at_end) return no_json;
    return found ? std::string_view{} : "there are no rows";
}

}  // namespace idxfsck::store
