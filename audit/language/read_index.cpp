#include <algorithm>

#include "audit/language/inversion.hpp"
#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

// Pointers and copies may be null: that is a value to point with, and one to copy.
MissingPolicy null_is_a_value() {
    MissingPolicy missing;
    missing.null.action = MissingAction::keep;
    return missing;
}

MissingPolicy read_missing(TableReader& table) {
    const toml::table* const found = table.subtable("missing");
    if (found == nullptr) return {};
    TableReader inner{*found, "`missing`", table.reading()};
    const MissingPolicy missing = missing_policy(inner, {});
    inner.finish();
    return missing;
}

std::string read_each(TableReader& table, SpecPlace& place) {
    const std::optional<PlacedText> each = table.text("each");
    if (!each) return {};
    place = each->place;
    const std::optional<Template> parsed = read_template(*each, table.reading());
    if (!parsed) return {};
    if (!parsed->keeps_type()) {
        table.reading().complain(place, "`each` is a text and should be a list", each->value,
                                 "one attribute alone: \"{Tags}\", or \"{Tags|split(',')}\"");
        return {};
    }
    return each->value;
}

// `copies = "all"`, `{ all_except = […] }` and, beside it or alone, templates by name.
void read_copies(TableReader& table, IndexSpec& index) {
    const toml::node* const node = table.node("copies");
    if (node == nullptr) return;
    if (node->is_string()) {
        if (table.word("copies", {"all"})) index.copies_mode = CopiesMode::all_except;
        return;
    }
    const toml::table* const found = table.subtable("copies");
    if (found == nullptr) return;
    TableReader inner{*found, "`copies`", table.reading()};
    if (inner.has("all_except")) {
        index.copies_mode = CopiesMode::all_except;
        index.copies_except = attribute_names(inner, "all_except", false);
    } else {
        index.copies_mode = CopiesMode::named;
    }
    for (const auto& [key, value] : *found) {
        if (key.str() == "all_except") continue;
        std::optional<NamedTemplate> named =
            named_template(key, value, null_is_a_value(), table.reading());
        if (named) index.copies.push_back(std::move(*named));
    }
}

void read_unique(TableReader& table, IndexSpec& index) {
    const toml::node* const node = table.node("unique");
    if (node == nullptr) return;
    const toml::table* const scoped = node->as_table();
    if (scoped == nullptr) {
        if (const toml::value<bool>* const plain = node->as_boolean()) {
            index.unique = plain->get();
        } else {
            table.wrong_type(*node, "unique", "true, false or { scope = [\"tenant\"] }");
        }
        return;
    }
    TableReader inner{*scoped, "`unique`", table.reading()};
    index.unique = true;
    if (!inner.has("scope")) inner.missing("scope", "{ scope = [\"tenant\"] }");
    index.unique_scope = attribute_names(inner, "scope", true);
    inner.finish();
}

void read_entry(TableReader& table, IndexSpec& index) {
    if (!table.has("key")) {
        table.missing("key", "a template for each key component: key = { Email = \"{Email}\" }");
    }
    index.key = named_templates(table, "key", read_missing(table));
    index.pointer = named_templates(table, "pointer", null_is_a_value());
    index.container = read_container(table);
    read_copies(table, index);
    index.constants = named_templates(table, "constants", null_is_a_value());
    index.when = condition_at(table, "when", index.when_place);
    index.each = read_each(table, index.each_place);
}

// An index that lies inside the base row is where its base is.
void refuse_whereabouts(TableReader& table) {
    for (const char* name : {"store", "table", "rows"}) {
        const toml::node* const node = table.node(name);
        if (node == nullptr) continue;
        table.reading().complain(place_of(*node),
                                 "an index inside the base row has no `" + std::string{name} + "`",
                                 {}, "its rows are those of its base");
    }
}

void read_whereabouts(TableReader& table, IndexSpec& index) {
    PlacedText store = table.needed_text("store");
    index.store = std::move(store.value);
    index.store_place = store.place;
    index.table = table.needed_text("table").value;
    index.rows = condition_at(table, "rows", index.rows_place);
}

}  // namespace

void read_version_entry(TableReader& table, IndexSpec& version) {
    if (!table.has("key")) {
        table.missing("key", "a template for each key component, as it was");
    }
    version.key = named_templates(table, "key", read_missing(table));
    if (table.node("pointer") != nullptr) {
        version.pointer = named_templates(table, "pointer", null_is_a_value());
    }
    if (table.node("copies") != nullptr) {
        version.copies_mode = CopiesMode::none;
        version.copies.clear();
        version.copies_except.clear();
        read_copies(table, version);
    }
    if (table.node("constants") != nullptr) {
        version.constants = named_templates(table, "constants", null_is_a_value());
    }
}

std::vector<IndexSpec> read_index(TableReader table) {
    IndexSpec index;
    index.place = table.place();
    index.name = table.needed_text("name").value;
    PlacedText of = table.needed_text("of");
    index.of = std::move(of.value);
    index.of_place = of.place;
    index.inside = table.boolean("inside").value_or(false);
    if (index.inside) {
        refuse_whereabouts(table);
    } else {
        read_whereabouts(table, index);
    }
    read_entry(table, index);
    read_unique(table, index);
    index.lossy = table.boolean("lossy").value_or(false);
    index.read_only = table.boolean("read_only").value_or(false);
    index.claim_by_insert = table.boolean("claim_by_insert").value_or(false);
    index.settle = table.duration("settle").value_or(std::chrono::milliseconds{0});
    read_rules(table, index);
    std::vector<IndexSpec> indexes{index};
    for (IndexSpec& version : read_versions(table, index)) indexes.push_back(std::move(version));
    table.finish();
    return indexes;
}

}  // namespace idxfsck::audit::language
