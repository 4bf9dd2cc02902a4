// The engines agree, and the sketch gives way to the exact one when more differs than it can hold.

#include <atomic>

#include <catch2/catch.hpp>

#include "tests/audit/emails.hpp"

using namespace idxfsck;
using audit::EngineChoice;
using tests::row_of;
using tests::text;

namespace {

const std::string spec_text = tests::email_spec + "copies = { Note = \"{Note}\" }\n";

// Users, of whom the first ones have no entry, and stale entries of users that are gone.
void fill(store::MemoryStore& store, int users, int missing, int stale) {
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    for (int number = 0; number < users + stale; ++number) {
        const std::string id = "u" + std::to_string(number);
        // Some entries are longer than a cell of the sketch.
        const store::NamedValue note = text("Note", std::string(number % 50 == 0 ? 300 : 5, 'n'));
        if (number < users) store.put("Users", row_of({id}, {text("Email", id + "@x"), note}));
        if (number >= missing) store.put("Index", row_of({id + "@x"}, {text("UserId", id), note}));
    }
}

}  // namespace

TEST_CASE("sketch and exact engine give the same findings, whatever the drift") {
    const bool snapshot = GENERATE(true, false);
    const int missing = GENERATE(0, 3, 200, 9'000);
    CAPTURE(snapshot, missing);
    store::MemoryStore store{tests::with_snapshot(snapshot)};
    fill(store, 10'000, missing, missing / 2);
    tests::TestClock clock;
    const audit::Spec spec = tests::spec_of(spec_text);
    const auto exact = tests::audit_of(spec, store, clock, 2, 4, EngineChoice::exact);
    const auto sketch = tests::audit_of(spec, store, clock, 2, 4, EngineChoice::automatic);
    REQUIRE(exact.findings.size() == static_cast<std::size_t>(missing + missing / 2));
    REQUIRE(sketch.findings == exact.findings);
    REQUIRE(exact.coverage.indexes[0].engine == "exact");
    // 13,500 differences are more than 15,000 cells can give back.
    REQUIRE(sketch.coverage.indexes[0].engine == (missing < 9'000 ? "sketch" : "exact"));
    REQUIRE(sketch.coverage.indexes[0].engine_reason ==
            (missing < 9'000 ? "" : "more differed than a small sketch holds"));
    REQUIRE(sketch.coverage.indexes[0].differences_estimate == 0);
    REQUIRE(sketch.coverage.whole());
    REQUIRE(sketch.coverage.tables[0].rows == exact.coverage.tables[0].rows);
    REQUIRE(sketch.coverage.indexes[0].entries_held == exact.coverage.indexes[0].entries_held);
}

TEST_CASE("a large partition is cut again while it runs, and every row still counts once") {
    // Counts how often the rest of a partition was cut.
    class CountingStore : public store::MemoryStore {
    public:
        using MemoryStore::MemoryStore;

        std::vector<store::Partition> split_rest(store::BytesView table,
                                                 const store::Partition& partition,
                                                 const store::Position& position) const override {
            ++cuts;
            return MemoryStore::split_rest(table, partition, position);
        }

        mutable std::atomic<int> cuts{0};
    };
    CountingStore store{tests::with_snapshot(true)};
    fill(store, 40'000, 5, 5);
    tests::TestClock clock;
    const audit::Spec spec = tests::spec_of(spec_text);
    const auto result = tests::audit_of(spec, store, clock, 4, 1);
    REQUIRE(store.cuts > 0);
    REQUIRE(result.findings.size() == 10);
    REQUIRE(result.coverage.tables[0].rows + result.coverage.tables[1].rows == 80'000);
    REQUIRE(result.coverage.tables[0].partitions == 1);
    REQUIRE(result.coverage.tables[0].partitions_read == 1);
}

TEST_CASE("an entry without a pointer is reconciled exactly, whatever was asked") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store, 50, 2, 3);
    std::string text = spec_text;
    text.erase(text.find("pointer"), text.find("copies") - text.find("pointer"));
    tests::TestClock clock;
    const auto result =
        tests::audit_of(tests::spec_of(text), store, clock, 1, 1, EngineChoice::sketch);
    REQUIRE(result.coverage.indexes[0].engine == "exact");
    REQUIRE(result.findings.size() == 5);
}

TEST_CASE("auto picks an engine for each index and says why") {
    store::Capabilities capabilities = tests::with_snapshot(true);
    capabilities.metered = GENERATE(false, true);
    const auto choice = GENERATE(EngineChoice::automatic, EngineChoice::exact,
                                 EngineChoice::sketch, EngineChoice::one_pass);
    CAPTURE(capabilities.metered, static_cast<int>(choice));
    store::MemoryStore store{capabilities};
    fill(store, 20, 1, 1);
    const std::string pointer = "pointer = { UserId = \"{UserId}\" }\n";
    std::string many = spec_text;
    many.erase(many.find(pointer), pointer.size());
    const std::string lossy = spec_text + "lossy = true\n";
    tests::TestClock clock;
    const auto told = [&](const std::string& text) {
        const auto result = tests::audit_of(tests::spec_of(text), store, clock, 1, 1, choice);
        const audit::IndexCoverage& index = result.coverage.indexes[0];
        return index.engine + ": " + index.engine_reason;
    };
    if (choice == EngineChoice::exact) {
        CHECK(told(spec_text) == "exact: asked for");
        CHECK(told(many) == "exact: asked for");
        return;
    }
    CHECK(told(many) == "exact: its entries name no base row");
    CHECK(told(lossy) == "exact: it is lossy");
    if (capabilities.metered) {
        CHECK(told(spec_text) == "one-pass: the store is metered");
    } else if (choice == EngineChoice::one_pass) {
        CHECK(told(spec_text) == "one-pass: asked for");
    } else {
        CHECK(told(spec_text) ==
              (choice == EngineChoice::sketch ? "sketch: asked for" : "sketch: "));
    }
}

TEST_CASE("where the sketches would take half of the memory, the exact engine is taken") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store, 20, 1, 1);
    tests::TestClock clock;
    audit::AuditOptions options;
    options.threads = 4;
    options.memory_bytes_max = 16 << 20;
    const auto result =
        audit::run_audit(tests::spec_of(spec_text), {{"main", &store}}, clock, options);
    REQUIRE(result.coverage.indexes[0].engine == "exact");
    REQUIRE(result.coverage.indexes[0].engine_reason ==
            "its sketches would take half of the memory");
    REQUIRE(result.findings.size() == 2);
}
