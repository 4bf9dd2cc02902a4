// An undo that was disturbed between two of its writes to one row goes on all the same.
//
// Promised: a row that the repair wrote more than once, as a list with several members, comes back
// byte for byte, though the undo is gone before or after any store call, or any reply is lost: the
// undo that runs next knows its own writes, also those whose versions it never came to read.
// Method: every call, with and without versions.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using store::Value;

namespace {

const std::string groups = R"(
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

// One row that loses a member and gets two.
struct Lists : tests::World {
    explicit Lists(bool versions)
        : World{groups, tests::capabilities_of(GuardReach::store, versions)} {
        store.create_table({"Users", {"UserId"}});
        store.create_table({"Groups", {"Group"}});
        put("Users", {"u1"}, {tests::text("Group", "g")});
        put("Users", {"u2"}, {tests::text("Group", "g")});
        put("Groups", {"g"}, {{"Members", Value::list({Value::text("u3")})}});
        before = image();
        REQUIRE(tests::all_are(repair(plan()), Outcome::applied));
        repair_calls = faulty.calls;
    }

    tests::Image before;
    std::size_t repair_calls = 0;
};

std::size_t undo_calls(bool versions) {
    Lists world{versions};
    world.undo();
    return world.faulty.calls - world.repair_calls;
}

void check_end(Lists& world) {
    world.faulty.crash_before.reset();
    world.faulty.crash_after.reset();
    world.faulty.lose_reply.reset();
    world.faulty.fail_from.reset();
    CHECK(world.undo().count(Outcome::superseded) == 0);
    REQUIRE(world.image() == world.before);
    const std::size_t writes = world.faulty.writes;
    CHECK(tests::all_are(world.undo(), Outcome::already));
    CHECK(world.faulty.writes == writes);
}

}  // namespace

TEST_CASE("an undo of several writes to one row goes on after a crash at any store call") {
    for (const bool versions : {true, false}) {
        for (std::size_t call = 1; call <= undo_calls(versions); ++call) {
            for (const bool after : {true, false}) {
                CAPTURE(versions, call, after);
                Lists world{versions};
                (after ? world.faulty.crash_after : world.faulty.crash_before) =
                    world.repair_calls + call;
                CHECK_THROWS_AS(world.undo(), tests::Crash);
                check_end(world);
            }
        }
    }
}

TEST_CASE("an undo of several writes to one row goes on after any reply that was lost") {
    for (const bool versions : {true, false}) {
        for (std::size_t call = 1; call <= undo_calls(versions); ++call) {
            CAPTURE(versions, call);
            Lists world{versions};
            world.faulty.lose_reply = world.repair_calls + call;
            world.undo();
            check_end(world);
        }
    }
}

TEST_CASE("an undo of several writes to one row goes on after its store was away") {
    for (const bool versions : {true, false}) {
        for (std::size_t call = 1; call <= undo_calls(versions); ++call) {
            CAPTURE(versions, call);
            Lists world{versions};
            world.faulty.fail_from = world.repair_calls + call;
            CHECK(world.undo().could_not_tell());
            check_end(world);
        }
    }
}

TEST_CASE("a row that was written again after an undo was gone is kept by the next") {
    tests::UserWorld world;
    world.user("u1", "a@x", "n");
    world.repair(world.plan());
    world.faulty.before_write = [&](const store::GuardedWrite&) {
        world.faulty.crash_after = world.faulty.calls + 1;
    };
    CHECK_THROWS_AS(world.undo(), tests::Crash);
    REQUIRE_FALSE(world.image().contains("ByEmail a@x"));
    world.faulty.before_write = {};
    world.faulty.crash_after.reset();
    world.entry("a@x", "u1", "n");
    CHECK(tests::all_are(world.undo(), Outcome::superseded));
    CHECK(world.image().contains("ByEmail a@x"));
}
