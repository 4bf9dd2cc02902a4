#include <algorithm>
#include <charconv>

#include "audit/language/file_reader.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/key_check.hpp"
#include "audit/language/nearest.hpp"
#include "audit/language/raw_reader.hpp"
#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

constexpr std::string_view raw_kind = "rocksdb_raw";
constexpr std::string_view files_kind = "files";

std::string real_text(double real) {
    char text[32];
    const auto end = std::to_chars(std::begin(text), std::end(text), real).ptr;
    return {text, end};
}

std::optional<std::string> setting_text(const toml::node& node) {
    if (node.is_string()) return node.as_string()->get();
    if (node.is_integer()) return std::to_string(node.as_integer()->get());
    if (node.is_floating_point()) return real_text(node.as_floating_point()->get());
    if (node.is_boolean()) return node.as_boolean()->get() ? "true" : "false";
    return std::nullopt;
}

void read_settings(TableReader& table, StoreSpec& store) {
    for (const auto& [key, value] : table.table()) {
        const std::string name{key.str()};
        if (name == "kind" || name == "limits") continue;
        const bool has_tables = store.kind == raw_kind || store.kind == files_kind;
        if (name == "tables" && has_tables) continue;
        const std::optional<std::string> text = setting_text(value);
        if (text) {
            store.settings[name] = *text;
        } else {
            table.wrong_type(value, name, "a text, a number, or true or false");
        }
    }
}

void read_types(TableReader& table, BaseSpec& base) {
    const toml::table* const types = table.subtable("types");
    if (types == nullptr) return;
    for (const auto& [key, value] : *types) {
        const bool text = value.is_string();
        if (text && is_recoverable_kind(value.as_string()->get())) {
            base.types[std::string{key.str()}] = value.as_string()->get();
            continue;
        }
        table.reading().complain(place_of(value), "not a kind that text can be read as",
                                 text ? value.as_string()->get() : std::string{},
                                 "one of: text, number, int32, int64, boolean, guid, date_time, "
                                 "binary");
    }
}

void check_locate(const BaseSpec& base, Reading& reading) {
    for (const NamedTemplate& named : base.locate) {
        if (std::find(base.key.begin(), base.key.end(), named.name) != base.key.end()) continue;
        const std::vector<std::string_view> names{base.key.begin(), base.key.end()};
        reading.complain(named.place, "`locate` makes what is no key component", named.name,
                         suggest(named.name, names));
    }
}

}  // namespace

StoreSpec read_store(std::string name, TableReader table) {
    StoreSpec store;
    store.name = std::move(name);
    store.place = table.place();
    store.kind = table.needed_text("kind").value;
    if (const std::optional<std::string> limits = table.word("limits", limits_names())) {
        store.key_limits = *limits;
    }
    // The other keys are the store's own: only it knows which there are.
    read_settings(table, store);
    if (store.kind == raw_kind) store.raw_tables = read_raw_tables(table);
    if (store.kind == files_kind) store.file_tables = read_file_tables(table);
    return store;
}

BaseSpec read_base(std::string name, TableReader table) {
    BaseSpec base;
    base.name = std::move(name);
    base.place = table.place();
    PlacedText store = table.needed_text("store");
    base.store = std::move(store.value);
    base.store_place = store.place;
    base.table = table.needed_text("table").value;
    if (!table.has("key")) table.missing("key", "the names of the key components: [\"UserId\"]");
    base.key = attribute_names(table, "key", false);
    base.rows = condition_at(table, "rows", base.rows_place);
    base.real_if = attribute_names(table, "real_if", true);
    base.locate = named_templates(table, "locate", {});
    base.may_be_empty = table.boolean("may_be_empty").value_or(false);
    base.expires = read_expiry(table, false);
    read_types(table, base);
    table.finish();
    check_locate(base, table.reading());
    return base;
}

LimitsSpec read_limits(TableReader table) {
    LimitsSpec limits;
    limits.deletes_max = table.whole_number("deletes_max").value_or(limits.deletes_max);
    limits.deletes_share_max = table.share("deletes_share_max").value_or(limits.deletes_share_max);
    table.finish();
    return limits;
}

}  // namespace idxfsck::audit::language
