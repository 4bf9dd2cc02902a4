// The sketch gives back what differs, word for word, or says that it cannot.
//
// Promised: up to its capacity it decodes to exactly the difference of the two collections,
// whatever agrees and however it was split; beyond it the estimate is near and nothing false comes
// out. Method: random entries of all lengths, against std::set_difference.

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "audit/ladder_sketch.hpp"

using namespace idxfsck;
using audit::Side;

namespace {

constexpr std::uint64_t seed = 99;

audit::Fingerprint fingerprint_of(const std::string& bytes) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    return {hash.low64, hash.high64};
}

void add(audit::LadderSketch& sketch, Side side, const std::string& bytes) {
    sketch.add(side, fingerprint_of(bytes), bytes);
}

std::string random_bytes(std::mt19937_64& random, std::size_t size_max) {
    std::string bytes(1 + random() % size_max, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
}

using Difference = std::set<std::pair<Side, std::string>>;

Difference decoded(const audit::SketchDifference& difference) {
    Difference result;
    for (const audit::PeeledEntry& entry : difference.entries) {
        result.insert({entry.side, entry.bytes});
    }
    return result;
}

}  // namespace

TEST_CASE("a sketch decodes to what differs, whatever agrees") {
    const std::size_t cell_size = GENERATE(64U, 128U);
    const std::size_t size_max = GENERATE(20U, 48U, 200U, 2100U);
    const std::size_t differing = GENERATE(0U, 1U, 7U, 150U);
    CAPTURE(cell_size, size_max, differing);
    std::mt19937_64 random{cell_size * 31 + size_max * 7 + differing};
    audit::LadderSketch sketch{seed, cell_size};
    for (int number = 0; number < 500; ++number) {
        const std::string common = random_bytes(random, size_max) + std::to_string(number);
        add(sketch, Side::base, common);
        add(sketch, Side::index, common);
    }
    Difference expected;
    for (std::size_t number = 0; number < differing; ++number) {
        const Side side = random() % 2 == 0 ? Side::base : Side::index;
        const std::string bytes = random_bytes(random, size_max) + "#" + std::to_string(number);
        add(sketch, side, bytes);
        expected.insert({side, bytes});
    }
    const auto difference = sketch.decode();
    REQUIRE(difference.complete);
    REQUIRE(decoded(difference) == expected);
    for (const audit::PeeledEntry& entry : difference.entries) {
        REQUIRE(entry.fingerprint == fingerprint_of(entry.bytes));
    }
}

TEST_CASE("ten thousand differences decode, and sketches of parts add up to that of the whole") {
    std::mt19937_64 random{4};
    audit::LadderSketch whole{seed, 64};
    std::vector<audit::LadderSketch> parts(3, audit::LadderSketch{seed, 64});
    Difference expected;
    for (int number = 0; number < 30'000; ++number) {
        const std::string bytes = "entry " + std::to_string(number);
        const bool differs = number < 10'000;
        add(whole, Side::base, bytes);
        add(parts[random() % 3], Side::base, bytes);
        if (differs) {
            expected.insert({Side::base, bytes});
        } else {
            add(whole, Side::index, bytes);
            add(parts[random() % 3], Side::index, bytes);
        }
    }
    audit::LadderSketch sum{seed, 64};
    for (const audit::LadderSketch& part : parts) sum.add(part);
    REQUIRE(whole.decode().complete);
    REQUIRE(decoded(whole.decode()) == expected);
    REQUIRE(decoded(sum.decode()) == expected);
}

TEST_CASE("beyond its capacity a sketch says so, and how much differs, and nothing false") {
    const std::size_t differing = GENERATE(20'000U, 100'000U, 1'000'000U);
    audit::LadderSketch sketch{seed, 64};
    for (std::size_t number = 0; number < differing; ++number) {
        add(sketch, number % 2 == 0 ? Side::base : Side::index, "e" + std::to_string(number));
    }
    const auto difference = sketch.decode();
    CAPTURE(differing, difference.estimate, difference.level);
    REQUIRE_FALSE(difference.complete);
    // The sample has more than 1,000 entries: four sigma are under 13 percent.
    REQUIRE(difference.estimate == Approx(static_cast<double>(differing)).epsilon(0.13));
    for (const audit::PeeledEntry& entry : difference.entries) {
        REQUIRE(entry.bytes[0] == 'e');
        REQUIRE(std::stoul(entry.bytes.substr(1)) < differing);
    }
}

TEST_CASE("an entry that one side has twice does not vanish") {
    audit::LadderSketch sketch{seed, 64};
    add(sketch, Side::base, "once");
    add(sketch, Side::index, "once");
    add(sketch, Side::index, "twice");
    add(sketch, Side::index, "twice");
    REQUIRE_FALSE(sketch.decode().complete);
}

TEST_CASE("decoding cells of random bits ends and is never complete") {
    std::mt19937_64 random{8};
    for (int round = 0; round < 5; ++round) {
        audit::LadderSketch sketch{seed, 64};
        for (int number = 0; number < 40'000; ++number) {
            // A fingerprint that is not that of the bytes.
            sketch.add(Side::base, {random(), random()}, "x");
        }
        const auto difference = sketch.decode();
        REQUIRE_FALSE(difference.complete);
        REQUIRE(difference.entries.empty());
    }
}
