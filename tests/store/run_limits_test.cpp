// Promised: a budget is one for the whole run; what is under way counts; it is passed by at most
// what one answer costs more than any before it, and ends by an error that says that it can be
// gone on.
//
// Method: requests begun and ended by hand; and many threads whose answers cost by chance.

#include <catch2/catch.hpp>

#include <atomic>
#include <random>
#include <thread>

#include "scripted_world.hpp"
#include "store/error.hpp"
#include "store/run_limits.hpp"

using namespace idxfsck::store;

namespace {

bool is_spent(RunLimits& limits, double units_max) {
    try {
        limits.begin({0.5, units_max});
    } catch (const Error& error) {
        REQUIRE(error.trouble() == Trouble::stopped);
        return error.text() == "the budget of 10 read units is spent";
    }
    return false;
}

}  // namespace

TEST_CASE("without a budget nothing is refused, until the run is to end") {
    ScriptedClock clock;
    RunLimits limits{clock, std::nullopt, nullptr};
    for (int number = 0; number < 100; ++number) limits.begin({0.5, 1e6});
    REQUIRE_FALSE(limits.paced());
    clock.stop();
    REQUIRE_THROWS_WITH(limits.begin({0.5, 1}), Catch::Contains("the run was stopped"));
}

TEST_CASE("requests go side by side while the dearest answer fits, then alone, then not at all") {
    ScriptedClock clock;
    RunLimits limits{clock, 10.0, nullptr};
    const double first = limits.begin({0.5, 4});
    const auto second = limits.try_begin({0.5, 4});
    REQUIRE(second);
    // Eight are reserved: a third might not fit, unless the two cost less.
    REQUIRE_FALSE(limits.try_begin({0.5, 4}));
    limits.end(first, 1);
    limits.end(*second, 2);
    const double third = limits.begin({0.5, 4});
    limits.end(third, 3);
    // Six are spent, and the dearest was three: 4 would just fit, 5 goes alone.
    const double alone = limits.begin({0.5, 5});
    REQUIRE(alone == 3.0);
    REQUIRE_FALSE(limits.try_begin({0.5, 5}));
    limits.end(alone, 2);
    REQUIRE(is_spent(limits, 5));
    // For good, though a smaller one would fit.
    REQUIRE(is_spent(limits, 1));
}

TEST_CASE("a first answer is asked for however small the budget is") {
    ScriptedClock clock;
    RunLimits limits{clock, 10.0, nullptr};
    limits.end(limits.begin({0.5, 357}), 10);
    REQUIRE(is_spent(limits, 357));
}

TEST_CASE("what is known to cost more than is left is not asked for") {
    ScriptedClock clock;
    RunLimits limits{clock, 10.0, nullptr};
    REQUIRE_THROWS_WITH(limits.begin({11, 100}), Catch::Contains("budget of 10 read units"));
}

TEST_CASE("many threads pass a budget by no more than one answer") {
    for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
        CAPTURE(seed);
        ScriptedClock clock;
        RunLimits limits{clock, 1'000.0, nullptr};
        std::mutex mutex;
        double spent = 0.0;
        std::vector<std::thread> threads;
        for (unsigned number = 0; number < 8; ++number) {
            threads.emplace_back([&, number] {
                std::mt19937 random{seed * 100 + number};
                try {
                    while (true) {
                        const double reserved = limits.begin({0.5, 100});
                        const double units = 1.0 + random() % 100;
                        {
                            const std::lock_guard lock{mutex};
                            spent += units;
                        }
                        limits.end(reserved, units);
                    }
                } catch (const Error&) {
                    return;
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        REQUIRE(spent > 800.0);
        REQUIRE(spent <= 1'100.0);
    }
}
