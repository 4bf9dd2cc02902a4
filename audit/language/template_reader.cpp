#include "audit/language/template_reader.hpp"

#include <algorithm>

#include "audit/language/any_of.hpp"
#include "audit/language/bound_condition.hpp"
#include "audit/language/functions.hpp"
#include "audit/language/nearest.hpp"
#include "audit/language/parser.hpp"

namespace idxfsck::audit::language {

namespace {

bool check_expressions(const Condition& condition, const PlacedText& text, Reading& reading) {
    bool right = true;
    for (const ConditionNode& node : condition.nodes) {
        if (node.function == nullptr || node.function->function != Function::matches) continue;
        const Operand& expression = node.operands[1];
        const std::string wrong = check_expression(expression.literal.payload);
        if (wrong.empty()) continue;
        reading.complain(reading.text.within(text.place, expression.offset),
                         "not a regular expression", expression.literal.payload, wrong);
        right = false;
    }
    return right;
}

// A literal of TOML as a template of its own, so that it keeps its type.
std::optional<std::string> literal_template(const toml::node& value) {
    if (value.is_integer()) return "{" + std::to_string(value.as_integer()->get()) + "}";
    if (value.is_boolean()) return value.as_boolean()->get() ? "{true}" : "{false}";
    if (!value.is_floating_point()) return std::nullopt;
    store::Bytes scratch;
    const store::Value real = store::Value::real(value.as_floating_point()->get());
    const auto number = store::canonical_number(real, scratch);
    return number ? std::optional{"{" + std::string{*number} + "}"} : std::nullopt;
}

MissingRule missing_rule(TableReader& table, std::string_view name, MissingRule rule,
                         const std::vector<std::string_view>& words) {
    const toml::node* const node = table.node(name);
    if (node == nullptr) return rule;
    if (const toml::table* const use = node->as_table()) {
        TableReader inner{*use, "`" + std::string{name} + "`", table.reading()};
        const std::optional<PlacedText> text = inner.text("use");
        if (!text) inner.missing("use", "the text that stands in: { use = \"none\" }");
        inner.finish();
        return {MissingAction::use, text ? text->value : std::string{}};
    }
    const std::optional<std::string> word = table.word(name, words);
    if (!word) return rule;
    return {*word == "keep" ? MissingAction::keep : MissingAction::skip, {}};
}

bool read_choice(const toml::node& node, bool last, NamedTemplate& named, Reading& reading) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) {
        reading.complain(place_of(node), "a choice is a table", {},
                         "{ when = 'condition', use = \"template\" }");
        return false;
    }
    TableReader choice{*table, "the choice", reading};
    const std::optional<PlacedText> when = choice.text("when");
    const PlacedText use = choice.needed_text("use");
    choice.finish();
    const bool right = read_template(use, reading).has_value() &&
                       (!when || read_condition(*when, reading).has_value());
    if (!right) return false;
    if (when) {
        named.choices.push_back({when->value, use.value, use.place});
        named.otherwise = !last;
        return true;
    }
    if (!last) {
        reading.complain(choice.place(), "the choices after this one are never taken", {},
                         "only the last choice goes without `when`");
        return false;
    }
    named.text = use.value;
    return true;
}

bool read_choices(const toml::array& list, NamedTemplate& named, Reading& reading) {
    if (list.empty()) {
        reading.complain(place_of(list), "no choices", {}, {});
        return false;
    }
    bool right = true;
    for (std::size_t index = 0; index < list.size(); ++index) {
        right = read_choice(list[index], index + 1 == list.size(), named, reading) && right;
    }
    return right;
}

bool read_text(PlacedText text, NamedTemplate& named, Reading& reading) {
    named.any = take_any_of(text, reading);
    named.text = std::move(text.value);
    named.place = text.place;
    return read_template({named.text, named.place}, reading).has_value();
}

bool read_detailed(const toml::table& table, NamedTemplate& named, Reading& reading) {
    TableReader detailed{table, "the template", reading};
    named.missing = missing_policy(detailed, named.missing);
    bool right = false;
    const toml::node* const node = detailed.node("template");
    if (node == nullptr) {
        detailed.missing("template");
    } else if (const toml::array* const list = node->as_array()) {
        right = read_choices(*list, named, reading);
    } else {
        const PlacedText text = detailed.needed_text("template");
        right = !text.value.empty() && read_text(text, named, reading);
    }
    detailed.finish();
    return right;
}

}  // namespace

std::optional<Template> read_template(const PlacedText& text, Reading& reading) {
    Faults faults;
    std::optional<Template> parsed = parse_template(text.value, faults);
    reading.complain(text.place, faults);
    return parsed;
}

std::optional<Condition> read_condition(const PlacedText& text, Reading& reading) {
    Faults faults;
    std::optional<Condition> parsed = parse_condition(text.value, faults);
    reading.complain(text.place, faults);
    if (!parsed || !check_expressions(*parsed, text, reading)) return std::nullopt;
    return parsed;
}

std::string condition_at(TableReader& table, std::string_view name, SpecPlace& place) {
    const std::optional<PlacedText> text = table.text(name);
    if (!text) return {};
    place = text->place;
    if (text->value.empty()) {
        table.reading().complain(place, "`" + std::string{name} + "` is empty", {},
                                 "leave it out to take every row");
        return {};
    }
    return read_condition(*text, table.reading()) ? text->value : std::string{};
}

std::vector<std::string> attribute_names(TableReader& table, std::string_view name, bool nested) {
    std::vector<std::string> names;
    for (const PlacedText& text : table.texts(name)) {
        Faults faults;
        if (text.value.empty()) {
            faults.push_back({0, "an attribute needs a name", {}, {}});
        } else if (nested) {
            parse_path(text.value, faults);
        }
        table.reading().complain(text.place, faults);
        const bool twice = std::find(names.begin(), names.end(), text.value) != names.end();
        if (twice) table.reading().complain(text.place, "named twice", text.value, {});
        if (faults.empty() && !twice) names.push_back(text.value);
    }
    return names;
}

MissingPolicy missing_policy(TableReader& table, MissingPolicy missing) {
    missing.absent = missing_rule(table, "absent", missing.absent, {"skip"});
    missing.null = missing_rule(table, "null", missing.null, {"skip", "keep"});
    missing.empty = missing_rule(table, "empty", missing.empty, {"skip", "keep"});
    return missing;
}

std::optional<NamedTemplate> named_template(const toml::key& key, const toml::node& value,
                                            const MissingPolicy& missing, Reading& reading) {
    NamedTemplate named;
    named.name = std::string{key.str()};
    named.place = place_of(value);
    named.missing = missing;
    if (named.name.empty()) {
        reading.complain(place_of(key), "an attribute needs a name", {}, {});
        return std::nullopt;
    }
    bool right = false;
    if (value.is_string()) {
        right = read_text({value.as_string()->get(), place_of(value)}, named, reading);
    } else if (const toml::array* const list = value.as_array()) {
        right = read_choices(*list, named, reading);
    } else if (const toml::table* const table = value.as_table()) {
        right = read_detailed(*table, named, reading);
    } else if (std::optional<std::string> literal = literal_template(value)) {
        named.text = std::move(*literal);
        right = true;
    } else {
        reading.complain(place_of(value),
                         "the template of `" + named.name + "` is " +
                             std::string{type_name(value)} + " and should be a text",
                         {}, {});
    }
    return right ? std::optional{std::move(named)} : std::nullopt;
}

std::vector<NamedTemplate> named_templates(TableReader& table, std::string_view name,
                                           const MissingPolicy& missing) {
    std::vector<NamedTemplate> templates;
    const toml::table* const found = table.subtable(name);
    if (found == nullptr) return templates;
    if (found->empty()) {
        table.reading().complain(place_of(*found), "`" + std::string{name} + "` is empty", {}, {});
    }
    for (const auto& [key, value] : *found) {
        std::optional<NamedTemplate> named = named_template(key, value, missing, table.reading());
        if (named) templates.push_back(std::move(*named));
    }
    // The TOML table is sorted by name; what a pointer means depends on the order as written.
    std::sort(templates.begin(), templates.end(),
              [](const auto& a, const auto& b) { return a.place < b.place; });
    return templates;
}

}  // namespace idxfsck::audit::language
