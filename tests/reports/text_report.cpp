// What a person on call reads, compared with texts that were read and found good; and what no
// result, however hostile, can make the report do.

#include <catch2/catch.hpp>

#include "audit/finding_json.hpp"
#include "golden.hpp"
#include "reports/exit_code.hpp"
#include "reports/redact.hpp"
#include "reports/text_report.hpp"
#include "sample_result.hpp"

#include <algorithm>

namespace idxfsck::reports {
namespace {

std::string report_of(const audit::AuditResult& result, TextOptions options = {}) {
    options.folder = "shop.audit";
    return text_report(result, options, Style{});
}

// Printable ASCII and newlines, nothing else: the texts of ours hold no other characters.
bool is_tame(const std::string& text) {
    for (const char character : text) {
        if (character != '\n' && (character < ' ' || character > '~')) return false;
    }
    return true;
}

TEST_CASE("a report of drift shows each sort of finding on one line") {
    check_golden("drift.txt", report_of(drifted_result()));
}

TEST_CASE("values of copies are shown when they are asked for, and times too") {
    TextOptions options;
    options.show_values = true;
    options.verbose = true;
    check_golden("drift-verbose.txt", report_of(drifted_result(), options));
}

TEST_CASE("a report of a consistent audit is short and says what that means") {
    check_golden("consistent.txt", report_of(clean_result()));
}

TEST_CASE("a report never says consistent if something was not read") {
    const std::string text = report_of(unsure_result());
    check_golden("could-not-tell.txt", text);
    CHECK(text.find("CONSISTENT") == std::string::npos);
    audit::AuditResult drifted = drifted_result();
    drifted.coverage.gaps = unsure_result().coverage.gaps;
    CHECK(report_of(drifted).find("COULD NOT TELL: 1 part was not read; 9 findings in 2 of 2") !=
          std::string::npos);
}

TEST_CASE("a long report says how much of it is shown") {
    TextOptions options;
    options.findings_max = 2;
    const std::string text = report_of(drifted_result(), options);
    check_golden("capped.txt", text);
    CHECK(text.find("showing 2 of 7 findings") != std::string::npos);
    CHECK(text.find("DRIFT: 9 findings") != std::string::npos);
}

TEST_CASE("of many parts that were not read some are shown, and all are counted") {
    audit::AuditResult result = unsure_result();
    result.coverage.gaps.resize(136, result.coverage.gaps[0]);
    CHECK(report_of(result).find("showing 10 of 136 parts not read\n") != std::string::npos);
    CHECK(report_of(result).find("COULD NOT TELL: 136 parts were not read") != std::string::npos);
}

TEST_CASE("each finding is on one line, a move in one for its two halves") {
    TextOptions options;
    options.findings_max = 0;
    const std::string text = findings_text(drifted_result(), options, Style{});
    CHECK(std::count(text.begin(), text.end(), '\n') == 2 + 8 + 1);
}

TEST_CASE("hostile keys, names and causes are harmless in the text") {
    TextOptions options;
    options.findings_max = 0;
    options.show_values = true;
    options.verbose = true;
    const std::string text = report_of(hostile_result(), options);
    CHECK(is_tame(text));
    CHECK(text.find("\n::") == std::string::npos);
    CHECK(text.find("(2,048 bytes)") != std::string::npos);
}

TEST_CASE("a redacted report shows hashes, the same for the same value, and no data") {
    const Redactor redactor{"a key"};
    TextOptions options;
    options.findings_max = 0;
    options.show_values = true;
    const std::string text = report_of(redactor.result(drifted_result()), options);
    for (const char* secret : {"ann@x.org", "\"u1\"", "Eva", "\"u6\"", "\"red\""}) {
        CHECK(text.find(secret) == std::string::npos);
    }
    CHECK(text.find("users-by-email") != std::string::npos);
    const store::Value ann = store::Value::text("ann@x.org");
    CHECK(redactor.value(ann) == redactor.value(ann));
    CHECK(redactor.value(ann) != Redactor{"another key"}.value(ann));
    CHECK(redactor.value(store::Value::number("1.0")) == redactor.value(store::Value::int32(1)));
    CHECK(redactor.value(store::Value::number("1")) != redactor.value(store::Value::text("1")));
    const audit::AuditResult unsure = redactor.result(unsure_result());
    CHECK(unsure.coverage.gaps[0].partition.find("user/7") == std::string::npos);
    CHECK(unsure.verdict() == audit::Verdict::could_not_tell);
}

TEST_CASE("no key or value of a redacted finding is in its line, winner and holder too") {
    const store::Key secret{store::Value::text("secret")};
    const audit::SeenRow seen{"Users", secret, true, "secret", "secret"};
    audit::Finding finding;
    finding.entry.key = finding.entry.pointer = secret;
    finding.entry.copies = {{"Name", secret[0]}};
    finding.base = finding.index_row = finding.holder_row = seen;
    finding.differences = {{"Name", secret[0], secret[0]}};
    finding.claimants = {secret};
    finding.holder = finding.winner = secret;
    audit::AuditResult result;
    result.findings = {finding};
    std::string line;
    audit::append_finding_line(line, finding);
    REQUIRE(line.find("secret") != std::string::npos);
    line.clear();
    audit::append_finding_line(line, Redactor{"key"}.result(result).findings[0]);
    CHECK(line.find("secret") == std::string::npos);
    CHECK(line.find("winner") != std::string::npos);
}

TEST_CASE("colour marks the verdict, and only if it is wanted") {
    TextOptions options;
    CHECK(text_report(drifted_result(), options, Style{true}).find("\x1b[31mDRIFT") !=
          std::string::npos);
    CHECK(text_report(clean_result(), options, Style{true}).find("\x1b[32mCONSISTENT") !=
          std::string::npos);
    CHECK(is_tame(text_report(drifted_result(), options, Style{false})));
}

TEST_CASE("the exit status follows from the result alone") {
    CHECK(exit_code(clean_result()) == 0);
    CHECK(exit_code(drifted_result()) == 4);
    CHECK(exit_code(unsure_result()) == 8);
    audit::AuditResult both = drifted_result();
    both.coverage.doubts = unsure_result().coverage.doubts;
    CHECK(exit_code(both) == 12);
    CHECK(exit_code(store::Trouble::refused) == 4);
    CHECK(exit_code(store::Trouble::could_not_tell) == 8);
    CHECK(exit_code(store::Trouble::usage) == 16);
    CHECK(exit_code(store::Trouble::stopped) == 32);
}

TEST_CASE("the exit status of a repair sums what was left, what failed and what stopped it") {
    using repair::Outcome;
    const auto code = [](std::vector<Outcome> outcomes, repair::Ending ending) {
        repair::RepairResult result;
        for (const Outcome outcome : outcomes) result.operations.push_back({"id", outcome, ""});
        result.ending = ending;
        return exit_code(result);
    };
    CHECK(code({}, repair::Ending::finished) == 0);
    CHECK(code({Outcome::applied, Outcome::already}, repair::Ending::finished) == 0);
    for (const Outcome outcome : {Outcome::superseded, Outcome::ineffective, Outcome::held,
                                  Outcome::skipped, Outcome::manual, Outcome::would_apply,
                                  Outcome::not_run}) {
        CHECK(code({Outcome::applied, outcome}, repair::Ending::finished) == 4);
    }
    CHECK(code({Outcome::failed}, repair::Ending::finished) == 12);
    CHECK(code({Outcome::applied, Outcome::not_run}, repair::Ending::stopped) == 36);
    CHECK(code({Outcome::failed, Outcome::not_run}, repair::Ending::stopped) == 44);
    CHECK(code({Outcome::applied, Outcome::not_run}, repair::Ending::enough) == 4);
}

}  // namespace
}  // namespace idxfsck::reports
