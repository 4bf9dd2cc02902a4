// The exact reconciler finds what stands on one side only, or oftener on one side than on the
// other.
//
// Promised: the result is that of the plainest count, whatever the counting rule, the number of
// lanes, and whether records lie in memory or on disk. Method: random collections of few distinct
// fingerprints, counted by a map.

#include <algorithm>
#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "audit/exact_reconciler.hpp"
#include "audit/reconcile_pass.hpp"
#include "store/error.hpp"

using namespace idxfsck;
using audit::Counting;
using audit::Side;

namespace {

struct Item {
    Side side;
    audit::Fingerprint fingerprint;
    std::uint64_t place;
};

std::vector<Item> random_items(std::uint64_t seed, std::size_t count, std::uint64_t distinct) {
    std::mt19937_64 random{seed};
    std::vector<audit::Fingerprint> fingerprints;
    for (std::uint64_t number = 0; number < distinct; ++number) {
        fingerprints.push_back({random(), random()});
    }
    std::vector<Item> items;
    for (std::size_t place = 0; place < count; ++place) {
        items.push_back({random() % 2 == 0 ? Side::base : Side::index,
                         fingerprints[random() % distinct], place});
    }
    return items;
}

bool agrees(std::size_t base, std::size_t index, Side side, Counting counting) {
    if (counting == Counting::multiset) return base == index;
    if (base == 0 || index == 0) return false;
    return side == Side::index || counting == Counting::set || base == 1;
}

std::vector<audit::Unmatched> counted(const std::vector<Item>& items, Counting counting) {
    std::map<audit::Fingerprint, std::pair<std::size_t, std::size_t>> counts;
    for (const Item& item : items) {
        auto& [base, index] = counts[item.fingerprint];
        ++(item.side == Side::base ? base : index);
    }
    std::vector<audit::Unmatched> result;
    for (const Item& item : items) {
        const auto& [base, index] = counts[item.fingerprint];
        if (agrees(base, index, item.side, counting)) continue;
        result.push_back({item.side, {item.place}, item.fingerprint.low, {}});
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<audit::Unmatched> reconciled(const std::vector<Item>& items, Counting counting,
                                         std::size_t lanes_count, audit::MemoryBudget& budget,
                                         const std::string& spill) {
    audit::ExactReconciler reconciler{counting, budget, spill};
    std::vector<audit::Lane*> lanes;
    for (std::size_t lane = 0; lane < lanes_count; ++lane) lanes.push_back(&reconciler.lane());
    for (const Item& item : items) {
        lanes[item.place % lanes_count]->add(item.side, item.fingerprint, {item.place}, "");
    }
    const auto pool = audit::make_serial_pool();
    const auto differences = audit::run_reconcile_pass({&reconciler}, *pool, budget).front();
    std::vector<audit::Unmatched> result;
    for (std::size_t position = 0; position < differences.placed_count(); ++position) {
        const audit::Wanted wanted = differences.placed(position, 0);
        result.push_back({wanted.side, wanted.place, wanted.mark, {}});
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

TEST_CASE("the exact reconciler counts as a map does, under every rule and number of lanes") {
    const auto counting = GENERATE(Counting::multiset, Counting::set, Counting::set_unique);
    const std::size_t lanes = GENERATE(1U, 2U, 7U);
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const std::uint64_t distinct = GENERATE(1U, 40U, 3000U);
    CAPTURE(seed, lanes, distinct);
    audit::MemoryBudget budget{512 << 20};
    const auto items = random_items(seed, 5000, distinct);
    REQUIRE(reconciled(items, counting, lanes, budget, "") == counted(items, counting));
}

TEST_CASE("records that go over the memory budget are matched from disk with the same result") {
    audit::MemoryBudget budget{1 << 20};
    const auto items = random_items(11, 1'500'000, 700'000);
    const auto found = reconciled(items, Counting::multiset, 2, budget, "/tmp");
    REQUIRE(found == counted(items, Counting::multiset));
}

TEST_CASE("where neither memory nor disk can take more, a fair sample is kept, and said so") {
    const std::string spill = GENERATE("", "/no/such/folder");
    const std::size_t lanes = GENERATE(1U, 3U);
    CAPTURE(spill, lanes);
    audit::MemoryBudget budget{4 << 20};
    const auto items = random_items(12, 1'500'000, 1'500'000);
    audit::ExactReconciler reconciler{Counting::multiset, budget, spill};
    std::vector<audit::Lane*> open;
    for (std::size_t lane = 0; lane < lanes; ++lane) open.push_back(&reconciler.lane());
    for (const Item& item : items) {
        open[item.place % lanes]->add(item.side, item.fingerprint, {item.place}, "");
    }
    reconciler.close();
    std::vector<audit::Unmatched> sample;
    for (std::size_t part = 0; part < reconciler.parts_count(); ++part) {
        const auto unmatched = reconciler.unmatched(part);
        sample.insert(sample.end(), unmatched.begin(), unmatched.end());
    }
    std::sort(sample.begin(), sample.end());
    const auto all = counted(items, Counting::multiset);
    REQUIRE(reconciler.exhausted());
    REQUIRE(reconciler.miss_probability(sample.size()) == 1);
    REQUIRE(sample.size() > 10'000);
    REQUIRE(sample.size() < all.size());
    REQUIRE(std::includes(all.begin(), all.end(), sample.begin(), sample.end()));
    // Places of one entry come together, so that its error is a little more than that of a count.
    REQUIRE(reconciler.differences_estimate() ==
            Approx(static_cast<double>(all.size())).epsilon(6 * reconciler.differences_error()));
}

TEST_CASE("the odds of a missed difference grow with the differences and stay tiny") {
    audit::MemoryBudget budget{1 << 20};
    const audit::ExactReconciler reconciler{Counting::multiset, budget, ""};
    REQUIRE(reconciler.miss_probability(0) > 0);
    REQUIRE(reconciler.miss_probability(100'000) < 1e-11);
    REQUIRE(reconciler.miss_probability(100'000) > reconciler.miss_probability(10));
}
