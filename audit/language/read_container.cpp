#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

struct KindName {
    std::string_view name;
    ContainerKind kind;
};

constexpr KindName kinds[] = {{"list", ContainerKind::list},
                              {"map", ContainerKind::map},
                              {"columns", ContainerKind::columns},
                              {"delimited", ContainerKind::delimited},
                              {"json", ContainerKind::json}};

// No store that has such containers gives a row more attributes than these.
constexpr std::uint64_t parts_max = 250;
// A text in Azure's table storage: 64 KiB of UTF-16.
constexpr std::uint64_t part_characters_max = 32768;

constexpr std::string_view kind_hint =
    "{ list = \"Ids\", item = \"{UserId}\" }, { map = …, name = …, value = … }, "
    "{ columns = true, name = …, value = … }, { delimited = …, separator = \",\", item = … } or "
    "{ json = …, item = … }";

// `kind = "list", attribute = "Ids"` or, shorter, `list = "Ids"`.
void read_kind(TableReader& table, ContainerSpec& container) {
    const std::optional<std::string> word =
        table.word("kind", {"list", "map", "columns", "delimited", "json"});
    const std::optional<PlacedText> attribute = table.text("attribute");
    if (attribute) container.attribute = attribute->value;
    for (const KindName& known : kinds) {
        const bool named = word && *word == known.name;
        const toml::node* const node = table.node(known.name);
        if (named || node != nullptr) container.kind = known.kind;
        if (node == nullptr || known.kind == ContainerKind::columns) continue;
        if (const std::optional<PlacedText> shorter = table.text(known.name)) {
            container.attribute = shorter->value;
        }
    }
    if (container.kind == ContainerKind::none && !table.has("kind")) {
        table.missing("kind", std::string{kind_hint});
    }
    const bool needs = container.kind != ContainerKind::none &&
                       container.kind != ContainerKind::columns;
    if (needs && container.attribute.empty()) {
        table.missing("attribute", "the attribute that holds the members");
    }
}

std::string member_template(TableReader& table, std::string_view name, SpecPlace& place) {
    const PlacedText text = table.needed_text(name);
    place = text.place;
    const bool right = !text.value.empty() && read_template(text, table.reading()).has_value();
    return right ? text.value : std::string{};
}

// Several texts, each with a size: `json = "ids_", parts = 15`.
void read_parts(TableReader& table, ContainerSpec& container) {
    const std::optional<std::uint64_t> parts = table.whole_number("parts");
    if (parts && (*parts == 0 || *parts > parts_max)) {
        table.reading().complain(place_of(*table.node("parts")),
                                 "`parts` is a number from 1 to " + std::to_string(parts_max),
                                 std::to_string(*parts), "");
    } else {
        container.parts = parts.value_or(0);
    }
    const std::uint64_t otherwise = container.parts == 0 ? 0 : part_characters_max;
    container.characters_max = table.whole_number("characters_max").value_or(otherwise);
}

void read_members(TableReader& table, ContainerSpec& container) {
    const bool pairs =
        container.kind == ContainerKind::map || container.kind == ContainerKind::columns;
    if (pairs) {
        container.name = member_template(table, "name", container.name_place);
        container.value = member_template(table, "value", container.value_place);
    } else if (container.kind != ContainerKind::none) {
        container.item = member_template(table, "item", container.item_place);
    }
    if (container.kind == ContainerKind::delimited) {
        container.separator = table.needed_text("separator").value;
    }
    const bool text =
        container.kind == ContainerKind::delimited || container.kind == ContainerKind::json;
    if (text) read_parts(table, container);
    if (container.kind == ContainerKind::list) {
        container.create_as =
            table.word("create_as", {"list", "set", "text_set", "number_set", "binary_set"})
                .value_or("list");
    }
    if (container.kind == ContainerKind::columns) {
        container.except = attribute_names(table, "except", false);
    }
}

}  // namespace

ContainerSpec read_container(TableReader& index) {
    ContainerSpec container;
    const toml::table* const found = index.subtable("container");
    if (found == nullptr) return container;
    TableReader table{*found, "the container", index.reading()};
    container.place = table.place();
    read_kind(table, container);
    read_members(table, container);
    container.keep_empty = table.boolean("keep_empty").value_or(false);
    container.members_max = table.whole_number("members_max").value_or(0);
    if (container.kind != ContainerKind::none) table.finish();
    return container;
}

}  // namespace idxfsck::audit::language
