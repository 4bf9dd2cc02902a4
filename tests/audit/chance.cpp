// The odds of a missed difference are what the report says, and no sketch that is not whole is
// taken for one that is.
//
// Promised: over many audits with fingerprints that are made narrow on purpose, the exact engine
// misses something about as often as odds_of_a_miss() says, and never much oftener; a sketch does
// not let two entries cancel that differ, even where their fingerprints are one; with too much in
// it, or with cells that are no sums of entries, it is not complete. Method: simulation by seeds.

#include <filesystem>
#include <random>
#include <set>

#include <unistd.h>

#include <catch2/catch.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "audit/chance.hpp"
#include "audit/exact_reconciler.hpp"
#include "audit/ladder_sketch.hpp"
#include "audit/state_file.hpp"

using namespace idxfsck;
using audit::Side;

namespace {

// 8 bits choose the part; of the mark only `bits` - 8 are left.
audit::Fingerprint narrow(std::mt19937_64& random, int bits) {
    const std::uint64_t mask = (std::uint64_t{1} << (bits - 8)) - 1;
    return {random() & mask, random()};
}

// One audit with `each` differences on each side and many that agree; true if one was missed.
bool misses(std::mt19937_64& random, int bits, int each) {
    audit::MemoryBudget budget{64 << 20};
    audit::ExactReconciler reconciler{audit::Counting::multiset, budget, ""};
    audit::Lane& lane = reconciler.lane();
    for (int number = 0; number < 50; ++number) {
        const audit::Fingerprint agrees = narrow(random, bits);
        lane.add(Side::base, agrees, {1'000'000}, "");
        lane.add(Side::index, agrees, {1'000'000}, "");
    }
    for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(each); ++number) {
        lane.add(Side::base, narrow(random, bits), {number}, "");
        lane.add(Side::index, narrow(random, bits), {number}, "");
    }
    reconciler.close();
    std::set<std::pair<Side, std::uint64_t>> found;
    for (std::size_t part = 0; part < reconciler.parts_count(); ++part) {
        for (const audit::Unmatched& unmatched : reconciler.unmatched(part)) {
            found.insert({unmatched.side, unmatched.place.value});
        }
    }
    found.erase({Side::base, 1'000'000});
    found.erase({Side::index, 1'000'000});
    return found.size() < 2 * static_cast<std::size_t>(each);
}

audit::Fingerprint fingerprint_of(const std::string& bytes) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), 3);
    return {hash.low64, hash.high64};
}

}  // namespace

TEST_CASE("narrow fingerprints miss differences as often as the report would say") {
    const auto [bits, each] = GENERATE(table<int, int>({{12, 10}, {16, 40}, {20, 160}}));
    CAPTURE(bits, each);
    std::mt19937_64 random{static_cast<std::uint64_t>(bits)};
    constexpr int audits = 2000;
    int missed = 0;
    for (int number = 0; number < audits; ++number) missed += misses(random, bits, each) ? 1 : 0;
    const double odds = audit::odds_of_a_miss(2 * static_cast<std::uint64_t>(each), bits);
    // About 48 of 2,000, give or take 7: four of these.
    const double expected = audits * odds;
    CAPTURE(missed, expected);
    REQUIRE(missed < expected + 4 * std::sqrt(expected));
    REQUIRE(missed > 0.75 * expected - 4 * std::sqrt(expected));
}

TEST_CASE("the odds of a miss are a probability, whatever the number of differences") {
    REQUIRE(audit::odds_of_a_miss(0, 72) == std::ldexp(1.0, -72));
    REQUIRE(audit::odds_of_a_miss(2'000'000, 72) == Approx(1.000002e12 * std::ldexp(1.0, -72)));
    REQUIRE(audit::odds_of_a_miss(UINT64_MAX, 8) == 1);
}

TEST_CASE("entries of one fingerprint that differ do not cancel in a sketch") {
    std::mt19937_64 random{2};
    for (int round = 0; round < 20; ++round) {
        audit::LadderSketch sketch{3, 64};
        const std::string base = "base " + std::to_string(random());
        sketch.add(Side::base, fingerprint_of(base), base);
        sketch.add(Side::index, fingerprint_of(base), "index " + std::to_string(random()));
        REQUIRE_FALSE(sketch.decode().complete);
    }
}

TEST_CASE("a sketch at the edge of what it holds is whole or says that it is not") {
    int whole = 0;
    constexpr int rounds = 24;
    for (int round = 0; round < rounds; ++round) {
        std::mt19937_64 random{static_cast<std::uint64_t>(round)};
        const std::size_t differing = 9'000 + random() % 5'000;
        audit::LadderSketch sketch{3, 64};
        std::set<std::string> expected;
        for (std::size_t number = 0; number < differing; ++number) {
            const std::string bytes = std::to_string(random());
            sketch.add(number % 2 == 0 ? Side::base : Side::index, fingerprint_of(bytes), bytes);
            expected.insert(bytes);
        }
        const auto difference = sketch.decode();
        std::set<std::string> found;
        for (const audit::PeeledEntry& entry : difference.entries) found.insert(entry.bytes);
        CAPTURE(round, differing, found.size());
        REQUIRE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
        REQUIRE(difference.complete == (found == expected));
        whole += difference.complete ? 1 : 0;
    }
    REQUIRE(whole > 0);
    REQUIRE(whole < rounds);
}

TEST_CASE("cells with counts that no entries add up to are never complete") {
    const std::string path = std::filesystem::temp_directory_path().string() +
                             "/idxfsck-chance-" + std::to_string(::getpid());
    std::mt19937_64 random{6};
    for (int round = 0; round < 6; ++round) {
        {
            audit::StateWriter writer{path};
            writer.number(8);
            for (std::size_t cell = 0; cell < audit::sketch_cells_count; ++cell) {
                std::array<std::uint64_t, 8> words{};
                // A few cells, or all of them, look as if they held one entry each.
                if (round % 2 == 1 || cell % 5000 == 0) {
                    for (std::uint64_t& word : words) word = random();
                    words[0] = round < 3 ? 1 : ~std::uint64_t{0};
                    words[1] = (words[1] & ~std::uint64_t{0xffffffff}) | (1 << 20) | 16;
                }
                writer.words(words);
            }
            const std::vector<std::uint64_t> levels(audit::sketch_cells_count * 4 * 4);
            writer.words(levels);
            writer.commit();
        }
        audit::StateReader reader{path};
        audit::LadderSketch sketch{3, 64};
        sketch.load(reader);
        const auto difference = sketch.decode();
        REQUIRE_FALSE(difference.complete);
        REQUIRE(difference.entries.empty());
    }
    std::filesystem::remove(path);
}
