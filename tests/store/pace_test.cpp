// Promised: what is spent is held to a rate; a file may change the rate while the run goes on, and
// what is no rate in it changes nothing and is said once.
//
// Method: a clock that moves only by waiting, and a file that is written while somebody waits.

#include <catch2/catch.hpp>

#include <fstream>

#include "scratch_folder.hpp"
#include "scripted_world.hpp"
#include "store/error.hpp"
#include "store/pace.hpp"

using namespace idxfsck::store;

namespace {

struct Paced {
    explicit Paced(const std::string& rate) {
        say(rate);
        pace.emplace(clock, RateFile{path, [this](const std::string& problem) {
                                         problems.push_back(problem);
                                     }});
    }

    void say(const std::string& text) const { std::ofstream{path} << text; }

    // How long spending so much takes.
    std::int64_t ms_of(double units) {
        const std::int64_t begin_ms = clock.now_ms;
        pace->spend(units);
        return clock.now_ms - begin_ms;
    }

    ScratchFolder folder;
    const std::string path = folder.path() + "/rate";
    ScriptedClock clock;
    std::vector<std::string> problems;
    std::optional<Pace> pace;
};

}  // namespace

TEST_CASE("what is spent is paid for by waiting, and time in which nothing was owed is lost") {
    ScriptedClock clock;
    Pace pace{clock, 10.0};
    pace.spend(1.5);
    pace.spend(0.5);
    clock.now_ms += 60'000;
    pace.spend(20.0);
    REQUIRE(clock.slept == std::vector<std::int64_t>{150, 50, 2000});
    Pace free{clock, 0.0};
    free.spend(1e9);
    REQUIRE(clock.slept.size() == 3);
}

TEST_CASE("a rate in a file holds a second after it was written, also for who waits already") {
    Paced paced{"10\n"};
    REQUIRE(paced.ms_of(5) == 500);
    // 600 units at ten a second are a minute; but after 3 s there are 100 a second.
    paced.clock.while_asleep = [&] {
        if (paced.clock.slept.size() == 4) paced.say(" 100 \r\n");
    };
    // The third second ends with ten a second. 570 are left: at 100 a second.
    REQUIRE(paced.ms_of(600) == 3'000 + 5'700);
    paced.clock.while_asleep = nullptr;
    // Slower again, and nothing is looked at before a second has passed.
    paced.say("1");
    REQUIRE(paced.ms_of(10) == 100);
    paced.clock.now_ms += 1'000;
    REQUIRE(paced.ms_of(2) == 2'000);
    // While it waits it looks once a second, no oftener.
    for (const std::int64_t slept : paced.clock.slept) REQUIRE(slept <= 1'000);
    REQUIRE(paced.problems.empty());
}

TEST_CASE("what is no rate keeps the old one and is said once until it is mended") {
    Paced paced{"10"};
    for (const std::string bad : {"fast", "", "0", "-5", "1.5", "99999999999", "10 20", "nan"}) {
        paced.problems.clear();
        paced.say(bad);
        paced.clock.now_ms += 1'000;
        REQUIRE(paced.ms_of(50) == 5'000);
        REQUIRE(paced.problems.size() == 1);
        REQUIRE(paced.problems[0].find("the file says no rate") == 0);
    }
    std::filesystem::remove(paced.path);
    REQUIRE(paced.ms_of(50) == 5'000);
    REQUIRE(paced.problems.size() == 2);
    REQUIRE(paced.problems[1].find("cannot be read") != std::string::npos);
    paced.say("20");
    paced.clock.now_ms += 1'000;
    REQUIRE(paced.ms_of(50) == 2'500);
    // Once it was right, the same fault is told again.
    std::filesystem::remove(paced.path);
    REQUIRE(paced.ms_of(50) == 2'500);
    REQUIRE(paced.problems.size() == 3);
}

TEST_CASE("a run does not begin with a file that says no rate") {
    const ScratchFolder folder;
    ScriptedClock clock;
    const auto opened = [&] { Pace{clock, RateFile{folder.path() + "/rate", {}}}; };
    REQUIRE_THROWS_WITH(opened(), Catch::Contains("cannot be read"));
    std::ofstream{folder.path() + "/rate"} << "much";
    REQUIRE_THROWS_WITH(opened(), Catch::Contains("says no rate"));
    try {
        opened();
    } catch (const Error& error) {
        REQUIRE(error.trouble() == Trouble::usage);
    }
}

TEST_CASE("a stop ends the wait for what was spent") {
    ScriptedClock clock;
    Pace pace{clock, 1.0};
    clock.while_asleep = [&] { clock.stop(); };
    pace.spend(1e6);
    pace.spend(1e6);
    REQUIRE(clock.slept.size() == 1);
}
