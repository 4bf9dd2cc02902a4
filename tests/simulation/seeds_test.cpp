// The claims of repair/SAFETY.md in simulated runs.
//
// Promised: in every run the six claims of README.md hold, and over the runs of each test
// everything happens that has to happen for that to mean anything. Method: a fixed number of seeds,
// so that the result is the same every time; split into four tests, so that several cores can share
// them. A failure prints its seed, cut down, and all that happened.

#include <catch2/catch.hpp>

#include "tests/simulation/run.hpp"

using namespace idxfsck::simulation;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t runs = 500;
#elif defined(NDEBUG)
constexpr std::uint64_t runs = 5000;
#else
constexpr std::uint64_t runs = 800;
#endif

void run_seeds(std::uint64_t first) {
    Events events;
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        const RunResult result = run_seed(seed, {}, false);
        events.add_all(result.events);
        if (result.breach) FAIL(failure_text(seed, result));
    }
    INFO(events.text());
    CHECK(events.of(Event::killed) > 0);
    // In the shorter runs of other builds the rarest may be missing.
    if (runs >= 5000) CHECK(events.missing().empty());
}

}  // namespace

TEST_CASE("every claim holds in simulated runs: the first part of them") { run_seeds(1'000'000); }
TEST_CASE("every claim holds in simulated runs: the second part of them") { run_seeds(2'000'000); }
TEST_CASE("every claim holds in simulated runs: the third part of them") { run_seeds(3'000'000); }
TEST_CASE("every claim holds in simulated runs: the fourth part of them") { run_seeds(4'000'000); }

// The first scan saw no entry, the second, into the exact engine, saw a stale one: the plan was
// refused for one delete among none.
TEST_CASE("the counts of an audit are those of the scan that its answer comes from") {
    const RunResult result = run_seed(927'247, {}, false);
    CHECK_FALSE(result.breach);
}

TEST_CASE("a seed gives the same history every time") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        INFO("seed " << seed);
        const RunResult once = run_seed(seed, {}, true);
        const RunResult again = run_seed(seed, {}, true);
        CHECK(once.trace == again.trace);
        CHECK(once.events.counts == again.events.counts);
        CHECK_FALSE(once.trace.empty());
    }
}

TEST_CASE("what is cut away from a run is written as text and read back") {
    Cuts cuts;
    cuts.actors = 1;
    cuts.acts = {0, 2, 7, 99};
    cuts.kills = false;
    CHECK(cuts.text() == "actors=1,acts=0/2/7/99,kills=0");
    CHECK(Cuts::parse(cuts.text()) == cuts);
    CHECK(Cuts::parse("") == Cuts{});
    CHECK_THROWS(Cuts::parse("nothing=0"));
}
