// Every small world: audit, repair, repair again, undo.
//
// Promised, for every store of up to three base rows and three entries over two keys and two base
// ids, in an index that is unique, plain, lossy, a list, or without pointers: the audit finds what
// nested loops over the rows find, and nothing else; the repair makes every operation that is not
// for a person `applied`; what is left then is what the loops say only a person can decide; a
// second repair writes nothing; an undo gives the bytes from before. Method: counting through them
// all. The loops below know nothing of the code under test: worlds are plain maps.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::Value;
using tests::text;
using tests::World;

namespace {

// u1, u2, u3: no row, or a row with this key; "" is a row that the index leaves out.
using Users = std::map<std::string, std::string>;
// What each index row holds: one id, some ids, or none, where the row is a claim.
using Entries = std::map<std::string, std::vector<std::string>>;

struct SmallWorld {
    Users users;
    Entries entries;
};

const std::vector<std::string> keys{"a", "b", "c"};  // "c" is derived by no row

// Takes the users of a world off the front of its number.
void make_users(std::size_t& number, Users& users) {
    for (const std::string id : {"u1", "u2", "u3"}) {
        const std::size_t choice = number % 4;
        number /= 4;
        if (choice > 0) users[id] = choice == 1 ? "" : choice == 2 ? "a" : "b";
    }
}

// What rows of an index may hold, and how many of the keys may have one.
struct Choices {
    std::vector<std::vector<std::string>> rows;
    std::size_t keys = 3;

    std::size_t worlds() const {
        std::size_t count = 64;  // of the users
        for (std::size_t key = 0; key < keys; ++key) count *= rows.size() + 1;
        return count;
    }
};

void make_entries(std::size_t number, const Choices& choices, Entries& entries) {
    for (std::size_t place = 0; place < choices.keys; ++place) {
        const std::string& key = keys[place];
        const std::size_t choice = number % (choices.rows.size() + 1);
        number /= choices.rows.size() + 1;
        if (choice > 0) entries[key] = choices.rows[choice - 1];
    }
}

std::vector<std::string> claimants_of(const SmallWorld& world, const std::string& key) {
    std::vector<std::string> claimants;
    for (const auto& [id, value] : world.users) {
        if (value == key) claimants.push_back(id);
    }
    return claimants;
}

bool holds(const SmallWorld& world, const std::string& key, const std::string& id) {
    const auto row = world.entries.find(key);
    return row != world.entries.end() &&
           std::find(row->second.begin(), row->second.end(), id) != row->second.end();
}

std::string stale_reason(const SmallWorld& world, const std::string& id) {
    const auto user = world.users.find(id);
    if (user == world.users.end()) return "base_missing";
    return user->second.empty() ? "base_exempt" : "value_changed";
}

std::string joined(const std::vector<std::string>& ids) {
    std::string words;
    for (const std::string& id : ids) words += " " + id;
    return words;
}

// An index whose rows name one user each.
enum class Rule { unique, plain, lossy };

std::set<std::string> findings_of(const SmallWorld& world, Rule rule) {
    std::set<std::string> findings;
    for (const auto& [key, ids] : world.entries) {
        const std::string& holder = ids.front();
        const auto user = world.users.find(holder);
        if (user != world.users.end() && user->second == key) continue;
        findings.insert("stale_pointer/" + stale_reason(world, holder) + " index " + key + " -> " +
                        holder);
    }
    for (const std::string& key : keys) {
        const auto claimants = claimants_of(world, key);
        if (claimants.empty()) continue;
        const auto row = world.entries.find(key);
        const bool there = row != world.entries.end();
        const bool right = there && std::find(claimants.begin(), claimants.end(),
                                              row->second.front()) != claimants.end();
        if (claimants.size() > 1 && rule != Rule::lossy) {
            findings.insert((rule == Rule::unique ? "duplicate_claim" : "collision") +
                            std::string{" index "} + key + " ->" + joined(claimants) +
                            (right ? " (" + row->second.front() + ")" : ""));
        } else if (!right) {
            findings.insert(std::string{"orphaned_write/entry_"} +
                            (there ? "elsewhere" : "missing") + " index " + key + " -> " +
                            claimants.front());
        }
    }
    return findings;
}

// What only a person can decide: conflicts, and stale entries that belong to one.
std::set<std::string> left_of(const SmallWorld& world, Rule rule) {
    std::set<std::string> in_conflict;  // users that claim a key which others claim too
    std::set<std::string> conflicts;    // such keys
    for (const std::string& key : keys) {
        const auto claimants = claimants_of(world, key);
        if (claimants.size() < 2 || rule == Rule::lossy) continue;
        conflicts.insert(key);
        in_conflict.insert(claimants.begin(), claimants.end());
    }
    std::set<std::string> findings;
    for (const std::string& finding : findings_of(world, rule)) {
        const bool conflict = finding.starts_with("duplicate") || finding.starts_with("collision");
        const std::string key = finding.substr(finding.find(" index ") + 7, 1);
        const std::string holder = finding.substr(finding.find("->") + 3, 2);
        const bool stale = finding.starts_with("stale");
        if (!conflict && !(stale && (conflicts.contains(key) || in_conflict.contains(holder)))) {
            continue;
        }
        findings.insert(finding);
    }
    return findings;
}

const std::string base_text = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
may_be_empty = true
[[index]]
name = "index"
of = "user"
store = "main"
table = "Index"
key = { Key = "{Key}" }
)";

void fill(World& world, const SmallWorld& small) {
    world.store.create_table({"Users", {"UserId"}});
    world.store.create_table({"Index", {"Key"}});
    for (const auto& [id, key] : small.users) {
        world.put("Users", {id}, key.empty() ? std::vector<store::NamedValue>{}
                                             : std::vector{text("Key", key)});
    }
}

// A key that a stale holder has to give up, though a person has to decide on the holder's own, is
// taken over all the same: the holder does not derive it.
std::set<std::string> without_taken_over(std::set<std::string> left,
                                         const std::set<std::string>& found) {
    for (const std::string& finding : found) {
        if (!finding.starts_with("orphaned_write/entry_elsewhere")) continue;
        const std::string key = finding.substr(finding.find(" index ") + 7, 1);
        std::erase_if(left, [&](const std::string& one) {
            return one.starts_with("stale") && one.find(" index " + key) != std::string::npos;
        });
    }
    return left;
}

void go_round(World& world, const std::set<std::string>& found, const std::set<std::string>& left) {
    const tests::Image before = world.image();
    const audit::AuditResult audited = world.audit();
    REQUIRE(tests::words(audited) == found);
    const repair::Plan plan = world.plan_of(audited);
    const auto result = world.repair(plan);
    REQUIRE(result.count(Outcome::applied) + result.count(Outcome::manual) ==
            plan.operations.size());
    REQUIRE(tests::words(world.audit()) == left);
    REQUIRE(result.count(Outcome::manual) == left.size());
    const std::size_t writes = world.faulty.writes;
    world.repair(plan);
    REQUIRE(world.faulty.writes == writes);
    REQUIRE(tests::all_are(world.undo(), Outcome::applied));
    REQUIRE(world.image() == before);
}

}  // namespace

TEST_CASE("every small world of an index whose rows name one user each: 5184 of them") {
    const Choices choices{{{"u1"}, {"u2"}}};
    std::size_t worlds = 0;
    for (const Rule rule : {Rule::unique, Rule::plain, Rule::lossy}) {
        const std::string rule_text = rule == Rule::unique ? "unique = true\n"
                                      : rule == Rule::lossy ? "lossy = true\n"
                                                            : "";
        for (std::size_t number = 0; number < choices.worlds(); ++number) {
            SmallWorld small;
            std::size_t rest = number;
            make_users(rest, small.users);
            make_entries(rest, choices, small.entries);
            CAPTURE(rule, number, small.users, small.entries);
            World world{base_text + "pointer = { UserId = \"{UserId}\" }\n" + rule_text};
            fill(world, small);
            for (const auto& [key, ids] : small.entries) {
                world.put("Index", {key}, {text("UserId", ids.front())});
            }
            const auto found = findings_of(small, rule);
            go_round(world, found, without_taken_over(left_of(small, rule), found));
            ++worlds;
        }
    }
    CHECK(worlds == 5184);
}

TEST_CASE("every small world of an index whose rows are lists of users: 1024 of them") {
    const Choices choices{{{"u1"}, {"u2"}, {"u2", "u1"}}, 2};
    std::size_t worlds = 0;
    for (std::size_t number = 0; number < choices.worlds(); ++number) {
        SmallWorld small;
        std::size_t rest = number;
        make_users(rest, small.users);
        make_entries(rest, choices, small.entries);
        CAPTURE(number, small.users, small.entries);
        World world{base_text + "container = { list = \"Members\", item = \"{UserId}\" }\n"};
        fill(world, small);
        std::set<std::string> found;
        for (const auto& [key, ids] : small.entries) {
            std::vector<Value> members;
            for (const std::string& id : ids) {
                members.push_back(Value::text(id));
                const auto user = small.users.find(id);
                if (user != small.users.end() && user->second == key) continue;
                found.insert("stale_pointer/" + stale_reason(small, id) + " index " + key + " -> " +
                             id);
            }
            world.put("Index", {key}, {{"Members", Value::list(members)}});
        }
        for (const auto& [id, key] : small.users) {
            if (key.empty() || holds(small, key, id)) continue;
            found.insert("orphaned_write/entry_missing index " + key + " -> " + id);
        }
        go_round(world, found, {});
        ++worlds;
    }
    CHECK(worlds == 1024);
}

TEST_CASE("every small world of claims without a pointer: 1024 of them") {
    const Choices choices{{{}}};  // a row holds nothing but its key
    std::size_t worlds = 0;
    for (const bool by_insert : {true, false}) {
        for (std::size_t number = 0; number < choices.worlds(); ++number) {
            SmallWorld small;
            std::size_t rest = number;
            make_users(rest, small.users);
            make_entries(rest, choices, small.entries);
            CAPTURE(by_insert, number, small.users, small.entries);
            World world{base_text + "unique = true\n" +
                        (by_insert ? "claim_by_insert = true\n" : "")};
            fill(world, small);
            std::set<std::string> found;
            std::set<std::string> left;
            for (const std::string& key : keys) {
                const auto claimants = claimants_of(small, key);
                const bool there = small.entries.contains(key);
                if (there) world.put("Index", {key}, {});
                if (claimants.size() > 1) {
                    left.insert("duplicate_claim index " + key + " ->" + joined(claimants));
                } else if (claimants.size() == 1 && !there) {
                    found.insert("orphaned_write/entry_missing index " + key + " ->");
                } else if (claimants.empty() && there) {
                    (by_insert ? found : left)
                        .insert("stale_pointer/unclaimed index " + key + " ->");
                }
            }
            found.insert(left.begin(), left.end());
            go_round(world, found, left);
            ++worlds;
        }
    }
    CHECK(worlds == 1024);
}
