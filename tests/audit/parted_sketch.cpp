// A sketch made to measure gives back all that differs, or says that it cannot.
//
// Promised: what comes out went in, for any number of lanes; with too few tables it is exhausted
// and still gives nothing false; an audit of which more differs than the first sketch holds takes
// it where it is smaller than the exact engine. Method: counted entries against std::set.

#include <algorithm>
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "audit/parted_sketch.hpp"
#include "tests/audit/emails.hpp"

using namespace idxfsck;
using audit::Side;

namespace {

constexpr std::uint64_t seed = 5;

void add(audit::Lane& lane, Side side, const std::string& bytes) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    lane.add(side, {hash.low64, hash.high64}, {}, bytes);
}

// One in 50 is longer than a cell.
std::string entry(int number) {
    return std::to_string(number) + std::string(number % 50 == 0 ? 200 : 3, 'e');
}

std::set<std::string> peeled(audit::PartedSketch& sketch) {
    sketch.close();
    std::set<std::string> result;
    for (std::size_t part = 0; part < sketch.parts_count(); ++part) {
        for (const audit::Unmatched& unmatched : sketch.unmatched(part)) {
            result.insert((unmatched.side == Side::base ? "+" : "-") + unmatched.entry);
        }
    }
    return result;
}

}  // namespace

TEST_CASE("a sketch made to measure gives back all that differs, whatever the lanes") {
    const std::size_t lanes_count = GENERATE(1U, 3U);
    const int differing = 60'000;
    audit::MemoryBudget budget{1 << 30};
    std::set<std::string> expected;
    {
        const double chunks = differing * (1 + 5.0 / 50);
        audit::PartedSketch sketch{seed, 64, audit::parted_sketch_tables(chunks, 0.02), budget};
        std::vector<audit::Lane*> lanes;
        for (std::size_t lane = 0; lane < lanes_count; ++lane) lanes.push_back(&sketch.lane());
        for (int number = 0; number < 100'000; ++number) {
            const bool differs = number < differing;
            const bool base = number % 3 == 0;
            audit::Lane& lane = *lanes[static_cast<std::size_t>(number) % lanes_count];
            if (!differs || base) add(lane, Side::base, entry(number));
            if (!differs || !base) add(lane, Side::index, entry(number));
            if (differs) expected.insert((base ? "+" : "-") + entry(number));
        }
        REQUIRE(budget.bytes() > 0);
        REQUIRE(peeled(sketch) == expected);
        REQUIRE_FALSE(sketch.exhausted());
        REQUIRE(sketch.miss_probability(expected.size()) < 1e-27);
    }
    REQUIRE(budget.bytes() == 0);
}

TEST_CASE("a sketch with too few tables is exhausted and gives nothing false") {
    audit::MemoryBudget budget{1 << 30};
    audit::PartedSketch sketch{seed, 64, 2, budget};
    audit::Lane& lane = sketch.lane();
    for (int number = 0; number < 40'000; ++number) add(lane, Side::base, entry(number));
    const std::set<std::string> some = peeled(sketch);
    REQUIRE(sketch.exhausted());
    REQUIRE(some.size() < 40'000);
    for (const std::string& bytes : some) {
        REQUIRE(bytes == "+" + entry(std::stoi(bytes.substr(1))));
    }
}

TEST_CASE("tables grow with the drift and its error, up to a limit") {
    REQUIRE(audit::parted_sketch_tables(1, 0) == 1);
    REQUIRE(audit::parted_sketch_tables(105'000, 0) == 10);
    REQUIRE(audit::parted_sketch_tables(105'000, 0.02) == 11);
    REQUIRE(audit::parted_sketch_tables(1e9, 0) == 0);
    REQUIRE(audit::parted_sketch_tables(std::nan(""), 0) == 0);
}

TEST_CASE("an audit of large tables scans once more into a sketch made to measure") {
    const std::string spec_text = tests::users_head + R"(
[[index]]
name = "email"
of = "user"
store = "main"
table = "Index"
key = { K = "{UserId}" }
pointer = { UserId = "{UserId}" }
settle = "1s"
)";
    store::MemoryStore store{tests::with_snapshot(true)};
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    for (int number = 0; number < 150'000; ++number) {
        const std::string id = std::to_string(number);
        store.put("Users", tests::row_of({id}, {}));
        if (number % 12 == 0) continue;
        store.put("Index", tests::row_of({id}, {tests::text("UserId", id)}));
    }
    tests::TestClock clock;
    const audit::Spec spec = tests::spec_of(spec_text);
    const auto result = tests::audit_of(spec, store, clock, 2, 4);
    REQUIRE(result.coverage.indexes[0].engine == "sketch");
    REQUIRE(result.coverage.indexes[0].engine_reason == "more differed than a small sketch holds");
    REQUIRE(result.findings.size() == 12'500);
    for (const audit::Finding& finding : result.findings) {
        REQUIRE(std::stoi(finding.base->key.front().payload) % 12 == 0);
    }
    REQUIRE(result.coverage.whole());
}
