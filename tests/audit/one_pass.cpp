// The one-pass engine scans nothing twice, whatever the drift.
//
// Promised: its answer is the exact engine's; a metered table is read once, and beyond that only
// the pages in which differences lay; rows that move between the scan and the second look accuse
// nobody and hide nothing; where neither memory nor disk can take the journal, the report gives an
// estimate and true examples, and no verdict. Method: a store that counts the rows it hands out.

#include <atomic>
#include <filesystem>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/audit/emails.hpp"

using namespace idxfsck;
using audit::EngineChoice;
using tests::row_of;
using tests::text;

namespace {

// Counts what scans hand out, and does what the test says before each scan.
class CountingStore : public store::MemoryStore {
public:
    using MemoryStore::MemoryStore;

    store::ScanEnd scan(store::BytesView table, const store::Partition& partition,
                        const store::ScanOptions& options, store::RowSink& sink) const override {
        if (before_scan) before_scan(options);
        CountingSink counting{sink, *this};
        return MemoryStore::scan(table, partition, options, counting);
    }

    std::function<void(const store::ScanOptions&)> before_scan;
    mutable std::atomic<std::uint64_t> rows{0};

private:
    class CountingSink : public store::RowSink {
    public:
        CountingSink(store::RowSink& to, const CountingStore& store) : to_{to}, store_{store} {}
        void row(const store::RowView& row) override {
            ++store_.rows;
            to_.row(row);
        }
        bool page_end(const store::Position& position) override { return to_.page_end(position); }

    private:
        store::RowSink& to_;
        const CountingStore& store_;
    };
};

store::Capabilities metered_capabilities(bool snapshot = false) {
    store::Capabilities capabilities = tests::with_snapshot(snapshot);
    capabilities.metered = true;
    return capabilities;
}

std::string id_of(int number) {
    const std::string digits = std::to_string(number);
    return "u" + std::string(6 - digits.size(), '0') + digits;
}

// Users in order of their number; one in `missing_every` has no entry.
void fill(store::MemoryStore& store, int users, int missing_every) {
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    for (int number = 0; number < users; ++number) {
        const std::string id = id_of(number);
        store.put("Users", row_of({id}, {text("Email", id + "@x")}));
        if (number % missing_every == 0) continue;
        store.put("Index", row_of({id + "@x"}, {text("UserId", id)}));
    }
}

audit::AuditResult audited(store::MemoryStore& store, audit::AuditOptions options) {
    tests::TestClock clock;
    options.seed = 7;
    options.partitions = 3;
    return audit::run_audit(tests::spec_of(tests::email_spec), {{"main", &store}}, clock, options);
}

// A page of the sample that widths are chosen by, and no row of any table twice but for pages that
// are named in the report.
std::uint64_t rows_max(const audit::AuditResult& result, std::uint64_t rows) {
    std::uint64_t pages = 1;
    for (const audit::TableCoverage& table : result.coverage.tables) pages += table.pages_reread;
    return rows + pages * 1024;
}

}  // namespace

TEST_CASE("a metered table is scanned once, and little drift costs no page more") {
    CountingStore store{metered_capabilities()};
    fill(store, 8'000, 400);
    audit::AuditOptions options;
    options.threads = GENERATE(1U, 3U);
    const auto result = audited(store, options);
    REQUIRE(result.coverage.indexes[0].engine == "one-pass");
    REQUIRE(result.findings.size() == 20);
    REQUIRE(result.coverage.tables[0].pages_reread == 0);
    REQUIRE(store.rows <= rows_max(result, 8'000 + 7'980));
    REQUIRE(result.verdict() == audit::Verdict::drift);
}

TEST_CASE("more drift than a sketch holds is exact in one pass, and pages that differ are reread") {
    const bool snapshot = GENERATE(true, false);
    CountingStore store{metered_capabilities(snapshot)};
    fill(store, 36'000, 3);
    audit::AuditOptions options;
    options.threads = snapshot ? 1 : 3;
    const auto result = audited(store, options);
    const std::uint64_t scanned = store.rows;
    options.engine = EngineChoice::exact;
    const auto exact = audited(store, options);
    REQUIRE(result.coverage.indexes[0].engine == "one-pass");
    REQUIRE(result.findings.size() == 12'000);
    REQUIRE(result.findings == exact.findings);
    REQUIRE(result.coverage.whole());
    if (snapshot) return;  // then the pages are read from the same moment, as for every engine
    const std::uint64_t pages = result.coverage.tables[0].pages_reread;
    REQUIRE(pages >= 36'000 / 1024);
    REQUIRE(pages <= 36'000 / 1024 + 8);
    REQUIRE(result.coverage.tables[1].pages_reread == 0);
    REQUIRE(scanned <= rows_max(result, 36'000 + 24'000));
}

TEST_CASE("rows that move before their page is read again accuse nobody and hide nothing") {
    CountingStore store{metered_capabilities()};
    fill(store, 36'000, 3);
    std::atomic<bool> moved{false};
    std::uint64_t scanned_before = 60'000;
    store.before_scan = [&](const store::ScanOptions& options) {
        // The first page that is read again: it begins where a page ended.
        if (store.rows < scanned_before || !options.resume || moved.exchange(true)) return;
        // Some get their entry, some go, and many new ones come in between.
        for (int number = 0; number < 3'000; number += 3) {
            const std::string id = id_of(number);
            if (number % 2 == 0) {
                store.put("Index", row_of({id + "@x"}, {text("UserId", id)}));
            } else {
                store.erase("Users", {store::Value::text(id)});
            }
            const std::string more = id + "+";
            store.put("Users", row_of({more}, {text("Email", more + "@x")}));
            store.put("Index", row_of({more + "@x"}, {text("UserId", more)}));
        }
    };
    audit::AuditOptions options;
    options.threads = 1;
    const auto result = audited(store, options);
    REQUIRE(moved);
    const std::uint64_t there = 12'000 - 1'000;
    const audit::IndexCoverage& index = result.coverage.indexes[0];
    REQUIRE(result.findings.size() + index.unverifiable >= there);
    for (const audit::Finding& finding : result.findings) {
        REQUIRE(std::stoi(finding.base->key.front().payload.substr(1)) >= 3'000);
    }
    // Nothing that is still so may count as settled.
    REQUIRE(index.settled <= 1'000);
    REQUIRE((result.coverage.whole() || index.unverifiable > 0));
}

TEST_CASE("a metered audit that is stopped reads again the pages of both halves, and no table") {
    const std::string file = std::filesystem::temp_directory_path().string() +
                             "/idxfsck-one-pass-" + std::to_string(::getpid());
    CountingStore store{metered_capabilities()};
    fill(store, 36'000, 3);
    audit::AuditOptions options;
    options.engine = GENERATE(EngineChoice::one_pass, EngineChoice::exact);
    options.threads = 2;
    options.checkpoint_file = file;
    std::atomic<int> asked{0};
    options.stop_requested = [&] { return ++asked > 40; };
    REQUIRE(audited(store, options).verdict() == audit::Verdict::could_not_tell);
    REQUIRE(std::filesystem::exists(file));
    REQUIRE(store.rows > 2'000);
    REQUIRE(store.rows < 58'000);
    options.stop_requested = {};
    options.resume = true;
    const auto result = audited(store, options);
    REQUIRE(result.findings.size() == 12'000);
    REQUIRE(result.coverage.whole());
    REQUIRE(store.rows <= rows_max(result, 36'000 + 24'000 + 8 * 1024));
    std::filesystem::remove(file);
}

TEST_CASE("without disk and memory for the journal, the answer is an estimate with examples") {
    store::MemoryStore store{metered_capabilities()};
    fill(store, 240'000, 3);
    audit::AuditOptions options;
    options.threads = 1;
    options.memory_bytes_max = 9 << 20;
    options.spill_directory = GENERATE("", "/no/such/folder");
    const auto result = audited(store, options);
    const audit::IndexCoverage& index = result.coverage.indexes[0];
    REQUIRE(index.engine == "one-pass");
    REQUIRE(result.verdict() == audit::Verdict::could_not_tell);
    REQUIRE(index.miss_probability == 1);
    REQUIRE(result.coverage.doubts[0].text.find("(an estimate, good to") != std::string::npos);
    REQUIRE(static_cast<double>(index.differences_estimate) == Approx(80'000).epsilon(0.1));
    REQUIRE(result.findings.size() >= 1'000);
    for (const audit::Finding& finding : result.findings) {
        REQUIRE(std::stoi(finding.base->key.front().payload.substr(1)) % 3 == 0);
    }
}

TEST_CASE("suspects that would go over the memory are counted, and the answer is left open") {
    const bool snapshot = GENERATE(true, false);
    store::MemoryStore store{tests::with_snapshot(snapshot)};
    fill(store, 60'000, 3);
    audit::AuditOptions options;
    options.threads = 1;
    options.memory_bytes_max = 25 << 20;
    options.spill_directory = "/tmp";
    const auto result = audited(store, options);
    const audit::IndexCoverage& index = result.coverage.indexes[0];
    REQUIRE(index.suspects == 20'000);
    REQUIRE(result.verdict() == audit::Verdict::could_not_tell);
    REQUIRE(result.findings.size() >= 1'000);
    REQUIRE(result.findings.size() + index.unverifiable == 20'000);
    REQUIRE(result.coverage.doubts[0].hint.find("--memory") != std::string::npos);
}
