#include <algorithm>
#include <array>

#include "audit/language/nearest.hpp"
#include "audit/language/raw_reader.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

using store::RawField;
using store::RawForm;
using store::RawPart;

constexpr std::uint64_t integer_width_max = 8;
constexpr std::uint64_t bytes_width_max = 1 << 20;
constexpr std::size_t guid_size = 16;

template <typename Type>
using Words = std::vector<std::pair<std::string_view, Type>>;

const Words<RawForm>& form_words() {
    static const Words<RawForm> words{
        {"text", RawForm::text},       {"hex", RawForm::hex},
        {"HEX", RawForm::hex_upper},   {"base64", RawForm::base64},
        {"base64url", RawForm::base64_url}, {"binary", RawForm::binary},
        {"guid", RawForm::guid},       {"json", RawForm::json},
        {"typed_json", RawForm::typed_json}};
    return words;
}

const Words<RawForm>& member_words() {
    static const Words<RawForm> words{{"json", RawForm::json},
                                      {"typed_json", RawForm::typed_json}};
    return words;
}

const Words<store::RawVarint>& varint_words() {
    static const Words<store::RawVarint> words{{"leb128", store::RawVarint::leb128},
                                               {"zigzag", store::RawVarint::zigzag},
                                               {"bitcoin", store::RawVarint::bitcoin}};
    return words;
}

const Words<store::RawVarint>& length_words() {
    static const Words<store::RawVarint> words{{"varint", store::RawVarint::leb128},
                                               {"bitcoin", store::RawVarint::bitcoin}};
    return words;
}

const Words<store::RawOrder>& order_words() {
    static const Words<store::RawOrder> words{{"big", store::RawOrder::big},
                                              {"little", store::RawOrder::little}};
    return words;
}

const Words<store::RawSign>& sign_words() {
    static const Words<store::RawSign> words{{"none", store::RawSign::none},
                                             {"plain", store::RawSign::plain},
                                             {"flipped", store::RawSign::flipped}};
    return words;
}

const Words<store::Kind>& kind_words() {
    static const Words<store::Kind> words{{"number", store::Kind::number},
                                          {"int32", store::Kind::int32},
                                          {"int64", store::Kind::int64}};
    return words;
}

template <typename Type>
void read_word(TableReader& table, std::string_view name, const Words<Type>& words, Type& out) {
    std::vector<std::string_view> spelled;
    for (const auto& [word, value] : words) spelled.push_back(word);
    const std::optional<std::string> found = table.word(name, spelled);
    for (const auto& [word, value] : words) {
        if (found && *found == word) out = value;
    }
}

// How a field may say where it ends, and what else may then be said of it.
struct Ending {
    std::string_view name;
    RawPart part;
    std::vector<std::string_view> options;
};

const std::array<Ending, 7>& endings() {
    static const std::array<Ending, 7> all{{
        {"literal", RawPart::literal, {}},
        {"integer", RawPart::integer, {"order", "sign", "kind", "complement"}},
        {"varint", RawPart::varint, {"kind"}},
        {"bytes", RawPart::bytes, {"as", "complement"}},
        {"end", RawPart::ended, {"as", "members", "complement"}},
        {"length", RawPart::sized, {"as", "members", "order", "complement"}},
        {"rest", RawPart::rest, {"as", "members", "complement"}},
    }};
    return all;
}

void check_options(TableReader& table, const Ending& ending) {
    for (const std::string_view option :
         {"order", "sign", "kind", "as", "members", "complement"}) {
        const toml::node* const found = table.table().get(option);
        const bool allowed = std::find(ending.options.begin(), ending.options.end(), option) !=
                             ending.options.end();
        if (found == nullptr || allowed) continue;
        table.reading().complain(place_of(*found),
                                 "`" + std::string{option} + "` does not go with `" +
                                     std::string{ending.name} + "`",
                                 {}, {});
    }
}

// The one way in which the field says where it ends; `rest` if there is none or several.
const Ending& ending_of(TableReader& table, bool alone) {
    const Ending* found = nullptr;
    std::string seen;
    bool several = false;
    for (const Ending& ending : endings()) {
        if (!table.has(ending.name)) continue;
        seen += (seen.empty() ? "" : ", ") + std::string{ending.name};
        several = found != nullptr;
        if (found == nullptr) found = &ending;
        if (several) break;
    }
    if (several) {
        table.reading().complain(table.place(), table.what() + " has two ways to end", seen,
                                 "keep one of them");
    }
    if (found == nullptr && !alone) {
        table.reading().complain(table.place(), table.what() + " does not say where it ends", {},
                                 "one of: integer, varint, bytes, end, length, rest");
    }
    const Ending& ending = found != nullptr ? *found : endings().back();
    if (!several) check_options(table, ending);
    return ending;
}

std::size_t width_at(TableReader& table, std::string_view name, std::uint64_t width_max) {
    const std::optional<std::uint64_t> width = table.whole_number(name);
    if (!width || (*width >= 1 && *width <= width_max)) return width.value_or(1);
    table.reading().complain(place_of(*table.table().get(name)),
                             "`" + std::string{name} + "` is out of range",
                             std::to_string(*width),
                             "from 1 to " + std::to_string(width_max) + " bytes");
    return 1;
}

store::Bytes bytes_at(TableReader& table, std::string_view name) {
    const PlacedText text = table.needed_text(name);
    const std::optional<store::Bytes> bytes = raw_bytes(text, table.reading());
    if (bytes && bytes->empty() && !text.value.empty()) {
        table.reading().complain(text.place, "`" + std::string{name} + "` is empty", {}, {});
    }
    return bytes.value_or("?");
}

// `true` stands for LEB128.
void read_varint(TableReader& table, RawField& field) {
    const toml::node* const node = table.table().get("varint");
    if (node->is_boolean() && node->as_boolean()->get()) {
        static_cast<void>(table.node("varint"));
        return;
    }
    read_word(table, "varint", varint_words(), field.varint);
}

void read_length(TableReader& table, RawField& field) {
    const toml::node* const node = table.table().get("length");
    if (node->is_integer()) {
        field.width = width_at(table, "length", integer_width_max);
        return;
    }
    read_word(table, "length", length_words(), field.varint);
    if (table.has("order")) {
        table.reading().complain(place_of(*table.table().get("order")),
                                 "`order` does not go with a length that is a varint", {}, {});
    }
}

void read_extent(TableReader& table, RawField& field) {
    switch (field.part) {
        case RawPart::literal: field.literal = bytes_at(table, "literal"); break;
        case RawPart::ended: field.literal = bytes_at(table, "end"); break;
        case RawPart::integer: field.width = width_at(table, "integer", integer_width_max); break;
        case RawPart::bytes: field.width = width_at(table, "bytes", bytes_width_max); break;
        case RawPart::varint: read_varint(table, field); break;
        case RawPart::sized: read_length(table, field); break;
        case RawPart::rest:
            if (table.boolean("rest").value_or(true)) break;
            table.reading().complain(place_of(*table.table().get("rest")),
                                     "`rest` is false: a field that does not take the rest says "
                                     "where it ends",
                                     {}, "one of: integer, varint, bytes, end, length");
            break;
    }
}

void read_options(TableReader& table, RawField& field) {
    read_word(table, "order", order_words(), field.order);
    read_word(table, "sign", sign_words(), field.sign);
    read_word(table, "kind", kind_words(), field.kind);
    read_word(table, "as", form_words(), field.form);
    field.members = table.has("members");
    read_word(table, "members", member_words(), field.form);
    field.complement = table.boolean("complement").value_or(false);
}

void check_name(TableReader& table, const RawField& field) {
    const bool nameless = field.part == RawPart::literal || field.members;
    if (nameless && table.has("name")) {
        table.reading().complain(place_of(*table.table().get("name")),
                                 field.members ? "`members` have names of their own"
                                               : "a literal has no name",
                                 field.name, "leave `name` out");
    }
    if (!nameless && !table.has("name")) {
        table.missing("name", "the name of the attribute or key component");
    }
}

bool holds(const RawField& field) {
    const bool is_signed = field.part == RawPart::varint
                               ? field.varint == store::RawVarint::zigzag
                               : field.sign != store::RawSign::none;
    const std::size_t width = field.part == RawPart::varint ? 8 : field.width;
    if (field.kind == store::Kind::int32) return is_signed ? width <= 4 : width < 4;
    return field.kind != store::Kind::int64 || is_signed || width < 8;
}

void check_field(TableReader& table, const RawField& field) {
    check_name(table, field);
    if (field.form == RawForm::guid &&
        (field.part != RawPart::bytes || field.width != guid_size)) {
        table.reading().complain(table.place(), "a guid has 16 bytes", {}, "say `bytes = 16`");
    }
    const bool number = field.part == RawPart::integer || field.part == RawPart::varint;
    if (number && !holds(field)) {
        table.reading().complain(table.place(), "the field holds numbers that its kind does not",
                                 std::string{store::kind_name(field.kind)},
                                 "`kind = \"number\"` holds them all");
    }
}

}  // namespace

std::optional<store::Bytes> raw_bytes(const PlacedText& text, Reading& reading) {
    constexpr std::string_view mark = "hex:";
    if (!text.value.starts_with(mark)) return text.value;
    std::optional<store::Bytes> bytes =
        store::from_hex(std::string_view{text.value}.substr(mark.size()));
    if (!bytes) {
        reading.complain(text.place, "not bytes in hexadecimal", text.value,
                         "two digits a byte: \"hex:00ff\"");
    }
    return bytes;
}

RawField read_raw_field(TableReader table, bool alone) {
    RawField field;
    if (const std::optional<PlacedText> name = table.text("name")) {
        field.name = name->value;
        if (field.name.empty()) table.reading().complain(name->place, "`name` is empty", {}, {});
    }
    for (const Ending& ending : endings()) static_cast<void>(table.node(ending.name));
    field.part = ending_of(table, alone).part;
    read_extent(table, field);
    read_options(table, field);
    check_field(table, field);
    table.finish();
    return field;
}

}  // namespace idxfsck::audit::language
