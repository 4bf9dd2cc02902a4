// Promised: the list of keys that editors are shown is the list that the reader knows, neither more
// nor less.
// Method: an unknown key is answered with those that are known and not yet used; a small spec for
// each kind of table asks, and the keys of that table in the list must be the answer.

#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "audit/language/spec_keys.hpp"
#include "audit/spec_toml.hpp"

using namespace idxfsck;

namespace {

using Names = std::set<std::string>;

const std::string unknown = "zzzzzzzzzzzzzzzz";

// What the reader knows in the place of the unknown key, and the keys of `used`.
Names known_to_reader(const std::string& spec, const Names& used) {
    const auto outcome = audit::read_spec("x", spec);
    Names names = used;
    for (const auto& complaint : std::get<std::vector<audit::Complaint>>(outcome)) {
        if (complaint.seen != unknown || complaint.hint.empty()) continue;
        std::string rest = complaint.hint.substr(complaint.hint.find(": ") + 2) + ", ";
        for (std::size_t at = rest.find(", "); at != std::string::npos; at = rest.find(", ")) {
            names.insert(rest.substr(0, at));
            rest.erase(0, at + 2);
        }
    }
    return names;
}

Names listed(const audit::language::SpecTable& table) {
    Names names;
    for (const auto& key : table.keys) names.insert(std::string{key.name});
    return names;
}

struct Probe {
    std::string spec;
    Names used;  // keys that the probe itself needs
};

// `?` stands for the unknown key. Tables in which any key has a meaning of its own are not asked.
const std::map<std::string, Probe> probes{
    {"spec", {"?", {}}},
    {"base", {"[base.a]\n?", {}}},
    {"limits", {"[limits]\n?", {}}},
    {"raw-table", {"[store.a]\nkind = \"rocksdb_raw\"\n[store.a.tables.T]\n?", {}}},
    {"raw-field",
     {"[store.a]\nkind = \"rocksdb_raw\"\n[store.a.tables.T]\nkey = [{ ? }]\nvalue = \"empty\"",
      {}}},
    {"file-table", {"[store.a]\nkind = \"files\"\n[store.a.tables.T]\n?", {}}},
    {"index", {"[[index]]\n?", {}}},
    {"base-expiry", {"[base.a]\nexpires = { ? }", {}}},
    {"entry-expiry", {"[[index]]\nexpires = { ? }", {}}},
    {"winner", {"[[index]]\nwinner = { largest = \"{a}\", ? }", {"largest", "smallest"}}},
    {"version",
     {"[[index]]\nname = \"i\"\n[[index.versions]]\npointer = { P = \"{a}\" }\ncopies = \"all\"\n"
      "constants = { C = 1 }\n?",
      {"pointer", "copies", "constants"}}},
    {"severity", {"[[index]]\nseverity = { ? }", {}}},
    {"plan", {"[[index]]\nplan = { ? }", {}}},
    {"missing", {"[[index]]\nmissing = { ? }", {}}},
    {"stand-in", {"[[index]]\nmissing = { null = { ? } }", {}}},
    {"unique", {"[[index]]\nunique = { ? }", {}}},
    {"choice", {"[[index]]\nkey = { K = [{ ? }] }", {}}},
    {"template", {"[[index]]\nkey = { K = { ? } }", {}}},
    {"list-container", {"[[index]]\ncontainer = { list = \"I\", ? }", {"list"}}},
    {"map-container", {"[[index]]\ncontainer = { map = \"I\", ? }", {"map"}}},
    {"columns-container", {"[[index]]\ncontainer = { columns = true, ? }", {"columns"}}},
    {"delimited-container", {"[[index]]\ncontainer = { delimited = \"I\", ? }", {"delimited"}}},
    {"json-container", {"[[index]]\ncontainer = { json = \"I\", ? }", {"json"}}},
};

// Each container answers with the short forms of the others too.
const Names short_forms{"list", "map", "columns", "delimited", "json"};

}  // namespace

TEST_CASE("the list of keys holds what the reader knows, and nothing else") {
    for (const auto& table : audit::language::spec_tables()) {
        const std::string name{table.name};
        INFO(name);
        if (!table.others.empty()) {
            CHECK(!probes.contains(name));
            continue;
        }
        REQUIRE(probes.contains(name));
        std::string spec = probes.at(name).spec;
        spec.replace(spec.find('?'), 1, unknown + " = 1");
        Names known = known_to_reader(spec, probes.at(name).used);
        if (name.ends_with("-container")) {
            for (const std::string& other : short_forms) {
                if (!name.starts_with(other)) known.erase(other);
            }
        }
        CHECK(listed(table) == known);
    }
    for (const auto& [name, probe] : probes) {
        INFO(name);
        const auto tables = audit::language::spec_tables();
        CHECK(std::any_of(tables.begin(), tables.end(),
                          [&](const auto& table) { return table.name == name; }));
    }
}
