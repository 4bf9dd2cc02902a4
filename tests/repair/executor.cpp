// A plan is carried out.
//
// Promised: each operation does what it says and no more; a second run is silent; another audit is
// clean; undo brings every row back byte for byte. What changed meanwhile is left alone. Method:
// the world of each case is drawn in the test, before and after.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using tests::UserWorld;
using Words = std::vector<std::string>;

namespace {

// Every way in which a store can be guarded, with versions and without.
std::vector<store::Capabilities> all_stores() {
    std::vector<store::Capabilities> all;
    for (const GuardReach reach : {GuardReach::store, GuardReach::row}) {
        for (const bool versions : {true, false}) {
            all.push_back(tests::capabilities_of(reach, versions));
        }
    }
    all.push_back(tests::capabilities_of(GuardReach::store, true, true));
    return all;
}

void draw_everything(UserWorld& world) {
    world.user("u1", "free@x");                             // orphaned write
    world.user("u2", "new@x");                              // a move, old@x to new@x
    world.entry("old@x", "u2");
    world.entry("gone@x", "u9");                            // stale, base_missing
    world.user("u3", "copy@x", "after");                    // divergent copy
    world.entry("copy@x", "u3", "before");
    world.user("u4", "taken@x");                            // takes the key of a stale holder
    world.entry("taken@x", "u5");
    world.user("u5", "");
    world.user("u6", "both@x");                             // duplicate claim
    world.user("u7", "both@x");
    world.entry("both@x", "u6");
    world.user("u8", "right@x");
    world.entry("right@x", "u8");
}

}  // namespace

TEST_CASE("a repair mends what it may, a second is silent, and undo brings every byte back") {
    for (const store::Capabilities& capabilities : all_stores()) {
        CAPTURE(capabilities.guard, capabilities.row_versions, capabilities.snapshot);
        UserWorld world{capabilities};
        draw_everything(world);
        const tests::Image before = world.image();
        const repair::Plan plan = world.plan();

        const auto dry = world.dry_run(plan);
        CHECK(world.image() == before);
        CHECK(dry.count(Outcome::would_apply) == 6);
        CHECK(dry.anything_left());

        const auto result = world.repair(plan);
        CHECK(result.count(Outcome::applied) == 6);
        CHECK(result.count(Outcome::manual) == 1);
        CHECK(result.operations.size() == 7);
        CHECK(result.writes == 6);
        world.store.refresh();
        CHECK(tests::words(world.audit()) ==
              std::set<std::string>{"duplicate_claim by-email both@x -> u6 u7 (u6)"});

        const std::string journal = world.journal;
        const auto again = world.repair(plan);
        CHECK(again.count(Outcome::already) == 6);
        CHECK(again.writes == 0);
        CHECK(world.journal == journal);

        const auto undone = world.undo();
        CHECK(tests::all_are(undone, Outcome::applied));
        CHECK(world.image() == before);
        const std::string undo_journal = world.undo_journal;
        CHECK(tests::all_are(world.undo(), Outcome::already));
        CHECK(world.undo_journal == undo_journal);
    }
}

TEST_CASE("a row that an operation does not own attributes of keeps them") {
    UserWorld world;
    world.user("u1", "a@x", "new");
    world.put("ByEmail", {"a@x"},
              {tests::text("UserId", "u1"), tests::text("Name", "old"),
               tests::text("Note", "mine")});
    CHECK(tests::all_are(world.repair(world.plan()), Outcome::applied));
    CHECK(world.store.rows("ByEmail").at(0).attribute("Note")->payload == "mine");
    CHECK(world.store.rows("ByEmail").at(0).attribute("Name")->payload == "new");
}

TEST_CASE("values that two rows swapped are swapped in the index by two compare-and-sets") {
    for (const store::Capabilities& capabilities : all_stores()) {
        UserWorld world{capabilities};
        world.user("u1", "b@x");
        world.user("u2", "a@x");
        world.entry("a@x", "u1");
        world.entry("b@x", "u2");
        const auto result = world.repair(world.plan());
        CHECK(tests::outcomes(result) == Words{"applied", "applied"});
        world.store.refresh();
        CHECK(world.audit().findings.empty());
    }
}

TEST_CASE("a unique value that was handed from row to row is handed on in the index") {
    for (const store::Capabilities& capabilities : all_stores()) {
        UserWorld world{capabilities};
        world.user("u1", "c@x");
        world.user("u2", "a@x");
        world.user("u3", "b@x");
        world.entry("a@x", "u1");
        world.entry("b@x", "u2");
        const auto result = world.repair(world.plan());
        CHECK(tests::all_are(result, Outcome::applied));
        world.store.refresh();
        CHECK(world.audit().findings.empty());
    }
}

TEST_CASE("a value that moved and moved back is left as it is") {
    UserWorld world;
    world.user("u1", "b@x");
    world.entry("a@x", "u1");
    const repair::Plan plan = world.plan();  // put b@x, delete a@x
    world.user("u1", "a@x");
    const tests::Image before = world.image();
    const auto result = world.repair(plan);
    CHECK(tests::outcomes(result) == Words{"superseded", "held"});
    CHECK(world.image() == before);
}

TEST_CASE("a delete is held when its add was superseded or left out") {
    UserWorld world;
    world.user("u1", "b@x");
    world.entry("a@x", "u1");
    const repair::Plan plan = world.plan();
    const tests::Image before = world.image();
    repair::RepairOptions options;
    options.except = {plan.operations[0].id};
    CHECK(tests::outcomes(world.repair(plan, options)) == Words{"skipped", "held"});
    CHECK(world.image() == before);
    options = {};
    options.only = {plan.operations[1].id};
    CHECK(tests::outcomes(world.repair(plan, options)) == Words{"skipped", "held"});
    CHECK(world.image() == before);

    world.entry("b@x", "u7");  // someone else took the key
    CHECK(tests::outcomes(world.repair(plan)) == Words{"superseded", "held"});
}

TEST_CASE("an id that the plan does not have is a mistake on the command line") {
    UserWorld world;
    world.user("u1", "a@x");
    const repair::Plan plan = world.plan();
    repair::RepairOptions options;
    options.except = {"0000000000000000"};
    CHECK_THROWS_AS(world.repair(plan, options), store::Error);
    CHECK(world.faulty.writes == 0);
}

TEST_CASE("what changed since the audit is left alone") {
    UserWorld world;
    world.user("u1", "a@x");          // put
    world.user("u2", "");             // delete b@x
    world.entry("b@x", "u2");
    world.user("u3", "c@x", "new");   // fix copies
    world.entry("c@x", "u3", "old");
    world.user("u4", "d@x");          // replace u5
    world.entry("d@x", "u5");
    const repair::Plan plan = world.plan();
    REQUIRE(plan.operations.size() == 4);
    world.user("u1", "z@x");          // derives another key now
    world.user("u2", "b@x");          // derives the key again
    world.entry("c@x", "u8", "old");  // names another row
    world.user("u5", "d@x");          // the holder claims the key after all
    const tests::Image before = world.image();
    CHECK(tests::all_are(world.repair(plan), Outcome::superseded));
    CHECK(world.image() == before);
    CHECK(world.faulty.writes == 0);
}

TEST_CASE("an application that did the work itself is thanked with `already`") {
    UserWorld world;
    world.user("u1", "a@x");
    world.entry("b@x", "u9");
    const repair::Plan plan = world.plan();
    world.entry("a@x", "u1");
    world.store.erase("ByEmail", {store::Value::text("b@x")});
    CHECK(tests::all_are(world.repair(plan), Outcome::already));
    CHECK(world.faulty.writes == 0);
}

TEST_CASE("copies are written as the base row has them now") {
    UserWorld world;
    world.user("u1", "a@x", "first");
    const repair::Plan plan = world.plan();
    world.user("u1", "a@x", "second");
    CHECK(tests::all_are(world.repair(plan), Outcome::applied));
    CHECK(world.store.rows("ByEmail").at(0).attribute("Name")->payload == "second");
}

TEST_CASE("a repair stops cleanly when asked, after so many writes, and goes on") {
    UserWorld world;
    for (int number = 0; number < 5; ++number) {
        world.user("u" + std::to_string(number), std::to_string(number) + "@x");
    }
    const repair::Plan plan = world.plan();
    repair::RepairOptions options;
    options.group_max = 2;
    options.stop_requested = [&] { return world.faulty.writes >= 2; };
    auto result = world.repair(plan, options);
    CHECK(result.ending == repair::Ending::stopped);
    CHECK(tests::outcomes(result) == Words{"applied", "applied", "not_run", "not_run", "not_run"});
    options = {};
    options.operations_max = 1;
    result = world.repair(plan, options);
    CHECK(result.ending == repair::Ending::enough);
    CHECK(tests::outcomes(result) == Words{"already", "already", "applied", "not_run", "not_run"});
    result = world.repair(plan);
    CHECK(result.ending == repair::Ending::finished);
    CHECK(result.writes == 2);
    CHECK(world.audit().findings.empty());
}

TEST_CASE("a repair stops when too many of its operations do not succeed") {
    UserWorld world;
    for (int number = 100; number < 150; ++number) {
        world.user("u" + std::to_string(number), std::to_string(number) + "@x");
    }
    const repair::Plan plan = world.plan();
    for (int number = 100; number < 140; ++number) {
        world.user("u" + std::to_string(number), "other" + std::to_string(number) + "@x");
    }
    repair::RepairOptions options;
    options.group_max = 5;
    const auto result = world.repair(plan, options);
    CHECK(result.ending == repair::Ending::too_many_fails);
    CHECK(result.count(Outcome::superseded) == 20);
    CHECK(result.count(Outcome::not_run) == 30);
    CHECK(world.faulty.writes == 0);
}

TEST_CASE("the journal is synced once for a group, before the first of its writes") {
    UserWorld world;
    for (int number = 0; number < 10; ++number) {
        world.user("u" + std::to_string(number), std::to_string(number) + "@x");
    }
    const repair::Plan plan = world.plan();
    std::size_t seen = 0;
    world.faulty.before_write = [&](const store::GuardedWrite& write) {
        // Whatever is written is in the journal by now, with the row as it was and as it shall be.
        const auto contents = repair::read_journal(world.journal);
        REQUIRE(contents);
        bool found = false;
        for (const auto& record : contents->records) {
            const auto* intent = std::get_if<repair::Intent>(&record);
            if (intent == nullptr || intent->key != write.key) continue;
            found = true;
            CHECK(intent->table == write.table);
            CHECK(intent->after == write.after);
            CHECK_FALSE(intent->before);
        }
        CHECK(found);
        ++seen;
    };
    CHECK(tests::all_are(world.repair(plan), Outcome::applied));
    CHECK(seen == 10);
}

TEST_CASE("without its journal nothing is written") {
    UserWorld world;
    world.user("u1", "a@x");
    const repair::Plan plan = world.plan();
    auto file = std::make_unique<tests::MemoryJournalFile>(world.journal);
    tests::MemoryJournalFile& disk = *file;
    repair::Journal journal{std::move(file), {"repair", "p", "s", {}, 1, "0.1.0"}};
    disk.bytes_left = 100;
    repair::RepairOptions options;
    options.apply = true;
    CHECK_THROWS_AS(
        repair::run_repair(plan, world.spec, world.stores(), &journal, world.clock, options),
        store::Error);
    CHECK(world.faulty.writes == 0);
}
