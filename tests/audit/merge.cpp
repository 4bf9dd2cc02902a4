// Which sketches make one audit, and which do not.
//
// Promised: shares that are missing or overlap, and sketches of other parameters, specs, stores or
// versions are refused by name; of several contents of a share one is kept by a rule that the order
// does not change. Method: small worlds of users and their e-mails, and the words of the refusals.

#include <fstream>

#include <catch2/catch.hpp>

#include "audit/share_set.hpp"
#include "tests/audit/shares.hpp"

using namespace idxfsck;
using Catch::Contains;
using tests::email_spec;
using tests::fill_emails;
using tests::four_partitions;
using tests::id_of;
using tests::put_entry;

namespace {

// 20 users, two of them without an entry; 8 partitions in all.
struct World {
    audit::Spec spec = tests::spec_of(email_spec);
    store::MemoryStore store{tests::with_snapshot(true)};
    tests::TestClock clock;
    std::optional<tests::Shares> shares;

    World() {
        fill_emails(store, 20, 10);
        shares.emplace(spec, store, clock, four_partitions());
    }
};

}  // namespace

TEST_CASE("shares that are missing are named") {
    World world;
    const auto files = world.shares->scan_all(3);
    REQUIRE(world.shares->merge(files).findings.size() == 2);
    REQUIRE_THROWS_WITH(world.shares->merge({files[1]}), Contains("missing=\"1/3, 3/3\"") ||
                                                             Contains("missing=1/3, 3/3"));
    REQUIRE_THROWS_WITH(world.shares->merge({files[0], files[1]}), Contains("missing=3/3"));
    // Where shares are of different sizes, only the parts have names.
    const std::string half = world.shares->scan({1, 2});
    const std::string quarter = world.shares->scan({2, 4});
    REQUIRE_THROWS_WITH(world.shares->merge({half, quarter}),
                        Contains("parts of tables are missing") && Contains("Users"));
    const auto result =
        world.shares->merge({world.shares->scan({4, 4}), quarter, half});
    REQUIRE(result.findings.size() == 2);
}

TEST_CASE("shares without any partition are no gap, and need not be there") {
    World world;
    auto files = world.shares->scan_all(11);
    REQUIRE(world.shares->merge(files).findings.size() == 2);
    files.resize(8);
    REQUIRE(world.shares->merge(files).findings.size() == 2);
    files.resize(7);
    REQUIRE_THROWS_WITH(world.shares->merge(files), Contains("missing=8/11"));
}

TEST_CASE("a share is written as its number and how many there are") {
    REQUIRE(audit::read_share("3/8") == audit::Share{3, 8});
    REQUIRE(audit::read_share("1/1") == audit::Share{1, 1});
    REQUIRE(audit::share_name({3, 8}) == "3/8");
    for (const char* text : {"", "/", "3", "3/", "/8", "0/8", "9/8", "-1/8", "3/8/2", " 3/8",
                             "3/8 ", "3/ 8", "+3/8", "0x3/8", "3/18446744073709551616"}) {
        CAPTURE(text);
        REQUIRE_FALSE(audit::read_share(text).has_value());
    }
}

TEST_CASE("shares that overlap are refused by name") {
    World world;
    auto files = world.shares->scan_all(2);
    files.push_back(world.shares->scan({2, 4}));
    REQUIRE_THROWS_WITH(world.shares->merge(files),
                        Contains("overlap") && Contains("2/2") && Contains("2/4") &&
                            Contains(files[1]) && Contains(files[2]));
}

TEST_CASE("sketches of other parameters are refused, and what differs is named") {
    World world;
    std::vector<std::string> files{world.shares->scan({1, 2})};
    audit::SketchParameters& parameters = world.shares->parameters();
    std::string differs;
    SECTION("another seed") {
        parameters.head.seed = 8;
        differs = "differs=seed";
    }
    SECTION("another moment") {
        parameters.head.now_ms += 1;
        differs = "moment (now)";
    }
    SECTION("another engine") {
        parameters.head.engines[0].sketch_cell_size = 0;
        differs = "differs=engines";
    }
    SECTION("another choice of indexes") {
        parameters.head.only = {"email"};
        differs = "choice of indexes";
    }
    SECTION("another cut") {
        std::swap(parameters.tables[0].partitions[0], parameters.tables[0].partitions[1]);
        differs = "differs=partitions";
    }
    SECTION("the same, made at another time") {
        parameters.head.begin_ms += 1;
        differs = "time at which the parameters were made";
    }
    files.push_back(world.shares->scan({2, 2}));
    REQUIRE_THROWS_WITH(world.shares->merge(files),
                        Contains(differs) && Contains(files[0]) && Contains(files[1]));
}

TEST_CASE("parameters and sketches of another spec, store or version are refused") {
    World world;
    const auto files = world.shares->scan_all(2);
    audit::SketchParameters& parameters = world.shares->parameters();
    const audit::Spec other_spec = tests::spec_of(email_spec + "\n# another\n");
    store::MemoryStore other_store{tests::with_snapshot(true), "elsewhere"};
    fill_emails(other_store, 20, 10);
    SECTION("a share") {
        parameters.version = "0.0.0";
        REQUIRE_THROWS_WITH(world.shares->scan({1, 2}), Contains("version of idxfsck"));
        parameters.version = IDXFSCK_VERSION;
        parameters.head.spec_digest = "other";
        REQUIRE_THROWS_WITH(world.shares->scan({1, 2}), Contains("differs=spec"));
    }
    SECTION("a merge, another spec") {
        REQUIRE_THROWS_WITH(
            audit::run_merge(other_spec, {{"main", &world.store}}, world.clock, {}, files),
            Contains("differs=spec") && Contains(files[0]));
    }
    SECTION("a merge, another store") {
        REQUIRE_THROWS_WITH(
            audit::run_merge(world.spec, {{"main", &other_store}}, world.clock, {}, files),
            Contains("differs=store"));
    }
}

TEST_CASE("a sketch that is damaged, cut or none is refused by its name") {
    World world;
    const auto files = world.shares->scan_all(2);
    const auto size = std::filesystem::file_size(files[1]);
    SECTION("one byte changed") {
        for (const std::uintmax_t place : {std::uintmax_t{0}, std::uintmax_t{40}, size / 2,
                                           size - 40, size - 1}) {
            std::fstream stream{files[1], std::ios::in | std::ios::out | std::ios::binary};
            stream.seekg(static_cast<std::streamoff>(place));
            const int byte = stream.get();
            stream.seekp(static_cast<std::streamoff>(place));
            stream.put(static_cast<char>(byte ^ 1));
            stream.close();
            CAPTURE(place);
            REQUIRE_THROWS_WITH(world.shares->merge(files), Contains(files[1]));
            stream.open(files[1], std::ios::in | std::ios::out | std::ios::binary);
            stream.seekp(static_cast<std::streamoff>(place));
            stream.put(static_cast<char>(byte));
        }
        REQUIRE(world.shares->merge(files).findings.size() == 2);
    }
    SECTION("cut") {
        for (const std::uintmax_t left : {size - 1, size / 2, std::uintmax_t{31},
                                          std::uintmax_t{0}}) {
            std::filesystem::resize_file(files[1], left);
            REQUIRE_THROWS_WITH(world.shares->merge(files), Contains(files[1]));
        }
    }
    SECTION("a file of parameters") {
        const std::string file = world.shares->path("parameters");
        audit::save_sketch_parameters(file, world.shares->parameters());
        REQUIRE(audit::load_sketch_parameters(file) == world.shares->parameters());
        REQUIRE_THROWS_WITH(world.shares->merge({file}), Contains("no sketch") && Contains(file));
        REQUIRE_THROWS_WITH(audit::load_sketch_parameters(files[0]), Contains(files[0]));
    }
}

TEST_CASE("of a share that is there with two contents one is kept, whatever the order") {
    World world;
    auto files = world.shares->scan_all(2);
    // The application mends what was missing, and somebody scans one share again.
    put_entry(world.store, id_of(0) + "@x", id_of(0));
    world.store.refresh();
    world.clock.wait_until(world.clock.now_ms() + 1000);
    files.push_back(world.shares->scan({1, 2}));
    files.push_back(world.shares->scan({2, 2}));
    const auto heads = audit::collect_shares(world.spec.digest, files);
    REQUIRE(heads.shares.at({1, 2}).contents.size() +
                heads.shares.at({2, 2}).contents.size() == 3);
    std::string first;
    std::sort(files.begin(), files.end());
    do {
        const auto kept = audit::collect_shares(world.spec.digest, files);
        std::string names;
        for (const auto& [share, sketch] : kept.shares) names += sketch.file + " ";
        if (first.empty()) first = names;
        // The latest, in both shares.
        REQUIRE(names == world.shares->path("sketch-2") + " " + world.shares->path("sketch-3") +
                             " ");
    } while (std::next_permutation(files.begin(), files.end()));
    const auto result = world.shares->merge(files);
    REQUIRE(tests::words(result) ==
            std::set<std::string>{"orphaned_write/entry_missing email u000010@x -> u000010"});
    REQUIRE(result.coverage.shares[0].contents + result.coverage.shares[1].contents == 3);
}

TEST_CASE("the window of a merged audit is that of its shares, by whatever clock") {
    World world;
    const std::int64_t begin_ms = world.clock.now_ms();
    std::vector<std::string> files{world.shares->scan({1, 2})};
    // A machine whose clock is a day ahead: nobody waits for it.
    tests::TestClock here;
    world.clock.wait_until(begin_ms + 86'400'000);
    files.push_back(world.shares->scan({2, 2}));
    const auto result =
        audit::run_merge(world.spec, {{"main", &world.store}}, here, {}, files);
    REQUIRE(result.coverage.begin_ms == begin_ms);
    REQUIRE(result.coverage.end_ms == begin_ms + 2000);
    REQUIRE(result.coverage.shares[1].begin_ms == begin_ms + 86'400'000);
}
