// Small worlds, exhaustively.
//
// Promised: of an act of the application and a repair, whatever the order of their store calls,
// every claim of README.md holds, and what is left is mended by the next audit and repair; so it
// is with every fault at every call. Method: 17 beginnings with one or two base rows, one index and
// two values, so that every kind of operation of the executor is there; nine acts; each protocol;
// guards on the base row or not, versions or not. All orders, then all faults, then both together
// for one act on one row; by counting through the choices; then orders and faults where the store
// takes writes together, in the worlds in which a repair has several and no guard reaches the
// base. A crash of the application is an order
// in which the rest of the act comes after everything else.

#include <catch2/catch.hpp>

#include "tests/simulation/small_worlds.hpp"

using namespace idxfsck::simulation;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr std::size_t every = 29;  // of the worlds
#else
constexpr std::size_t every = 1;
#endif

std::string failure(const SmallWorld& world, const SmallResult& result) {
    std::string text = "breaks claim " + std::to_string(result.breach->claim) + ": " +
                       result.breach->text + "\n";
    text += world.words + (world.guards_reach_base ? ", guards reach the base" : ", row guards");
    text += world.versions ? ", versions" : ", no versions";
    text += world.together ? ", writes together\n" : "\n";
    for (const std::string& line : result.trace) text += line + "\n";
    return text;
}

template <typename Chosen>
void go_through_all(Tried tried, const Chosen& chosen, std::uint64_t worlds, std::uint64_t runs,
                    bool together = false) {
    Events events;
    std::uint64_t worlds_seen = 0;
    std::uint64_t runs_seen = 0;
    std::size_t number = 0;
    for (SmallWorld world : all_small_worlds()) {
        if (!chosen(world) || number++ % every != 0) continue;
        world.together = together;
        const SmallResult result = go_through(world, tried, events);
        if (result.breach) FAIL(failure(world, result));
        runs_seen += result.runs;
        ++worlds_seen;
    }
    INFO(worlds_seen << " worlds, " << runs_seen << " runs: " << events.text());
    CHECK(runs_seen > 0);
    if (every > 1) return;
    // The numbers that repair/SAFETY.md gives.
    CHECK(worlds_seen == worlds);
    CHECK(runs_seen == runs);
}

bool is_any(const SmallWorld&) { return true; }

bool is_one_act_on_one_row(const SmallWorld& world) {
    return world.start.shape == Shape::pointer && world.wish.size() == 1 &&
           world.start.users.size() + world.start.entries.size() <= 2;
}

bool has_several_writes_unguarded(const SmallWorld& world) {
    const Model& start = world.start;
    return !world.guards_reach_base &&
           (start.shape == Shape::pairs || start.users.size() + start.entries.size() > 2);
}

}  // namespace

TEST_CASE("small worlds: every order of the store calls of an act and a repair") {
    go_through_all(Tried::orders, is_any, 1530, 342'228);
}

TEST_CASE("small worlds: every fault at every call of a repair, an act at every moment of it") {
    go_through_all(Tried::faults, is_any, 1530, 233'184);
}

TEST_CASE("small worlds: every order with every fault, one act on one row") {
    go_through_all(Tried::orders_and_faults, is_one_act_on_one_row, 350, 224'140);
}

TEST_CASE("small worlds: every order of an act and of writes that are handed over together") {
    go_through_all(Tried::orders, has_several_writes_unguarded, 324, 79'538, true);
}

TEST_CASE("small worlds: every fault where writes are handed over together") {
    go_through_all(Tried::faults, has_several_writes_unguarded, 324, 58'324, true);
}
