#include <algorithm>
#include <array>

#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

struct UnitName {
    std::string_view name;
    std::int64_t milliseconds;
};

constexpr std::array<UnitName, 2> units{{{"s", 1000}, {"ms", 1}}};

// The kinds of findings, as reports name them.
const std::vector<std::string_view> kinds{"orphaned_write",  "stale_pointer", "divergent_copy",
                                          "duplicate_claim", "collision",     "unindexable",
                                          "malformed_entry"};

// A template under `name`, or "" and a complaint.
std::string template_at(TableReader& table, std::string_view name) {
    const PlacedText text = table.needed_text(name);
    const bool right = !text.value.empty() && read_template(text, table.reading()).has_value();
    return right ? text.value : std::string{};
}

void read_severities(TableReader& table, IndexSpec& index) {
    const toml::node* const node = table.node("severity");
    if (node == nullptr) return;
    const std::vector<std::string_view> words{"error", "warning", "info"};
    if (!node->is_table()) {
        index.severity = table.word("severity", words).value_or("error");
        return;
    }
    TableReader inner{*node->as_table(), "`severity`", table.reading()};
    index.severity = inner.word("others", words).value_or("error");
    for (const std::string_view kind : kinds) {
        if (const auto word = inner.word(kind, words)) {
            index.severities[std::string{kind}] = *word;
        }
    }
    inner.finish();
}

void read_plan(TableReader& table, IndexSpec& index) {
    const toml::table* const found = table.subtable("plan");
    if (found == nullptr) return;
    TableReader inner{*found, "`plan`", table.reading()};
    for (const std::string_view kind : kinds) {
        if (inner.word(kind, {"mend", "report"}) == "report") {
            index.reported_only.emplace_back(kind);
        }
    }
    inner.finish();
}

void read_winner(TableReader& table, IndexSpec& index) {
    const toml::table* const found = table.subtable("winner");
    if (found == nullptr) return;
    TableReader inner{*found, "`winner`", table.reading()};
    index.winner.place = inner.place();
    const bool smallest = inner.node("smallest") != nullptr;
    const bool largest = inner.node("largest") != nullptr;
    if (smallest == largest) {
        inner.reading().complain(inner.place(), "`winner` names one rule", {},
                                 "{ smallest = \"{created}\" } or { largest = \"{created}\" }");
    }
    index.winner.wins = smallest ? Wins::smallest : Wins::largest;
    if (smallest || largest) {
        index.winner.by = template_at(inner, smallest ? "smallest" : "largest");
    }
    inner.finish();
}

void read_writes(TableReader& table, IndexSpec& index) {
    const auto word = table.word("writes", {"base_first", "index_first", "together"});
    if (!word) return;
    index.writes = *word == "base_first"    ? WriteOrder::base_first
                   : *word == "index_first" ? WriteOrder::index_first
                                            : WriteOrder::together;
}

// What a version says for itself; the rest is as in the index.
IndexSpec read_version(const IndexSpec& current, TableReader table) {
    IndexSpec version = current;
    version.version_of = current.name;
    version.place = table.place();
    const PlacedText name = table.needed_text("name");
    version.name = current.name + "/" + name.value;
    if (const auto store = table.text("store")) {
        version.store = store->value;
        version.store_place = store->place;
    }
    if (const auto named = table.text("table")) version.table = named->value;
    version.rows = condition_at(table, "rows", version.rows_place);
    read_version_entry(table, version);
    table.finish();
    return version;
}

}  // namespace

ExpirySpec read_expiry(TableReader& owner, bool of_index) {
    ExpirySpec expiry;
    const toml::table* const found = owner.subtable("expires");
    if (found == nullptr) return expiry;
    TableReader table{*found, "`expires`", owner.reading()};
    expiry.place = table.place();
    expiry.at = template_at(table, "at");
    const auto unit = table.word("unit", {units[0].name, units[1].name});
    for (const UnitName& known : units) {
        if (unit && *unit == known.name) {
            expiry.unit = std::chrono::milliseconds{known.milliseconds};
        }
    }
    expiry.grace = table.duration("grace").value_or(std::chrono::minutes{5});
    if (of_index) expiry.reservation = table.boolean("reservation").value_or(false);
    table.finish();
    return expiry;
}

void read_rules(TableReader& table, IndexSpec& index) {
    index.covers = condition_at(table, "covers", index.covers_place);
    index.expires = read_expiry(table, true);
    read_winner(table, index);
    read_writes(table, index);
    read_severities(table, index);
    read_plan(table, index);
    index.repair_in_row = table.boolean("repair_in_row").value_or(false);
    if (table.word("old_versions", {"accept", "migrate"}) == "migrate") {
        index.old_versions = OldVersions::migrate;
    }
}

std::vector<IndexSpec> read_versions(TableReader& table, const IndexSpec& index) {
    std::vector<IndexSpec> versions;
    const toml::node* const node = table.node("versions");
    if (node == nullptr) return versions;
    const toml::array* const tables = node->as_array();
    if (tables == nullptr || !tables->is_array_of_tables()) {
        table.reading().complain(place_of(*node), "`versions` is not a list of tables", {},
                                 "begin each version with [[index.versions]]");
        return versions;
    }
    for (std::size_t position = 0; position < tables->size(); ++position) {
        const std::string title = "version " + std::to_string(position + 1) + " of " + table.what();
        versions.push_back(
            read_version(index, {*(*tables)[position].as_table(), title, table.reading()}));
    }
    return versions;
}

}  // namespace idxfsck::audit::language
