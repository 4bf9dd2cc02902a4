// Writes that a store takes in one step are handed over together.
//
// Promised: they are, as many as a group has, and nothing else is other than if each went by
// itself; no write goes with one of a row that it rests on. Method: a world of put, delete and
// copies whose writes are counted; attempts made by hand.

#include <catch2/catch.hpp>

#include "repair/write_batches.hpp"
#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using store::Value;
using tests::UserWorld;

namespace {

struct Drifted : UserWorld {
    explicit Drifted(GuardReach guard) : UserWorld{tests::capabilities_of(guard, true)} {
        for (int number = 0; number < 10; ++number) {
            const std::string digits = std::to_string(number);
            user("u" + digits, digits + "@free");
            user("w" + digits, digits + "@copy", "after");
            entry(digits + "@copy", "w" + digits, "before");
            entry(digits + "@gone", "x" + digits);
        }
    }
};

// What the executor makes of an operation, as far as batches go: the row, and what it rests on.
repair::Attempt attempt_on(const repair::Operation& operation, const std::string& row,
                           const std::string& base_table, const std::string& base_key) {
    repair::Attempt attempt;
    attempt.operation = &operation;
    attempt.index_row = {"main", "ByEmail", {Value::text(row)}};
    attempt.base_row = repair::RowAddress{"main", base_table, {Value::text(base_key)}};
    return attempt;
}

using Places = std::vector<std::vector<std::size_t>>;

}  // namespace

TEST_CASE("writes that a store takes in one step are handed over together") {
    for (const GuardReach guard : {GuardReach::row, GuardReach::store}) {
        Drifted apart{guard};
        Drifted together{guard};
        together.faulty.together = true;
        const tests::Image before = together.image();
        repair::RepairOptions options;
        options.group_max = 16;
        CHECK(tests::all_are(apart.repair(apart.plan(), options), Outcome::applied));
        CHECK(tests::all_are(together.repair(together.plan(), options), Outcome::applied));
        CHECK(apart.faulty.batches.empty());
        CHECK(together.faulty.batches == std::vector<std::size_t>{16, 14});
        CHECK(together.faulty.writes == 30);
        CHECK(together.image() == apart.image());
        CHECK(together.audit().findings.empty());
        together.undo();
        CHECK(together.image() == before);
    }
}

TEST_CASE("of writes handed over together one that fails or comes late harms no other") {
    Drifted world{GuardReach::row};
    world.faulty.together = true;
    const repair::Plan plan = world.plan();
    bool once = false;
    world.faulty.before_write = [&](const store::GuardedWrite&) {
        if (std::exchange(once, true)) return;
        world.entry("3@free", "u3", "theirs");
        world.user("u4", "moved@x");
    };
    const auto result = world.repair(plan);
    CHECK(result.count(Outcome::applied) == 28);
    CHECK(result.count(Outcome::superseded) == 2);
    CHECK(world.image().at("ByEmail 3@free").find("theirs") != std::string::npos);
    CHECK_FALSE(world.image().contains("ByEmail 4@free"));
}

TEST_CASE("no write is handed over with one of a row that it rests on") {
    UserWorld world{tests::capabilities_of(GuardReach::row, true)};
    world.faulty.together = true;
    const repair::Stores stores = world.stores();
    const repair::LiveView view{world.spec, stores, {"by-email"}, 0};
    repair::Operation operation;
    operation.index = "by-email";
    const auto on = [&](const std::string& row, const std::string& table, const std::string& key) {
        return attempt_on(operation, row, table, key);
    };
    repair::Attempt a = on("a", "Users", "1");
    repair::Attempt b = on("b", "ByEmail", "a");
    repair::Attempt c = on("c", "Users", "2");
    CHECK(repair::batches_of(view, {&a, &c}) == Places{{0, 1}});
    CHECK(repair::batches_of(view, {&a, &b, &c}) == Places{{0}, {1, 2}});
    CHECK(repair::batches_of(view, {&b, &c, &a}) == Places{{0, 1}, {2}});
    repair::Attempt beside = on("d", "Users", "3");
    beside.newer_rows.push_back(c.index_row);
    CHECK(repair::batches_of(view, {&c, &beside}) == Places{{0}, {1}});
    repair::Attempt over = on("e", "Users", "4");
    over.displaced_rows.push_back(a.index_row);
    CHECK(repair::batches_of(view, {&over, &a}) == Places{{0}, {1}});
    world.faulty.together = false;
    CHECK(repair::batches_of(view, {&a, &c}) == Places{{0}, {1}});
}
