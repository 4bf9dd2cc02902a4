// Whatever stops a repair, and wherever: run again it comes to the same end.
//
// Promised: the program gone before or after any store call, a store that goes away at any call, a
// reply lost at any call, a disk that fills at any byte of the journal; then the same repair again
// gives the rows that an undisturbed one gives, an undo gives those from before it, and no row was
// ever written that the journal did not hold. Method: every N, for every kind of store.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using tests::Crash;
using tests::UserWorld;

namespace {

struct Kind {
    GuardReach guard;
    bool versions;
    bool together = false;  // writes to one table are one call
};

const std::vector<Kind> kinds{{GuardReach::store, true},
                              {GuardReach::store, false},
                              {GuardReach::row, true},
                              {GuardReach::row, false},
                              {GuardReach::row, true, true}};

// A put, a move, a delete, copies, a take-over and a swap.
struct Drifted : UserWorld {
    explicit Drifted(const Kind& kind)
        : UserWorld{tests::capabilities_of(kind.guard, kind.versions)} {
        user("u1", "free@x");
        user("u2", "new@x");
        entry("old@x", "u2");
        entry("gone@x", "u9");
        user("u3", "copy@x", "after");
        entry("copy@x", "u3", "before");
        user("u4", "taken@x");
        entry("taken@x", "u8");
        user("u5", "one@x");
        user("u6", "two@x");
        entry("one@x", "u6");
        entry("two@x", "u5");
        for (int number = 0; number < 20; ++number) {
            user("w" + std::to_string(number), std::to_string(number) + "@well");
            entry(std::to_string(number) + "@well", "w" + std::to_string(number));
        }
        before = image();
        planned = plan_of(kind);
        faulty.together = kind.together;
        faulty.before_write = [this](const store::GuardedWrite& write) { check_journal(write); };
    }

    // Every world of a kind is the same to the byte, versions too, and so is its plan.
    repair::Plan plan_of(const Kind& kind) {
        static std::map<std::pair<GuardReach, bool>, repair::Plan> plans;
        const std::pair name{kind.guard, kind.versions};
        if (!plans.contains(name)) plans[name] = plan();
        return plans[name];
    }

    // Is the write in the journal, as synced so far?
    void check_journal(const store::GuardedWrite& write) {
        const std::string& text = undoing ? undo_journal : journal;
        if (text.size() != read_bytes) contents = repair::read_journal(text);
        read_bytes = text.size();
        REQUIRE(contents);
        bool found = false;
        for (const auto& record : contents->records) {
            const auto* intent = std::get_if<repair::Intent>(&record);
            if (intent != nullptr && intent->key == write.key && intent->after == write.after) {
                found = true;
            }
        }
        REQUIRE(found);
    }

    void heal() {
        faulty.crash_before.reset();
        faulty.crash_after.reset();
        faulty.lose_reply.reset();
        faulty.fail_from.reset();
    }

    tests::Image before;
    repair::Plan planned;
    bool undoing = false;
    std::optional<repair::JournalContents> contents;  // as last read, at this size
    std::size_t read_bytes = 0;
};

repair::RepairOptions small_groups() {
    repair::RepairOptions options;
    options.group_max = 3;
    return options;
}

// The rows after a repair that nothing disturbed, and the number of its store calls.
std::pair<tests::Image, std::size_t> undisturbed(const Kind& kind) {
    Drifted world{kind};
    REQUIRE(tests::all_are(world.repair(world.planned, small_groups()), Outcome::applied));
    const std::size_t calls = world.faulty.calls;
    REQUIRE(world.audit().findings.empty());
    return {world.image(), calls};
}

void check_end(Drifted& world, const tests::Image& end) {
    world.heal();
    const auto again = world.repair(world.planned, small_groups());
    CHECK(again.count(Outcome::applied) + again.count(Outcome::already) ==
          world.planned.operations.size());
    REQUIRE(world.image() == end);
    const std::size_t writes = world.faulty.writes;
    CHECK(tests::all_are(world.repair(world.planned, small_groups()), Outcome::already));
    CHECK(world.faulty.writes == writes);
    world.undoing = true;
    world.undo();
    REQUIRE(world.image() == world.before);
}

}  // namespace

TEST_CASE("a repair gone before or after any store call comes to the same end when run again") {
    for (const Kind& kind : kinds) {
        const auto [end, calls] = undisturbed(kind);
        for (std::size_t call = 1; call <= calls; ++call) {
            for (const bool after : {false, true}) {
                CAPTURE(kind.guard, kind.versions, kind.together, call, after);
                Drifted world{kind};
                (after ? world.faulty.crash_after : world.faulty.crash_before) = call;
                CHECK_THROWS_AS(world.repair(world.planned, small_groups()), Crash);
                check_end(world, end);
            }
        }
    }
}

TEST_CASE("a repair whose store goes away at any call comes to the same end when run again") {
    for (const Kind& kind : kinds) {
        const auto [end, calls] = undisturbed(kind);
        for (std::size_t call = 1; call <= calls; ++call) {
            CAPTURE(kind.guard, kind.versions, kind.together, call);
            Drifted world{kind};
            world.faulty.fail_from = call;
            const auto result = world.repair(world.planned, small_groups());
            CHECK(result.could_not_tell());
            check_end(world, end);
        }
    }
}

TEST_CASE("a reply that is lost at any call harms nothing") {
    for (const Kind& kind : kinds) {
        const auto [end, calls] = undisturbed(kind);
        for (std::size_t call = 1; call <= calls; ++call) {
            CAPTURE(kind.guard, kind.versions, kind.together, call);
            Drifted world{kind};
            world.faulty.lose_reply = call;
            world.repair(world.planned, small_groups());
            check_end(world, end);
        }
    }
}

TEST_CASE("a write whose reply was lost is found by reading it back") {
    Drifted world{kinds.front()};
    world.faulty.before_write = [&](const store::GuardedWrite&) {
        world.faulty.lose_reply = world.faulty.calls + 1;
    };
    const auto result = world.repair(world.planned);
    CHECK(tests::all_are(result, Outcome::applied));
}

TEST_CASE("a disk that fills at any byte of the journal stops the repair before its next write") {
    const auto [end, calls] = undisturbed(kinds.front());
    Drifted whole{kinds.front()};
    whole.repair(whole.planned, small_groups());
    for (std::size_t bytes = 0; bytes < whole.journal.size(); bytes += 37) {
        CAPTURE(bytes);
        Drifted world{kinds.front()};
        auto file = std::make_unique<tests::MemoryJournalFile>(world.journal);
        file->bytes_left = bytes;
        repair::RepairOptions options = small_groups();
        options.apply = true;
        const auto run = [&] {
            repair::Journal journal{
                std::move(file),
                {"repair", repair::plan_digest(world.planned), world.spec.digest,
                 world.planned.header.stores, 1, "0.1.0"}};
            repair::run_repair(world.planned, world.spec, world.stores(), &journal, world.clock,
                               options);
        };
        CHECK_THROWS_AS(run(), store::Error);
        check_end(world, end);
    }
}

TEST_CASE("an undo gone before or after any store call comes to the same end when run again") {
    for (const Kind& kind : kinds) {
        Drifted counted{kind};
        counted.repair(counted.planned);
        const std::size_t repair_calls = counted.faulty.calls;
        counted.undoing = true;
        counted.undo();
        const std::size_t calls = counted.faulty.calls - repair_calls;
        for (std::size_t call = 1; call <= calls; ++call) {
            for (const bool after : {false, true}) {
                CAPTURE(kind.guard, kind.versions, kind.together, call, after);
                Drifted world{kind};
                world.repair(world.planned);
                world.undoing = true;
                (after ? world.faulty.crash_after : world.faulty.crash_before) =
                    world.faulty.calls + call;
                repair::UndoOptions options;
                options.group_max = 3;
                CHECK_THROWS_AS(world.undo(options), Crash);
                world.heal();
                world.undo();
                REQUIRE(world.image() == world.before);
                const std::size_t writes = world.faulty.writes;
                world.undo();
                CHECK(world.faulty.writes == writes);
            }
        }
    }
}

TEST_CASE("two executors at once leave what one leaves") {
    for (const Kind& kind : kinds) {
        const auto [end, calls] = undisturbed(kind);
        for (std::size_t call = 1; call <= calls; ++call) {
            for (const std::uint64_t writes : {1U, 4U, 100U}) {
                CAPTURE(kind.guard, kind.versions, kind.together, call, writes);
                Drifted world{kind};
                std::string other_journal;
                world.faulty.before_call = [&](std::size_t number) {
                    if (number != call) return;
                    // The other one, all at once, with a journal of its own.
                    repair::RepairOptions options = small_groups();
                    options.apply = true;
                    options.operations_max = writes;
                    repair::Journal journal{
                        std::make_unique<tests::MemoryJournalFile>(other_journal),
                        {"repair", "other", "", {}, 1, "0.1.0"}};
                    repair::run_repair(world.planned, world.spec,
                                       {{"main", {&world.store, &world.store}}}, &journal,
                                       world.clock, options);
                };
                world.repair(world.planned, small_groups());
                world.faulty.before_call = {};
                world.repair(world.planned, small_groups());
                REQUIRE(world.image() == end);
            }
        }
    }
}
