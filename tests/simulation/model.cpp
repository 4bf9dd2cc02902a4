#include "tests/simulation/model.hpp"

#include <algorithm>

#include "tests/audit/world.hpp"

namespace idxfsck::simulation {

namespace {

using tests::text;

const std::string base_text = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
may_be_empty = true
[limits]
deletes_max = 1000
deletes_share_max = 1.0
[[index]]
name = "index"
of = "user"
store = "main"
table = "Index"
settle = "1s"
)";

std::string attribute(const store::Row& row, const std::string& name) {
    const auto value = row.attribute(name);
    return value ? std::string{value->payload} : "";
}

void read_entries(const store::Row& row, Model& model) {
    const std::string value = row.key.front().payload;
    switch (model.shape) {
        case Shape::pointer:
            model.entries[{value, attribute(row, "UserId")}] = attribute(row, "Name");
            return;
        case Shape::pairs:
            model.entries[{value, row.key.back().payload}] = attribute(row, "Name");
            return;
        case Shape::claim:
            model.entries[{value, ""}] = "";
            return;
        case Shape::list:
            break;
    }
    const auto members = row.attribute("Members");
    if (!members) return;
    store::ElementCursor cursor{*members};
    while (cursor.next()) model.entries[{value, std::string{cursor.value().payload}}] = "";
}

std::string stale_reason(const Model& model, const std::string& id) {
    const auto user = model.users.find(id);
    if (user == model.users.end()) return "base_missing";
    return user->second.value.empty() ? "base_exempt" : "value_changed";
}

std::string place_of(const Model& model, const Slot& slot) {
    const std::string key = model.shape == Shape::pairs ? slot.first + "," + slot.second
                                                        : slot.first;
    return " index " + key + " ->" + (slot.second.empty() ? "" : " " + slot.second);
}

bool one_for_each_value(const Model& model) {
    return model.shape == Shape::pointer || model.shape == Shape::claim;
}

void judge_entry(const Model& model, const Slot& slot, std::set<std::string>& findings) {
    if (model.shape == Shape::claim) {
        if (model.calls_for(slot)) return;
        findings.insert("stale_pointer/unclaimed" + place_of(model, slot));
    } else if (!model.calls_for(slot)) {
        findings.insert("stale_pointer/" + stale_reason(model, slot.second) +
                        place_of(model, slot));
    } else if (!model.agrees(slot)) {
        findings.insert("divergent_copy" + place_of(model, slot));
    }
}

// Several users want one value of an index that has room for one.
void judge_conflict(const Model& model, const std::string& value,
                    const std::vector<std::string>& claimants, std::set<std::string>& findings) {
    std::string words = "duplicate_claim index " + value + " ->";
    for (const std::string& id : claimants) words += " " + id;
    const auto holder = model.holder(value);
    if (holder && model.derives(*holder, value)) words += " (" + *holder + ")";
    findings.insert(words);
}

void judge_user(const Model& model, const std::string& id, std::set<std::string>& findings) {
    const std::string& value = model.users.at(id).value;
    if (value.empty()) return;
    const Slot slot{value, model.shape == Shape::claim ? "" : id};
    if (one_for_each_value(model)) {
        const auto claimants = model.claimants(value);
        if (claimants.size() > 1) return judge_conflict(model, value, claimants, findings);
    }
    if (model.holds(slot)) return;
    const bool taken = model.shape == Shape::pointer && model.holder(value);
    findings.insert(std::string{"orphaned_write/entry_"} + (taken ? "elsewhere" : "missing") +
                    place_of(model, slot));
}

}  // namespace

std::string spec_text(Shape shape) {
    switch (shape) {
        case Shape::pointer:
            return base_text + "key = { Value = \"{Value}\" }\n"
                               "pointer = { UserId = \"{UserId}\" }\n"
                               "copies = { Name = \"{Name}\" }\nunique = true\n";
        case Shape::pairs:
            return base_text + "key = { Value = \"{Value}\", UserId = \"{UserId}\" }\n"
                               "copies = { Name = \"{Name}\" }\n";
        case Shape::list:
            return base_text + "key = { Value = \"{Value}\" }\n"
                               "container = { list = \"Members\", item = \"{UserId}\" }\n";
        case Shape::claim:
            break;
    }
    return base_text + "key = { Value = \"{Value}\" }\nunique = true\nclaim_by_insert = true\n";
}

void create_tables(store::MemoryStore& store, Shape shape) {
    store.create_table({base_table, {"UserId"}});
    if (shape == Shape::pairs) store.create_table({index_table, {"Value", "UserId"}});
    else store.create_table({index_table, {"Value"}});
}

bool Model::derives(const std::string& id, const std::string& value) const {
    const auto user = users.find(id);
    return !value.empty() && user != users.end() && user->second.value == value;
}

bool Model::calls_for(const Slot& slot) const {
    if (shape != Shape::claim) return derives(slot.second, slot.first);
    return !claimants(slot.first).empty();
}

std::optional<std::string> Model::holder(const std::string& value) const {
    const auto entry = entries.lower_bound({value, ""});
    if (entry == entries.end() || entry->first.first != value) return std::nullopt;
    return entry->first.second;
}

std::vector<std::string> Model::claimants(const std::string& value) const {
    std::vector<std::string> ids;
    for (const auto& [id, user] : users) {
        if (!value.empty() && user.value == value) ids.push_back(id);
    }
    return ids;
}

bool Model::agrees(const Slot& slot) const {
    if (calls_for(slot) != holds(slot)) return false;
    return !holds(slot) || !copies() || entries.at(slot) == users.at(slot.second).name;
}

std::set<Slot> Model::slots() const {
    std::set<Slot> all;
    for (const auto& [slot, name] : entries) all.insert(slot);
    for (const auto& [id, user] : users) {
        if (!user.value.empty()) all.insert({user.value, shape == Shape::claim ? "" : id});
    }
    return all;
}

Model model_of(const store::MemoryStore& store, Shape shape) {
    Model model;
    model.shape = shape;
    for (const store::Row& row : store.rows(base_table)) {
        model.users[row.key.front().payload] = {attribute(row, "Value"), attribute(row, "Name")};
    }
    for (const store::Row& row : store.rows(index_table)) read_entries(row, model);
    return model;
}

store::Row user_row(const std::string& id, const User& user) {
    std::vector<store::NamedValue> attributes{text("Name", user.name)};
    if (!user.value.empty()) attributes.push_back(text("Value", user.value));
    return tests::row_of({id}, std::move(attributes));
}

store::Key index_key(Shape shape, const Slot& slot) {
    store::Key key{store::Value::text(slot.first)};
    if (shape == Shape::pairs) key.push_back(store::Value::text(slot.second));
    return key;
}

std::optional<store::Row> index_row(const Model& model, const Slot& slot) {
    store::Row row;
    row.key = index_key(model.shape, slot);
    std::vector<store::Value> members;
    for (const auto& [held, name] : model.entries) {
        if (held.first != slot.first) continue;
        if (model.shape == Shape::pairs && held.second != slot.second) continue;
        members.push_back(store::Value::text(held.second));
        if (model.copies()) row.set("Name", store::Value::text(name));
        if (model.shape == Shape::pointer) row.set("UserId", members.back());
    }
    if (members.empty()) return std::nullopt;
    if (model.shape == Shape::list) row.set("Members", store::Value::list(members));
    return row;
}

std::set<std::string> findings_of(const Model& model) {
    std::set<std::string> findings;
    for (const auto& [slot, name] : model.entries) judge_entry(model, slot, findings);
    for (const auto& [id, user] : model.users) judge_user(model, id, findings);
    return findings;
}

std::set<std::string> left_of(const Model& model) {
    std::set<std::string> left;
    if (!one_for_each_value(model)) return left;
    std::set<std::string> in_conflict;
    for (const auto& [id, user] : model.users) {
        const auto claimants = model.claimants(user.value);
        if (claimants.size() < 2) continue;
        judge_conflict(model, user.value, claimants, left);
        in_conflict.insert(claimants.begin(), claimants.end());
    }
    if (model.shape == Shape::claim) return left;
    for (const auto& [slot, name] : model.entries) {
        if (model.calls_for(slot)) continue;
        const std::size_t wanted_by = model.claimants(slot.first).size();
        // A stale entry gives way to the one user that derives its value; else it waits with its
        // own user for a person.
        if (wanted_by > 1 || (wanted_by == 0 && in_conflict.contains(slot.second))) {
            judge_entry(model, slot, left);
        }
    }
    return left;
}

}  // namespace idxfsck::simulation
