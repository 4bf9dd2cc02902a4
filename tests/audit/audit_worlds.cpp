// An audit finds what a plain nested loop over the rows finds, and nothing else.
//
// Promised: for random small worlds of users and an e-mail index (unique, sparse, with a copy), the
// findings equal those of the loop, for every number of threads and partitions, with a snapshot and
// without. Method: the worlds are drawn from few values, so that every kind of drift meets every
// other.

#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "tests/audit/world.hpp"

using namespace idxfsck;
using tests::text;

namespace {

struct User {
    std::string email;  // "" : none
    std::string name;
    bool deleted = false;
};

struct Entry {
    std::string user;
    std::string name;
};

struct World {
    std::map<std::string, User> users;     // by id
    std::map<std::string, Entry> entries;  // by e-mail
};

std::string spec_text(const std::string& rule) {
    return R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
may_be_empty = true
[[index]]
name = "by-email"
of = "user"
store = "main"
table = "ByEmail"
key = { Email = "{Email}" }
pointer = { UserId = "{UserId}" }
copies = { Name = "{Name}" }
when = 'not exists(DeletedAt)'
settle = "1s"
)" + rule;
}

World random_world(std::mt19937_64& random) {
    const std::vector<std::string> emails{"a@x", "b@x", "c@x"};
    World world;
    for (const std::string id : {"u1", "u2", "u3", "u4"}) {
        if (random() % 4 == 0) continue;
        User user{emails[random() % 3], random() % 2 == 0 ? "n" : "m", random() % 5 == 0};
        if (random() % 6 == 0) user.email.clear();
        world.users[id] = user;
    }
    for (const std::string& email : emails) {
        if (random() % 4 == 0) continue;
        const std::string user = "u" + std::to_string(1 + random() % 5);
        world.entries[email] = {user, random() % 3 == 0 ? "m" : "n"};
    }
    return world;
}

void fill(store::MemoryStore& store, const World& world) {
    store.create_table({"Users", {"UserId"}});
    store.create_table({"ByEmail", {"Email"}});
    for (const auto& [id, user] : world.users) {
        std::vector<store::NamedValue> attributes{text("Name", user.name)};
        if (!user.email.empty()) attributes.push_back(text("Email", user.email));
        if (user.deleted) attributes.push_back(text("DeletedAt", "yesterday"));
        store.put("Users", tests::row_of({id}, attributes));
    }
    for (const auto& [email, entry] : world.entries) {
        store.put("ByEmail", tests::row_of({email}, {text("UserId", entry.user),
                                                     text("Name", entry.name)}));
    }
}

bool claims(const World& world, const std::string& id, const std::string& email) {
    const auto user = world.users.find(id);
    return user != world.users.end() && !user->second.deleted && user->second.email == email;
}

std::string stale_reason(const World& world, const std::string& id) {
    const auto user = world.users.find(id);
    if (user == world.users.end()) return "base_missing";
    if (user->second.deleted || user->second.email.empty()) return "base_exempt";
    return "value_changed";
}

void judge_entries(const World& world, std::set<std::string>& findings) {
    for (const auto& [email, entry] : world.entries) {
        if (!claims(world, entry.user, email)) {
            findings.insert("stale_pointer/" + stale_reason(world, entry.user) + " by-email " +
                            email + " -> " + entry.user);
        } else if (world.users.at(entry.user).name != entry.name) {
            findings.insert("divergent_copy by-email " + email + " -> " + entry.user);
        }
    }
}

enum class Rule { unique, plain, lossy };

// The e-mails, with all users that claim them.
void judge_claims(const World& world, Rule rule, std::set<std::string>& findings) {
    for (const std::string email : {"a@x", "b@x", "c@x"}) {
        std::vector<std::string> claimants;
        for (const auto& [id, user] : world.users) {
            if (claims(world, id, email)) claimants.push_back(id);
        }
        if (claimants.empty()) continue;
        const auto entry = world.entries.find(email);
        const bool there = entry != world.entries.end();
        const bool held = there && claims(world, entry->second.user, email);
        if (claimants.size() > 1 && rule != Rule::lossy) {
            std::string words = rule == Rule::unique ? "duplicate_claim" : "collision";
            words += " by-email " + email + " ->";
            for (const std::string& id : claimants) words += " " + id;
            if (held) words += " (" + entry->second.user + ")";
            findings.insert(words);
        } else if (!held) {
            findings.insert(std::string{"orphaned_write/"} +
                            (there ? "entry_elsewhere" : "entry_missing") + " by-email " + email +
                            " -> " + claimants.front());
        }
    }
}

std::set<std::string> expected(const World& world, Rule rule) {
    std::set<std::string> findings;
    judge_entries(world, findings);
    judge_claims(world, rule, findings);
    return findings;
}

std::string rule_text(Rule rule) {
    if (rule == Rule::unique) return "unique = true\n";
    return rule == Rule::lossy ? "lossy = true\n" : "";
}

}  // namespace

TEST_CASE("an audit finds in random worlds what a nested loop finds") {
    const auto rule = GENERATE(Rule::unique, Rule::plain, Rule::lossy);
    const bool snapshot = GENERATE(true, false);
    const auto engine = GENERATE(audit::EngineChoice::automatic, audit::EngineChoice::exact,
                                 audit::EngineChoice::one_pass);
    const audit::Spec spec = tests::spec_of(spec_text(rule_text(rule)));
    // A sketch costs some milliseconds, however small the world.
    const std::uint64_t seeds_count = engine == audit::EngineChoice::exact ? 700 : 60;
    for (std::uint64_t seed = 1; seed <= seeds_count; ++seed) {
        CAPTURE(seed, snapshot);
        std::mt19937_64 random{seed};
        const World world = random_world(random);
        store::MemoryStore store{tests::with_snapshot(snapshot)};
        fill(store, world);
        tests::TestClock clock;
        const auto result = tests::audit_of(spec, store, clock, 1, 3, engine);
        REQUIRE(tests::words(result) == expected(world, rule));
        REQUIRE(result.coverage.whole());
    }
}

TEST_CASE("findings are the same for every number of threads and partitions") {
    const audit::Spec spec = tests::spec_of(spec_text("unique = true\n"));
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        std::mt19937_64 random{seed};
        const World world = random_world(random);
        store::MemoryStore store{tests::with_snapshot(true)};
        fill(store, world);
        tests::TestClock clock;
        const auto one = tests::audit_of(spec, store, clock, 1, 1);
        for (const std::size_t threads : {1U, 2U, 7U}) {
            for (const std::size_t partitions : {1U, 2U, 3U, 8U, 64U}) {
                CAPTURE(seed, threads, partitions);
                const auto other = tests::audit_of(spec, store, clock, threads, partitions);
                REQUIRE(other.findings == one.findings);
                REQUIRE(other.coverage.indexes == one.coverage.indexes);
            }
        }
    }
}

TEST_CASE("a value that moved is one stale pointer and one orphaned write, linked") {
    const audit::Spec spec = tests::spec_of(spec_text("unique = true\n"));
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store, {{{"u1", {"b@x", "n", false}}}, {{"a@x", {"u1", "n"}}}});
    tests::TestClock clock;
    const auto result = tests::audit_of(spec, store, clock);
    REQUIRE(tests::words(result) ==
            std::set<std::string>{"orphaned_write/entry_missing by-email b@x -> u1",
                                  "stale_pointer/value_changed by-email a@x -> u1"});
    REQUIRE(result.findings[0].linked == result.findings[1].id);
    REQUIRE(result.findings[1].linked == result.findings[0].id);
    REQUIRE(result.coverage.indexes[0].moves == 1);
}

TEST_CASE("what moves between scan and confirmation accuses nobody") {
    const audit::Spec spec = tests::spec_of(spec_text("unique = true\n"));
    store::MemoryStore store{tests::with_snapshot(false)};
    fill(store, {{{"u1", {"b@x", "n", false}}, {"u2", {"c@x", "n", false}}},
                 {{"a@x", {"u1", "n"}}, {"c@x", {"u2", "n"}}}});
    tests::TestClock clock;

    SECTION("the application finishes what it had begun") {
        clock.on_wait = [&] {
            store.put("ByEmail", tests::row_of({"b@x"}, {text("UserId", "u1"), text("Name", "n")}));
            store.erase("ByEmail", {store::Value::text("a@x")});
        };
        const auto result = tests::audit_of(spec, store, clock);
        REQUIRE(tests::words(result).empty());
        REQUIRE(result.coverage.indexes[0].settled == 2);
        REQUIRE(result.verdict() == audit::Verdict::consistent);
    }
    SECTION("the application moves on again and again: each time another difference") {
        int waits = 0;
        clock.on_wait = [&] {
            const std::string email = "m" + std::to_string(++waits) + "@x";
            store.put("Users", tests::row_of({"u1"}, {text("Name", "n"), text("Email", email)}));
        };
        const auto result = tests::audit_of(spec, store, clock);
        REQUIRE(tests::words(result).empty());
    }
    SECTION("the application is at rest: both halves are found") {
        REQUIRE(tests::words(tests::audit_of(spec, store, clock)).size() == 2);
    }
}
