// A store that fails around a write leaves nothing behind that the next run does not look at.
//
// Promised: a write whose second look failed is looked at again by the next run, and taken back if
// its base row moved; so is one whose taking back failed. An undo tells from the journal whether a
// write that the store failed at was there, so that it never takes another's row for it. Method:
// the store fails at each call in turn, and the base row moves inside of the write.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using tests::UserWorld;

namespace {

struct Moving : UserWorld {
    explicit Moving(bool versions)
        : UserWorld{tests::capabilities_of(GuardReach::row, versions)} {
        user("u1", "a@x");
        planned = plan();
        faulty.before_write = [this](const store::GuardedWrite&) {
            if (!moved) user("u1", "b@x");
            moved = true;
        };
    }

    bool holds_wrong_entry() const { return image().contains("ByEmail a@x"); }

    repair::Plan planned;
    bool moved = false;
};

}  // namespace

TEST_CASE("a write whose second look or taking back failed is looked at again by the next run") {
    std::size_t left_behind = 0;
    for (const bool versions : {true, false}) {
        for (std::size_t call = 1; call <= 12; ++call) {
            for (const bool replies : {true, false}) {
                CAPTURE(versions, call, replies);
                Moving world{versions};
                (replies ? world.faulty.lose_reply : world.faulty.fail_from) = call;
                world.repair(world.planned);
                if (world.holds_wrong_entry()) ++left_behind;
                world.faulty.lose_reply.reset();
                world.faulty.fail_from.reset();
                world.moved = true;
                world.user("u1", "b@x");
                world.repair(world.planned);
                REQUIRE_FALSE(world.holds_wrong_entry());
            }
        }
    }
    CHECK(left_behind > 0);
}

TEST_CASE("an undo never takes a row for a write that the store had failed at") {
    for (const bool versions : {true, false}) {
        CAPTURE(versions);
        UserWorld world{tests::capabilities_of(GuardReach::store, versions)};
        world.user("u1", "a@x", "n");
        world.entry("a@x", "u1", "old");
        const repair::Plan plan = world.plan();
        // The write is refused; the row changes; the second run writes it; then the application
        // writes what the first would have.
        world.faulty.before_write = [&](const store::GuardedWrite&) {
            world.faulty.fail_from = world.faulty.calls + 1;
        };
        CHECK(world.repair(plan).count(Outcome::failed) == 1);
        world.faulty.before_write = {};
        world.faulty.fail_from.reset();
        world.entry("a@x", "u1", "older");
        CHECK(world.repair(plan).count(Outcome::applied) == 1);
        world.entry("a@x", "u1", "later");
        world.entry("a@x", "u1", "n");
        world.undo();
        const std::string left = world.image().at("ByEmail a@x");
        world.entry("a@x", "u1", versions ? "n" : "older");
        CHECK(left == world.image().at("ByEmail a@x"));
    }
}

TEST_CASE("undo keeps a row that was written again before the repair read it back") {
    for (const bool versions : {true, false}) {
        for (const bool gone : {true, false}) {
            CAPTURE(versions, gone);
            UserWorld world{tests::capabilities_of(GuardReach::store, versions)};
            world.user("u1", "a@x", "n");
            world.faulty.after_write = [&](const store::GuardedWrite&) {
                world.put("ByEmail", {"a@x"},
                          {tests::text("UserId", "u1"), tests::text("Name", "n"),
                           tests::text("Note", "seen")});
                if (gone) world.store.erase("ByEmail", {store::Value::text("a@x")});
            };
            const auto result = world.repair(world.plan());
            CHECK(result.count(gone ? Outcome::ineffective : Outcome::applied) == 1);
            world.faulty.after_write = {};
            world.entry("a@x", "u1", "n");  // as the repair had left it, but not by the repair
            world.undo();
            CHECK(world.image().contains("ByEmail a@x") == versions);
        }
    }
}
