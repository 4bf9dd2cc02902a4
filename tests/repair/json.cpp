// Findings, results and plans on disk.
//
// Promised: what was written is read back as it was, whatever bytes the keys hold; a file that was
// cut, edited or is of another format is refused, and never half taken. Method: round trips of
// values that hold every kind of byte; every cut; every flipped byte.

#include <random>

#include <catch2/catch.hpp>

#include "audit/finding_json.hpp"
#include "audit/result_json.hpp"
#include "repair/plan_json.hpp"
#include "store/error.hpp"

using namespace idxfsck;
using store::Value;

namespace {

// Control characters, quotes, HTML, a cut UTF-8 sequence, and line ends.
const std::string hostile = std::string{"\0\x1b[31m\"'<b>\\\n\r", 13} + "\xe2\x80\xae\xc3";

audit::SeenRow seen(const std::string& table, Value key) {
    return {table, {std::move(key)}, true, std::string(32, 'a'), hostile};
}

audit::Finding full_finding() {
    audit::Finding finding;
    finding.index = "by " + hostile;
    finding.kind = audit::FindingKind::stale_pointer;
    finding.reason = audit::Reason::value_changed;
    finding.damage = audit::Damage::key_null;
    finding.attribute = hostile;
    finding.entry.key = {Value::text(hostile), Value::null(), Value::text(""),
                         Value::number("1.50")};
    finding.entry.pointer = {Value::binary(hostile), Value::int64(-1)};
    finding.entry.key_version = 3;
    finding.base = seen(hostile, Value::guid(std::string(16, '\x7f')));
    finding.index_row = seen("ByEmail", Value::real(0.1));
    finding.holder_row = audit::SeenRow{"Users", {Value::text("gone")}, false, "", ""};
    finding.differences = {{hostile, Value::null(), std::nullopt},
                           {"b", std::nullopt, Value::list({Value::boolean(true)})}};
    finding.claimants = {{Value::text("u1")}, {Value::text(hostile)}};
    finding.holder = store::Key{Value::text("u1")};
    finding.linked = "0123456789abcdef";
    audit::set_id(finding);
    return finding;
}

audit::AuditResult full_result() {
    audit::AuditResult result;
    result.spec_file = "a " + hostile;
    result.spec_digest = std::string(32, 'f');
    result.stores = {{"main", hostile}, {"other", "id"}};
    result.now_ms = -5;
    result.seed = 18446744073709551615ull;
    result.coverage.tables = {{"main", hostile, 4, 3, 2, 1, 9}, {"main", "t", 1, 1, 1, 0, 0}};
    result.coverage.tables[0].cost = store::ReadCost{12.5, 0.5, 7, 2, 1, 0.25};
    result.coverage.tables[1].cost = store::ReadCost{};
    result.coverage.tables[1].as_of_ms = -1795989600000;
    result.coverage.tables[1].live_store = hostile;
    result.coverage.indexes = {
        {"i", "exact", hostile, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0.5,
         0.25}};
    result.coverage.gaps = {{"t", hostile, "cause"}};
    result.coverage.doubts = {{"base user", "no rows", ""}};
    result.coverage.begin_ms = 1;
    result.coverage.end_ms = 2;
    result.coverage.snapshot = true;
    result.findings = {full_finding()};
    return result;
}

repair::Plan full_plan() {
    repair::Plan plan;
    plan.header = {1,  "0.1.0", hostile, std::string(32, 'f'), {{"main", hostile}}, 10, 20,
                   30, 2,       1,       7,                    4};
    const audit::Finding finding = full_finding();
    repair::Operation put;
    put.kind = repair::OperationKind::put_entry;
    put.index = finding.index;
    put.entry = finding.entry;
    put.base = finding.base;
    put.finding = finding.id;
    put.why = "because " + hostile;
    repair::set_id(put);
    repair::Operation take_out = put;
    take_out.kind = repair::OperationKind::delete_entry;
    take_out.index_row = finding.index_row;
    take_out.holder = finding.holder_row;
    take_out.after = {put.id};
    repair::set_id(take_out);
    plan.operations = {put, take_out};
    return plan;
}

bool same(const audit::AuditResult& a, const audit::AuditResult& b) {
    return a.spec_file == b.spec_file && a.spec_digest == b.spec_digest && a.stores == b.stores &&
           a.now_ms == b.now_ms && a.seed == b.seed && a.coverage == b.coverage &&
           a.findings == b.findings;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t place = text.find(from);
    REQUIRE(place != std::string::npos);
    return text.replace(place, from.size(), to);
}

}  // namespace

TEST_CASE("a finding is one line and comes back as it was") {
    const audit::Finding finding = full_finding();
    std::string line;
    audit::append_finding_line(line, finding);
    REQUIRE(line.find('\n') == line.size() - 1);
    REQUIRE(line.find('\x1b') == std::string::npos);
    const auto read = audit::read_finding_line(line.substr(0, line.size() - 1));
    REQUIRE(std::holds_alternative<audit::Finding>(read));
    REQUIRE(std::get<audit::Finding>(read) == finding);
}

TEST_CASE("the names of kinds, reasons and damages lead back to them") {
    const int kinds = static_cast<int>(audit::FindingKind::malformed_entry) + 1;
    for (int number = 0; number < kinds; ++number) {
        const auto kind = static_cast<audit::FindingKind>(number);
        CHECK(audit::kind_of(audit::kind_name(kind)) == kind);
    }
    for (int number = 0; number <= static_cast<int>(audit::Reason::entry_elsewhere); ++number) {
        const auto reason = static_cast<audit::Reason>(number);
        CHECK(audit::reason_of(audit::reason_name(reason)) == reason);
    }
    for (int number = 0; number <= static_cast<int>(audit::Damage::member_twice); ++number) {
        const auto damage = static_cast<audit::Damage>(number);
        CHECK(audit::damage_of(audit::damage_name(damage)) == damage);
    }
    CHECK_FALSE(audit::kind_of("orphan"));
}

TEST_CASE("a line that is no finding says why") {
    std::string line;
    audit::append_finding_line(line, full_finding());
    line.pop_back();
    const auto why = [](const std::string& text) {
        const auto read = audit::read_finding_line(text);
        const auto* problem = std::get_if<std::string>(&read);
        return problem == nullptr ? std::string{} : *problem;
    };
    CHECK(why(line).empty());
    CHECK(why("") == "the line is no JSON object");
    CHECK(why("[1]") == "the line is no JSON object");
    CHECK(why("{}") == "field `id` is missing");
    CHECK(why(replaced(line, "stale_pointer", "stale_pointers")) ==
          "field `kind` is a word that this program does not know");
    CHECK(why(replaced(line, "\"pointer\":", "\"painter\":")) == "field `pointer` is missing");
    CHECK(why(replaced(line, "\"present\":true", "\"present\":1")) ==
          "field `base` field `present` is neither true nor false");
    CHECK(why(replaced(line, "\"id\":", "\"new\":[[[]]],\"id\":")).empty());
    for (std::size_t size = 0; size < line.size(); ++size) {
        CHECK_FALSE(why(line.substr(0, size)).empty());
    }
    CHECK_FALSE(why(std::string(100000, '[')).empty());
    CHECK_FALSE(why("{\"id\":" + std::string(100000, '[')).empty());
}

TEST_CASE("a result comes back from its two files as it was") {
    const audit::AuditResult result = full_result();
    const audit::ResultFiles files = audit::write_result(result, "0.1.0");
    REQUIRE(same(audit::read_result(files.summary, files.findings), result));
}

TEST_CASE("findings that do not belong to their summary are refused") {
    const audit::ResultFiles files = audit::write_result(full_result(), "0.1.0");
    CHECK_THROWS_AS(audit::read_result(files.summary, ""), store::Error);
    CHECK_THROWS_AS(audit::read_result(files.summary, files.findings + files.findings),
                    store::Error);
    for (std::size_t size = 0; size < files.findings.size(); size += 7) {
        CHECK_THROWS_AS(audit::read_result(files.summary, files.findings.substr(0, size)),
                        store::Error);
    }
    for (std::size_t size = 0; size + 2 < files.summary.size(); size += 13) {
        CHECK_THROWS_AS(audit::read_result(files.summary.substr(0, size), files.findings),
                        store::Error);
    }
}

TEST_CASE("a result of an unknown format is refused, and unknown fields are not") {
    const audit::ResultFiles files = audit::write_result(full_result(), "0.1.0");
    const std::string newer =
        replaced(files.summary, "\"format_version\": 1", "\"format_version\": 2");
    try {
        audit::read_result(newer, files.findings);
        FAIL("read");
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::refused);
    }
    const std::string more = replaced(files.summary, "\"verdict\"", "\"new\": {}, \"verdict\"");
    CHECK(same(audit::read_result(more, files.findings), full_result()));
}

TEST_CASE("a plan comes back as it was, and is written the same again") {
    const repair::Plan plan = full_plan();
    const std::string text = repair::write_plan(plan);
    REQUIRE(repair::read_plan(text) == plan);
    REQUIRE(repair::write_plan(repair::read_plan(text)) == text);
    REQUIRE(text.find(repair::plan_digest(plan)) != std::string::npos);
}

TEST_CASE("a plan that was cut or edited by hand is refused") {
    const std::string text = repair::write_plan(full_plan());
    for (std::size_t size = 0; size < text.size(); ++size) {
        CHECK_THROWS_AS(repair::read_plan(text.substr(0, size)), store::Error);
    }
    std::mt19937_64 random{1};
    for (int round = 0; round < 500; ++round) {
        std::string edited = text;
        const std::size_t place = random() % text.size();
        edited[place] = static_cast<char>(edited[place] ^ static_cast<char>(1 + random() % 127));
        INFO("byte " << place << " of " << edited);
        CHECK_THROWS_AS(repair::read_plan(edited), store::Error);
    }
    try {
        repair::read_plan(replaced(text, "delete_entry", "manual"));
        FAIL("read");
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::refused);
        CHECK(error.hint().find("--except") != std::string::npos);
    }
}

TEST_CASE("a plan of an unknown format, or with an operation twice, is refused") {
    repair::Plan plan = full_plan();
    plan.header.format_version = 2;
    try {
        repair::read_plan(repair::write_plan(plan));
        FAIL("read");
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::refused);
    }
    plan = full_plan();
    plan.operations.push_back(plan.operations.front());
    plan.header.operations = 3;
    CHECK_THROWS_AS(repair::read_plan(repair::write_plan(plan)), store::Error);
    plan = full_plan();
    plan.header.operations = 1;
    CHECK_THROWS_AS(repair::read_plan(repair::write_plan(plan)), store::Error);
}
