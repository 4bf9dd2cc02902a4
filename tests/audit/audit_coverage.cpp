// What an audit did not see, it says, and does not call clean.

#include <catch2/catch.hpp>

#include "store/error.hpp"
#include "tests/audit/emails.hpp"

using namespace idxfsck;
using audit::Verdict;

namespace {

const std::string claims_text = tests::users_head + R"(
[[index]]
name = "email"
of = "user"
store = "main"
table = "Index"
key = { K = "{Email}" }
unique = true
)";

// A memory store in which a scan of one table fails after some rows.
class FailingStore : public store::MemoryStore {
public:
    using MemoryStore::MemoryStore;

    store::ScanEnd scan(store::BytesView table, const store::Partition& partition,
                        const store::ScanOptions& options, store::RowSink& sink) const override {
        if (table == failing) {
            throw store::Error{"cannot read the table"}.with("table", table);
        }
        return MemoryStore::scan(table, partition, options, sink);
    }

    std::string failing;
};

void fill(store::MemoryStore& store) {
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    tests::put_user(store, "u1", "a");
    tests::put_entry(store, "a", "u1");
    tests::put_entry(store, "b", "u2");
}

}  // namespace

TEST_CASE("a table that cannot be read is a gap, and the answer is not clean") {
    const std::string table = GENERATE("Users", "Index");
    FailingStore store{tests::with_snapshot(true)};
    fill(store);
    store.failing = table;
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(tests::email_spec), store, clock);
    REQUIRE(result.verdict() == Verdict::could_not_tell);
    REQUIRE_FALSE(result.coverage.gaps.empty());
    REQUIRE(result.coverage.gaps[0].table == table);
    REQUIRE(result.coverage.gaps[0].cause.find("cannot read the table") != std::string::npos);
}

TEST_CASE("what only the base side can judge is not accused when the base table has a gap") {
    FailingStore store{tests::with_snapshot(true)};
    fill(store);
    store.failing = "Users";
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(claims_text + "\n"), store, clock);
    REQUIRE(result.findings.empty());
    REQUIRE(result.verdict() == Verdict::could_not_tell);
}

TEST_CASE("no base row against entries: no findings, and the answer is doubtful") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store);
    store.erase("Users", {store::Value::text("u1")});
    tests::TestClock clock;

    SECTION("as the spec stands") {
        const auto result = tests::audit_of(tests::spec_of(tests::email_spec), store, clock);
        REQUIRE(result.findings.empty());
        REQUIRE(result.verdict() == Verdict::could_not_tell);
        REQUIRE(result.coverage.doubts.size() == 1);
    }
    SECTION("unless the spec says that the base may be empty") {
        std::string text = tests::email_spec;
        text.replace(text.find("[[index]]"), 0, "may_be_empty = true\n");
        const auto result = tests::audit_of(tests::spec_of(text), store, clock);
        REQUIRE(result.findings.size() == 2);
        REQUIRE(result.verdict() == Verdict::drift);
    }
}

TEST_CASE("a selector that matches nothing is doubtful even without entries") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store);
    store.erase("Index", {store::Value::text("a")});
    store.erase("Index", {store::Value::text("b")});
    std::string text = tests::email_spec;
    text.replace(text.find("[[index]]"), 0, "rows = 'Kind == \"user\"'\n");
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(text), store, clock);
    REQUIRE(result.findings.empty());
    REQUIRE(result.verdict() == Verdict::could_not_tell);
    REQUIRE(result.coverage.doubts[0].text.find("Kind") != std::string::npos);
}

TEST_CASE("an attribute that no row has is taken for a misspelling, not for drift") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store);
    for (int number = 10; number < 40; ++number) {
        const std::string id = "u" + std::to_string(number);
        tests::put_user(store, id, id);
        tests::put_entry(store, id, id);
    }
    std::string text = tests::email_spec;
    text.replace(text.find("{Email}"), 7, "{Emial}");
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(text), store, clock);
    REQUIRE(result.findings.empty());
    REQUIRE(result.verdict() == Verdict::could_not_tell);
    REQUIRE(result.coverage.doubts[0].text.find("Emial") != std::string::npos);
}

TEST_CASE("a row whose bytes are no row is a gap") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store);
    store.put_bytes("Users", "\x01\x02no key", "\xff\xff");
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(tests::email_spec), store, clock);
    REQUIRE(result.coverage.tables[0].rows_damaged + result.coverage.tables[1].rows_damaged == 1);
    REQUIRE(result.verdict() == Verdict::could_not_tell);
}

TEST_CASE("an audit that is asked to stop says that it did not see everything") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store);
    tests::TestClock clock;
    audit::AuditOptions options;
    options.threads = 1;
    options.stop_requested = [] { return true; };
    const auto result =
        audit::run_audit(tests::spec_of(tests::email_spec), {{"main", &store}}, clock, options);
    REQUIRE(result.verdict() == Verdict::could_not_tell);
}

TEST_CASE("the coverage counts what was read") {
    store::MemoryStore store{tests::with_snapshot(true)};
    fill(store);
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(tests::email_spec), store, clock);
    const audit::IndexCoverage& index = result.coverage.indexes[0];
    REQUIRE(index.base_rows == 1);
    REQUIRE(index.entries_expected == 1);
    REQUIRE(index.entries_held == 2);
    REQUIRE(index.suspects == 1);
    REQUIRE(index.findings == 1);
    REQUIRE(index.settled == 0);
    REQUIRE(index.engine == "sketch");
    REQUIRE(index.miss_probability < 1e-30);
    REQUIRE(result.coverage.tables[0].partitions == result.coverage.tables[0].partitions_read);
    REQUIRE(result.coverage.snapshot);
}
