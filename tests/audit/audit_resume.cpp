// An audit that is stopped anywhere, any number of times, finds what an undisturbed one finds.
//
// Promised: no row is counted twice and none is missed; keys may hold any bytes; a checkpoint of
// another audit, or a damaged one, is refused. Method: stop after every number of questions whether
// to stop, resume until it is done, compare findings and counts.

#include <atomic>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "store/error.hpp"
#include "tests/audit/emails.hpp"

using namespace idxfsck;
using audit::EngineChoice;
using tests::row_of;
using tests::text;

namespace {

const std::string spec_text = tests::email_spec + R"(
[[index]]
name = "handle"
of = "user"
store = "main"
table = "Handles"
key = { K = "{Handle}" }
unique = true
)";

// A folder that goes with the test.
struct Folder {
    std::string path = (std::filesystem::temp_directory_path() / "idxfsck-resume-XXXXXX").string();
    Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
    ~Folder() { std::filesystem::remove_all(path); }
};

void fill(store::MemoryStore& store) {
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    store.create_table({"Handles", {"K"}});
    for (int number = 0; number < 5'000; ++number) {
        // Zero bytes and bytes that are no text: positions in the checkpoint must not mind.
        const std::string id = std::string("\0\xff\n", 3) + std::to_string(number);
        const std::string mail = std::to_string(number) + "@x";
        store.put("Users", row_of({id}, {text("Email", mail), text("Handle", "h" + mail)}));
        if (number % 900 != 0) store.put("Index", row_of({mail}, {text("UserId", id)}));
        if (number % 1100 != 0) store.put("Handles", row_of({"h" + mail}, {}));
    }
    store.put("Index", row_of({"stale"}, {text("UserId", "nobody")}));
    store.put("Handles", row_of({"stale"}, {}));
}

// The tables, and where an audit of them keeps its checkpoint.
struct World {
    Folder folder;
    std::string file = folder.path + "/checkpoint";
    audit::Spec spec = tests::spec_of(spec_text);
    store::MemoryStore store;
    tests::TestClock clock;

    explicit World(bool snapshot = true) : store{tests::with_snapshot(snapshot)} { fill(store); }

    audit::AuditResult run(const audit::AuditOptions& options) {
        return audit::run_audit(spec, {{"main", &store}}, clock, options);
    }
};

audit::AuditOptions options_of(const std::string& file, EngineChoice engine) {
    audit::AuditOptions options;
    options.threads = 2;
    options.partitions = 3;
    options.seed = 7;
    options.engine = engine;
    options.checkpoint_file = file;
    return options;
}

}  // namespace

TEST_CASE("an audit stopped again and again finds what an undisturbed one finds") {
    const bool snapshot = GENERATE(true, false);
    const auto engine =
        GENERATE(EngineChoice::automatic, EngineChoice::exact, EngineChoice::one_pass);
    const int patience = GENERATE(1, 2, 3, 4);
    CAPTURE(snapshot, patience);
    World world{snapshot};
    const auto whole = world.run(options_of("", engine));
    REQUIRE(whole.findings.size() == 6 + 5 + 2);

    audit::AuditOptions options = options_of(world.file, engine);
    audit::AuditResult result;
    int stops = 0;
    for (;;) {
        std::atomic<int> asked{0};
        options.stop_requested = [&] { return ++asked > patience * 4; };
        result = world.run(options);
        if (!std::filesystem::exists(world.file)) break;
        REQUIRE(result.verdict() == audit::Verdict::could_not_tell);
        options.resume = true;
        REQUIRE(++stops < 1000);
    }
    REQUIRE(stops > 0);
    REQUIRE(result.findings == whole.findings);
    for (std::size_t table = 0; table < 3; ++table) {
        CHECK(result.coverage.tables[table].rows == whole.coverage.tables[table].rows);
        CHECK(result.coverage.tables[table].partitions_read ==
              whole.coverage.tables[table].partitions);
    }
    for (std::size_t index = 0; index < 2; ++index) {
        const audit::IndexCoverage& resumed = result.coverage.indexes[index];
        CHECK(resumed.entries_expected == whole.coverage.indexes[index].entries_expected);
        CHECK(resumed.entries_held == whole.coverage.indexes[index].entries_held);
    }
    REQUIRE(result.verdict() == audit::Verdict::drift);
}

TEST_CASE("a result that cannot be kept leaves the checkpoint to go on from") {
    World world;
    audit::AuditOptions options = options_of(world.file, EngineChoice::automatic);
    std::atomic<int> asked{0};
    options.stop_requested = [&] { return ++asked > 8; };
    world.run(options);
    REQUIRE(std::filesystem::exists(world.file));

    options.stop_requested = {};
    options.resume = true;
    std::size_t findings = 0;
    options.keep = [&](audit::AuditResult& result) {
        findings = result.findings.size();
        throw store::Error{"no space left on device"};
    };
    REQUIRE_THROWS_AS(world.run(options), store::Error);
    REQUIRE(findings == 6 + 5 + 2);
    REQUIRE(std::filesystem::exists(world.file));

    options.keep = [&](audit::AuditResult& result) { result.findings.pop_back(); };
    const auto result = world.run(options);
    REQUIRE(result.findings.size() == findings - 1);
    REQUIRE(!std::filesystem::exists(world.file));
}

TEST_CASE("checkpoints that are written on the way change nothing") {
    World world;
    const auto whole = world.run(options_of("", EngineChoice::automatic));
    // A clock that moves on with every look makes a checkpoint due at every page.
    class RunningClock : public audit::Clock {
    public:
        std::int64_t now_ms() const override { return now_ms_ += 10; }
        void wait_until(std::int64_t ms) override { now_ms_ = std::max(now_ms_.load(), ms); }

    private:
        mutable std::atomic<std::int64_t> now_ms_{0};
    } running;
    audit::AuditOptions options = options_of(world.file, EngineChoice::automatic);
    options.checkpoint_every_ms = 1;
    const auto result = audit::run_audit(world.spec, {{"main", &world.store}}, running, options);
    REQUIRE(result.findings == whole.findings);
    REQUIRE(result.coverage.snapshot);
    REQUIRE_FALSE(std::filesystem::exists(world.file));
}

TEST_CASE("a checkpoint of another audit, or a damaged one, is refused") {
    World world;
    audit::AuditOptions options = options_of(world.file, EngineChoice::automatic);
    options.stop_requested = [] { return true; };
    world.run(options);
    REQUIRE(std::filesystem::exists(world.file));
    options.stop_requested = {};
    options.resume = true;

    SECTION("of another spec") {
        const audit::Spec other = tests::spec_of(spec_text + "\n# another\n");
        REQUIRE_THROWS_WITH(
            audit::run_audit(other, {{"main", &world.store}}, world.clock, options),
            Catch::Contains("differs=spec"));
    }
    SECTION("of another store") {
        store::MemoryStore other{tests::with_snapshot(true), "elsewhere"};
        fill(other);
        REQUIRE_THROWS_WITH(
            audit::run_audit(world.spec, {{"main", &other}}, world.clock, options),
            Catch::Contains("differs=store"));
    }
    SECTION("of other indexes") {
        options.only = {"email"};
        REQUIRE_THROWS_WITH(world.run(options), Catch::Contains("differs=choice of indexes"));
    }
    SECTION("with one byte changed, anywhere") {
        const auto size = std::filesystem::file_size(world.file);
        for (std::uintmax_t place = 0; place < size; place += size / 40 + 1) {
            std::fstream stream{world.file, std::ios::in | std::ios::out | std::ios::binary};
            stream.seekg(static_cast<std::streamoff>(place));
            const int byte = stream.get();
            stream.seekp(static_cast<std::streamoff>(place));
            stream.put(static_cast<char>(byte ^ 1));
            stream.close();
            CAPTURE(place);
            REQUIRE_THROWS_AS(world.run(options), store::Error);
            stream.open(world.file, std::ios::in | std::ios::out | std::ios::binary);
            stream.seekp(static_cast<std::streamoff>(place));
            stream.put(static_cast<char>(byte));
        }
    }
    SECTION("cut short") {
        std::filesystem::resize_file(world.file, std::filesystem::file_size(world.file) / 2);
        REQUIRE_THROWS_AS(world.run(options), store::Error);
    }
}
