// A request is sent again for as long as that may help, and no longer.
//
// Method: what the answers call for, one after the other, played to the loop; beside each the
// sends, the waits and the end that follow from the order of tries.

#include <catch2/catch.hpp>

#include <algorithm>

#include "scripted_world.hpp"
#include "store/http/retry_loop.hpp"
#include "store/http/server_clock.hpp"

using namespace idxfsck::store;

namespace {

struct Played {
    int sends = 0;
    std::size_t waits = 0;
    std::string end;  // "answered", "answered, maybe done before", or why not

    friend bool operator==(const Played&, const Played&) = default;
};

// The last answer stands for all that follow.
Played play(ScriptedClock& clock, const std::vector<NextTry>& answers) {
    Played out;
    RetrySteps steps;
    steps.take = [&] {
        return answers[std::min(static_cast<std::size_t>(out.sends), answers.size() - 1)];
    };
    steps.send = [&] { ++out.sends; };
    steps.why_not = [](int waits, bool stopped) {
        return Error{stopped ? "stopped" : "none after " + std::to_string(waits)};
    };
    const Random random = [] { return 0.5; };
    const RetryLimits limits{100, 400, 1'000};
    try {
        const bool maybe_done = send_until_answered(steps, {limits, clock, random});
        out.end = maybe_done ? "answered, maybe done before" : "answered";
    } catch (const Error& error) {
        out.end = error.text();
    }
    out.waits = clock.slept.size();
    return out;
}

Played play(const std::vector<NextTry>& answers) {
    ScriptedClock clock;
    return play(clock, answers);
}

HttpResult dated(const Bytes& date) { return answer_of(403, "", {{"date", date}}); }

}  // namespace

TEST_CASE("a request is sent again as its answers call for") {
    constexpr NextTry none = NextTry::none;
    constexpr NextTry later = NextTry::later;
    constexpr NextTry slower = NextTry::slower;
    constexpr NextTry renewed = NextTry::renewed;
    constexpr NextTry hopeless = NextTry::hopeless;
    REQUIRE(play({none}) == Played{0, 0, "answered"});
    REQUIRE(play({later, none}) == Played{1, 1, "answered, maybe done before"});
    REQUIRE(play({slower, slower, none}) == Played{2, 2, "answered"});
    REQUIRE(play({slower, later, slower, none}) == Played{3, 3, "answered, maybe done before"});
    // At once, but once: what is refused again was not refused for that.
    REQUIRE(play({renewed, none}) == Played{1, 0, "answered"});
    REQUIRE(play({renewed, later, renewed}) == Played{2, 1, "none after 1"});
    REQUIRE(play({hopeless}) == Played{0, 0, "none after 0"});
    REQUIRE(play({later, hopeless}) == Played{1, 1, "none after 1"});
    // 50, 100, 200, 200, 200 and 200 ms are less than a second, and 200 more are not.
    REQUIRE(play({later}) == Played{6, 6, "none after 6"});
}

TEST_CASE("the end of a run is told from the end of patience") {
    ScriptedClock clock;
    clock.while_asleep = [&] { clock.stop(); };
    REQUIRE(play(clock, {NextTry::later}) == Played{0, 1, "stopped"});
    // What is wrong for good is told, run or no run.
    REQUIRE(play(clock, {NextTry::hopeless}) == Played{0, 1, "none after 0"});
}

TEST_CASE("a clock is put right by an answer, once, and not by what an answer takes") {
    ScriptedClock machine;
    machine.now_ms = 1'700'000'000'000;  // Tue, 14 Nov 2023 22:13:20 GMT
    ServerClock clock{machine};
    REQUIRE_FALSE(clock.mend(dated("Tue, 14 Nov 2023 22:13:24 GMT")));
    REQUIRE_FALSE(clock.mend(dated("yesterday")));
    REQUIRE_FALSE(clock.mend(dated("")));
    REQUIRE(clock.now_ms() == machine.now_ms);
    REQUIRE(clock.mend(dated("Tue, 14 Nov 2023 22:23:20 GMT")));
    REQUIRE(clock.now_ms() == machine.now_ms + 600'000);
    REQUIRE_FALSE(clock.mend(dated("Tue, 14 Nov 2023 22:23:20 GMT")));
    machine.now_ms += 1'000;
    REQUIRE(clock.now_ms() == machine.now_ms + 600'000);
    REQUIRE(clock.mend(dated("Tue, 14 Nov 2023 22:13:21 GMT")));
    REQUIRE(clock.now_ms() == machine.now_ms);
}
