// What can still happen while an application writes, as SAFETY.md has it: each of it, once, and how
// it heals.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using store::Value;
using tests::UserWorld;

namespace {

// Another audit and repair, undisturbed, leave nothing.
void check_heals(tests::World& world) {
    world.faulty.before_write = {};
    world.faulty.after_write = {};
    world.journal.clear();
    world.repair(world.plan());
    CHECK(world.audit().findings.empty());
}

}  // namespace

TEST_CASE("an entry put again before its base row may be deleted, the next repair puts it back") {
    for (const GuardReach guard : {GuardReach::store, GuardReach::row}) {
        UserWorld world{tests::capabilities_of(guard, true)};
        world.entry("a@x", "u1");
        const repair::Plan plan = world.plan();
        world.entry("a@x", "u1");  // index first …
        CHECK(tests::all_are(world.repair(plan), Outcome::applied));
        world.user("u1", "a@x");  // … then base
        CHECK(world.audit().findings.size() == 1);
        check_heals(world);
        CHECK(world.image().contains("ByEmail a@x"));
    }
}

TEST_CASE("an entry put again between the look and the write is kept where rows have versions") {
    for (const bool versions : {true, false}) {
        UserWorld world{tests::capabilities_of(GuardReach::store, versions)};
        world.entry("a@x", "u1");
        const repair::Plan plan = world.plan();
        world.faulty.before_write = [&](const store::GuardedWrite&) { world.entry("a@x", "u1"); };
        world.repair(plan);
        CHECK(world.image().contains("ByEmail a@x") == versions);
    }
}

TEST_CASE("a list that another wrote again is not taken back, and the next repair mends it") {
    const std::string text = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
[[index]]
name = "groups"
of = "user"
store = "main"
table = "Groups"
key = { Group = "{Group}" }
container = { list = "Members", item = "{UserId}" }
)";
    tests::World world{text, tests::capabilities_of(GuardReach::row, true)};
    world.store.create_table({"Users", {"UserId"}});
    world.store.create_table({"Groups", {"Group"}});
    world.put("Users", {"u1"}, {tests::text("Group", "g")});
    const repair::Plan plan = world.plan();
    world.faulty.before_write = [&](const store::GuardedWrite&) {
        world.put("Users", {"u1"}, {tests::text("Group", "h")});
    };
    world.faulty.after_write = [&](const store::GuardedWrite&) {
        world.put("Users", {"u2"}, {tests::text("Group", "g")});
        world.put("Groups", {"g"},
                  {{"Members", Value::list({Value::text("u1"), Value::text("u2")})}});
    };
    CHECK(tests::all_are(world.repair(plan), Outcome::superseded));
    CHECK(tests::words(world.audit()).contains("stale_pointer/value_changed groups g -> u1"));
    check_heals(world);
}
