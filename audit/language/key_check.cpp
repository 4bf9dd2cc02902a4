#include "audit/language/key_check.hpp"

#include <array>

#include "audit/language/utf8.hpp"

namespace idxfsck::audit::language {

namespace {

struct NamedLimits {
    std::string_view name;
    store::KeyLimits limits;
};

// Source   Azure: "Understanding the Table service data model", key values up to 1 KiB, without
//          / \ # ? and control characters. DynamoDB: partition key 2048 bytes, sort key 1024, not
//          empty. Cassandra: 64 KiB - 1 a component, partition keys not empty.
const std::array<NamedLimits, 4>& all_limits() {
    static const std::array<NamedLimits, 4> table = [] {
        std::array<NamedLimits, 4> made{};
        made[0].name = "azure";
        made[0].limits.characters_max = 512;
        made[0].limits.null = false;
        made[0].limits.forbidden = "/\\#?";
        made[0].limits.control_characters = false;
        made[1].name = "dynamodb";
        made[1].limits.bytes_max = 2048;
        made[1].limits.empty_text = false;
        made[1].limits.null = false;
        made[2].name = "cassandra";
        made[2].limits.bytes_max = 65535;
        made[2].limits.empty_text = false;
        made[2].limits.null = false;
        made[3].name = "none";
        return made;
    }();
    return table;
}

bool is_control(store::BytesView text, std::size_t index) {
    const auto byte = static_cast<unsigned char>(text[index]);
    if (byte < 0x20 || byte == 0x7F) return true;
    // U+0080 to U+009F are C2 80 to C2 9F.
    if (byte != 0xC2 || index + 1 == text.size()) return false;
    const auto next = static_cast<unsigned char>(text[index + 1]);
    return next >= 0x80 && next <= 0x9F;
}

bool has_refused_character(store::BytesView text, const store::KeyLimits& limits) {
    if (limits.forbidden.empty() && limits.control_characters) return false;
    for (std::size_t index = 0; index < text.size(); ++index) {
        if (limits.forbidden.find(text[index]) != store::Bytes::npos) return true;
        if (!limits.control_characters && is_control(text, index)) return true;
    }
    return false;
}

// What is wrong with a value of that kind where the table takes another.
Damage other_kind(store::Kind kind, store::Kind taken) {
    using store::Kind;
    const bool number = store::is_numeric(kind);
    switch (taken) {
        case Kind::text:
            if (number) return Damage::key_number_not_text;
            return kind == Kind::binary ? Damage::key_binary_not_text : Damage::key_wrong_type;
        case Kind::number:
            if (kind == Kind::text) return Damage::key_text_not_number;
            return kind == Kind::binary ? Damage::key_binary_not_number : Damage::key_wrong_type;
        case Kind::binary:
            if (number) return Damage::key_number_not_binary;
            return kind == Kind::text ? Damage::key_text_not_binary : Damage::key_wrong_type;
        default: return Damage::key_wrong_type;
    }
}

bool is_too_long(const store::ValueView& component, std::size_t place, const IndexLimits& limits) {
    const std::size_t size = component.payload.size();
    const std::optional<std::size_t> bytes_max = limits.bytes_max_at(place);
    if (bytes_max && size > *bytes_max) return true;
    // A text of so many bytes has at most so many characters.
    const std::optional<std::size_t> characters_max = limits.each.characters_max;
    if (!characters_max || size <= *characters_max) return false;
    return component.kind == store::Kind::text && utf16_units(component.payload) > *characters_max;
}

}  // namespace

Damage check_key(const store::ValueView& component, std::size_t place,
                 const IndexLimits& index_limits) {
    const store::KeyLimits& limits = index_limits.each;
    if (component.kind == store::Kind::absent || store::is_container(component.kind)) {
        return Damage::key_wrong_type;
    }
    if (component.kind == store::Kind::null) return limits.null ? Damage::none : Damage::key_null;
    const store::Kind taken = index_limits.kind_at(place);
    if (!store::is_taken(component.kind, taken)) return other_kind(component.kind, taken);
    const bool bytes = component.kind == store::Kind::text || component.kind == store::Kind::binary;
    if (!bytes) return Damage::none;
    if (component.payload.empty()) return limits.empty_text ? Damage::none : Damage::key_empty;
    if (is_too_long(component, place, index_limits)) return Damage::key_too_long;
    if (component.kind == store::Kind::text && has_refused_character(component.payload, limits)) {
        return Damage::key_characters;
    }
    return Damage::none;
}

std::optional<store::KeyLimits> named_limits(std::string_view name) {
    for (const NamedLimits& named : all_limits()) {
        if (named.name == name) return named.limits;
    }
    return std::nullopt;
}

std::optional<std::size_t> named_sort_bytes_max(std::string_view name) {
    constexpr std::size_t dynamodb_sort_bytes_max = 1024;
    if (!name.starts_with("dynamodb")) return std::nullopt;
    return dynamodb_sort_bytes_max;
}

std::vector<std::string_view> limits_names() {
    std::vector<std::string_view> names;
    for (const NamedLimits& named : all_limits()) names.push_back(named.name);
    return names;
}

}  // namespace idxfsck::audit::language
