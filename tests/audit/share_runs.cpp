// What an audit in shares makes of gaps, moves, clocks, stops and too much drift.
//
// Promised: gaps stay gaps, those that one process would name; what moves between shares accuses
// nobody; more drift than a sketch can hold is scanned again; a share that is stopped goes on to
// the same sketch. Method: small worlds of users and their e-mails, in stores that fail or move.

#include <atomic>

#include <catch2/catch.hpp>

#include "audit/sketch_file.hpp"
#include "tests/audit/shares.hpp"

using namespace idxfsck;
using Catch::Contains;
using tests::email_spec;
using tests::fill_emails;
using tests::four_partitions;
using tests::id_of;
using tests::put_entry;
using tests::put_user;
using tests::row_of;

namespace {

// A store of which a part cannot be read for a while.
class BrokenStore : public store::MemoryStore {
public:
    using MemoryStore::MemoryStore;

    store::ScanEnd scan(store::BytesView table, const store::Partition& partition,
                        const store::ScanOptions& options, store::RowSink& sink) const override {
        if (broken && table == "Users" && (token.empty() || partition.token == token)) {
            throw store::Error{"the disk is on fire"};
        }
        return MemoryStore::scan(table, partition, options, sink);
    }

    bool broken = false;
    store::Bytes token;  // of the one partition; empty: of all
};

}  // namespace

TEST_CASE("a gap of a share stays a gap, and a sketch without one is preferred") {
    const audit::Spec spec = tests::spec_of(email_spec);
    BrokenStore store{tests::with_snapshot(false)};
    fill_emails(store, 20, 10);
    tests::TestClock clock;
    tests::Shares shares{spec, store, clock, four_partitions()};
    store.token = shares.parameters().tables[0].partitions[1].token;
    const std::vector<std::string> sound = shares.scan_all(2);
    clock.wait_until(clock.now_ms() + 1000);
    store.broken = true;
    const std::vector<std::string> later = shares.scan_all(2);
    store.broken = false;

    const auto result = shares.merge(later);
    REQUIRE(result.verdict() == audit::Verdict::could_not_tell);
    REQUIRE(result.coverage.gaps.size() == 1);
    REQUIRE(result.coverage.gaps[0].table == "Users");
    REQUIRE_THAT(result.coverage.gaps[0].cause, Contains("on fire"));
    REQUIRE(result.coverage.tables[0].partitions_read == 3);

    std::vector<std::string> all = later;
    all.insert(all.end(), sound.begin(), sound.end());
    const auto whole = shares.merge(all);
    REQUIRE(whole.coverage.whole());
    REQUIRE(whole.findings.size() == 2);
}

TEST_CASE("a gap is the one that an audit in one process would name") {
    const audit::Spec spec = tests::spec_of(email_spec);
    BrokenStore store{tests::with_snapshot(false)};
    fill_emails(store, 20, 10);
    tests::TestClock clock;
    tests::Shares shares{spec, store, clock, four_partitions()};
    store.token = shares.parameters().tables[0].partitions[2].token;
    store.broken = true;
    const auto files = shares.scan_all(3);
    const auto whole = audit::run_audit(spec, {{"main", &store}}, clock, four_partitions());
    REQUIRE(tests::bytes_without_times(shares.merge(files)) == tests::bytes_without_times(whole));
}

TEST_CASE("what the application moves from share to share accuses nobody") {
    const audit::Spec spec = tests::spec_of(email_spec);
    store::MemoryStore store{tests::with_snapshot(false)};
    fill_emails(store, 20, 100);
    put_entry(store, id_of(0) + "@x", id_of(0));
    tests::TestClock clock;
    tests::Shares shares{spec, store, clock, four_partitions()};
    std::vector<std::string> files{shares.scan({1, 2})};
    for (int number = 0; number < 20; number += 3) {
        store.erase("Index", {store::Value::text(id_of(number) + "@x")});
        put_user(store, id_of(number), id_of(19 - number) + "@new");
        put_entry(store, id_of(19 - number) + "@new", id_of(number));
    }
    files.push_back(shares.scan({2, 2}));
    const auto result = shares.merge(files);
    REQUIRE(result.findings.empty());
    REQUIRE(result.coverage.indexes[0].settled > 0);
    REQUIRE(result.verdict() == audit::Verdict::consistent);
}

TEST_CASE("more drift than the sketches hold together is scanned again") {
    const audit::Spec spec = tests::spec_of(email_spec);
    store::MemoryStore store{tests::with_snapshot(true)};
    fill_emails(store, 30'000, 2);
    tests::TestClock clock;
    tests::Shares shares{spec, store, clock, four_partitions()};
    const auto result = shares.merge(shares.scan_all(2, 2), 2);
    REQUIRE(result.findings.size() == 15'000);
    REQUIRE(result.coverage.whole());
    REQUIRE(result.coverage.indexes[0].engine != "");
    REQUIRE(result.coverage.indexes[0].entries_expected == 30'000);
}

TEST_CASE("sketches of the exact engine that are larger than the memory are merged on disk") {
    const audit::Spec spec = tests::spec_of(email_spec);
    store::MemoryStore store{tests::with_snapshot(true)};
    fill_emails(store, 30'000, 1'000);
    tests::TestClock clock;
    audit::AuditOptions options = four_partitions();
    options.engine = audit::EngineChoice::exact;
    tests::Shares shares{spec, store, clock, options};
    const auto files = shares.scan_all(3, 2);
    audit::AuditOptions small;
    small.memory_bytes_max = 100'000;
    // Without disk a part of the records must do, and that is no answer.
    const auto part = audit::run_merge(spec, {{"main", &store}}, clock, small, files);
    REQUIRE(part.verdict() == audit::Verdict::could_not_tell);
    REQUIRE(part.coverage.indexes[0].miss_probability == 1);
    small.spill_directory = shares.path("");
    const auto result = audit::run_merge(spec, {{"main", &store}}, clock, small, files);
    REQUIRE(tests::bytes_without_times(result) ==
            tests::bytes_without_times(shares.merge(files)));
    REQUIRE(result.findings.size() == 30);
}

TEST_CASE("more drift than the sketches hold is no answer if it cannot be scanned again") {
    const audit::Spec spec = tests::spec_of(email_spec);
    BrokenStore store{tests::with_snapshot(true)};
    fill_emails(store, 30'000, 2);
    tests::TestClock clock;
    tests::Shares shares{spec, store, clock, four_partitions()};
    const auto files = shares.scan_all(2, 2);
    store.broken = true;
    const auto result = shares.merge(files, 1);
    REQUIRE(result.verdict() == audit::Verdict::could_not_tell);
    REQUIRE_FALSE(result.coverage.gaps.empty());
}

TEST_CASE("a share that is stopped leaves no sketch, and goes on to the same one") {
    const audit::Spec spec = tests::spec_of(email_spec);
    store::MemoryStore store{tests::with_snapshot(true)};
    fill_emails(store, 9'000, 50);
    tests::TestClock clock;
    tests::Shares shares{spec, store, clock, four_partitions()};
    const audit::Share share{2, 3};
    const auto digest = audit::SketchReader{shares.scan(share, 2)}.head().digest;
    const std::string file = shares.path("stopped");
    audit::AuditOptions options;
    options.threads = 2;
    options.checkpoint_file = file + ".checkpoint";
    int stops = 0;
    for (;;) {
        std::atomic<int> asked{0};
        options.stop_requested = [&] { return ++asked > 4; };
        const auto result = audit::run_share(spec, {{"main", &store}}, clock, options,
                                             shares.parameters(), share, file);
        REQUIRE(std::filesystem::exists(file) == !result.stopped);
        REQUIRE(std::filesystem::exists(options.checkpoint_file) == result.stopped);
        if (!result.stopped) break;
        REQUIRE_FALSE(result.gaps.empty());
        options.resume = true;
        if (stops++ > 0) continue;
        // A checkpoint is of one share.
        REQUIRE_THROWS_WITH(audit::run_share(spec, {{"main", &store}}, clock, options,
                                             shares.parameters(), {1, 3}, file),
                            Contains("another share"));
    }
    REQUIRE(stops > 1);
    REQUIRE(audit::SketchReader{file}.head().digest == digest);
}

TEST_CASE("of many damaged rows the same ones are named, whoever met them") {
    const audit::Spec spec = tests::spec_of(email_spec);
    store::MemoryStore store{tests::with_snapshot(true)};
    fill_emails(store, 20, 10);
    for (int number = 0; number < 300; ++number) {
        store.put_bytes("Users", store::encode_key(row_of({id_of(900 - number)}, {}).key), "none");
    }
    tests::TestClock clock;
    audit::AuditOptions options = four_partitions();
    tests::Shares shares{spec, store, clock, options};
    options.threads = 1;
    const auto one = audit::run_audit(spec, {{"main", &store}}, clock, options);
    options.threads = 7;
    const auto seven = audit::run_audit(spec, {{"main", &store}}, clock, options);
    REQUIRE(one.coverage.gaps.size() == 100);
    REQUIRE(seven.coverage.gaps == one.coverage.gaps);
    REQUIRE(shares.merge(shares.scan_all(4)).coverage.gaps == one.coverage.gaps);
}
