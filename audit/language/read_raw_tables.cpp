#include <algorithm>

#include "audit/language/raw_reader.hpp"

namespace idxfsck::audit::language {

namespace {

using store::RawField;
using store::RawPart;
using store::RawTable;

constexpr std::string_view value_hint =
    "\"empty\", \"json\", \"typed_json\", or a list of fields: "
    "[ { name = \"Count\", integer = 4 } ]";
constexpr std::string_view key_hint = "a list of fields: [ { name = \"Id\", rest = true } ]";

RawField json_members(store::RawForm form) {
    RawField field;
    field.members = true;
    field.form = form;
    return field;
}

// A table is one field, a list several.
std::vector<RawField> read_fields(const toml::node& node, std::string_view name,
                                  const std::string& table, Reading& reading,
                                  std::string_view wanted) {
    const std::string what = "a field of the " + std::string{name} + " of " + table;
    if (const toml::table* const field = node.as_table()) {
        return {read_raw_field({*field, what, reading}, true)};
    }
    const toml::array* const list = node.as_array();
    const bool tables = list != nullptr && std::all_of(list->begin(), list->end(), [](auto& each) {
        return each.is_table();
    });
    if (!tables) {
        reading.complain(place_of(node), "`" + std::string{name} + "` is no layout", {},
                         std::string{wanted});
        return {};
    }
    std::vector<RawField> fields;
    for (const toml::node& field : *list) {
        fields.push_back(read_raw_field({*field.as_table(), what, reading}, false));
        // One that does not say where it ends has its complaint already.
        if (field.as_table()->contains("rest") && &field != &list->back()) {
            reading.complain(place_of(field), what + " takes the rest and is not the last", {},
                             "say where it ends: bytes, end or length");
        }
    }
    return fields;
}

void read_key(TableReader& table, const std::string& name, RawTable& out) {
    const toml::node* const node = table.node("key");
    if (node == nullptr) return table.missing("key", std::string{key_hint});
    out.key = read_fields(*node, "key", name, table.reading(), key_hint);
    const auto members =
        std::find_if(out.key.begin(), out.key.end(), [](auto& field) { return field.members; });
    if (members != out.key.end()) {
        table.reading().complain(place_of(*node), "the members of a JSON object are no key", {},
                                 "a key has named fields");
    }
    const auto named = [](const RawField& field) { return field.part != RawPart::literal; };
    if (!out.key.empty() && std::none_of(out.key.begin(), out.key.end(), named)) {
        table.reading().complain(place_of(*node), "the key of " + name + " has no named field", {},
                                 std::string{key_hint});
    }
}

void read_value(TableReader& table, const std::string& name, RawTable& out) {
    const toml::node* const node = table.node("value");
    if (node == nullptr) return table.missing("value", std::string{value_hint});
    const std::string word = node->is_string() ? node->as_string()->get() : std::string{};
    if (word == "empty") return;
    if (word == "json") {
        out.value = {json_members(store::RawForm::json)};
    } else if (word == "typed_json") {
        out.value = {json_members(store::RawForm::typed_json)};
    } else {
        out.value = read_fields(*node, "value", name, table.reading(), value_hint);
    }
    const auto members = std::count_if(out.value.begin(), out.value.end(),
                                       [](const RawField& field) { return field.members; });
    if (members > 1) {
        table.reading().complain(place_of(*node), "the value of " + name + " has `members` twice",
                                 {}, "give one of them a `name` and `as`");
    }
}

// A row has one attribute of a name, whether it lies in the key or in the value.
void check_names(const RawTable& table, SpecPlace place, Reading& reading) {
    std::vector<std::string> names;
    for (const std::vector<RawField>* fields : {&table.key, &table.value}) {
        for (const RawField& field : *fields) {
            if (field.name.empty()) continue;
            if (std::find(names.begin(), names.end(), field.name) != names.end()) {
                reading.complain(place, "two fields of one name in " + table.name, field.name, {});
            }
            names.push_back(field.name);
        }
    }
}

RawTable read_table(const std::string& name, TableReader table) {
    RawTable out;
    out.name = name;
    if (const std::optional<PlacedText> family = table.text("family")) {
        out.family = family->value;
        if (out.family.empty()) {
            table.reading().complain(family->place, "`family` is empty", {}, {});
        }
    }
    if (const std::optional<PlacedText> prefix = table.text("prefix")) {
        out.prefix = raw_bytes(*prefix, table.reading()).value_or(prefix->value);
    }
    read_key(table, name, out);
    read_value(table, name, out);
    table.finish();
    check_names(out, table.place(), table.reading());
    return out;
}

// Where keys fit two tables, rows would be of both.
void check_prefixes(const store::RawTables& tables, const std::vector<SpecPlace>& places,
                    Reading& reading) {
    for (std::size_t index = 0; index < tables.size(); ++index) {
        for (std::size_t before = 0; before < index; ++before) {
            const RawTable& a = tables[before];
            const RawTable& b = tables[index];
            const bool overlap = a.prefix.starts_with(b.prefix) || b.prefix.starts_with(a.prefix);
            if (a.family != b.family || !overlap) continue;
            reading.complain(places[index],
                             "keys of " + b.name + " may be keys of " + a.name +
                                 ": they share a family",
                             b.family, "give each a `prefix` that the other does not begin with");
        }
    }
}

}  // namespace

store::RawTables read_raw_tables(TableReader& store) {
    store::RawTables tables;
    std::vector<SpecPlace> places;
    const toml::table* const declared = store.subtable("tables");
    if (declared == nullptr) {
        if (!store.has("tables")) {
            store.missing("tables", "say how they lie: [store.NAME.tables.TABLE]");
        }
        return tables;
    }
    for (const auto& [key, value] : *declared) {
        const std::string name{key.str()};
        if (const toml::table* const table = value.as_table()) {
            tables.push_back(read_table(name, {*table, "table " + name, store.reading()}));
            places.push_back(place_of(*table));
        } else {
            store.wrong_type(value, "tables." + name, "a table");
        }
    }
    check_prefixes(tables, places, store.reading());
    return tables;
}

}  // namespace idxfsck::audit::language
