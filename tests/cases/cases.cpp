// Promised: 53 small inputs, each in the spirit of a public bug report, get the verdicts and the
// plans that they call for.
// Method: each case of cases.jsonl has its spec beside it. Its rows are loaded as they are written,
// audited with each engine, and planned for; verdicts of rows and members, and operations, are
// compared word for word. Then the plan is carried out, twice, and audited again. What is otherwise
// is argued in README.md, by the name of the case.

#include <catch2/catch.hpp>

#include <algorithm>

#include "plan_check.hpp"
#include "row_words.hpp"

using namespace idxfsck;
using store::Json;
using tests::Case;
using tests::Play;

namespace {

// The case's word, and ours for the same: tests/cases/README.md says why.
bool accepts(const std::string& expected, const std::string& word) {
    static const std::multimap<std::string, std::string> same{
        {"stale_value_changed", "stale_exempt_row"},
        {"stale_missing_base", "stale_partial_row"},
        {"collision", "shared"},
        {"unverifiable", "uncovered"},
        {"unverifiable", "unsettled"},
    };
    if (expected == word) return true;
    const auto [begin, end] = same.equal_range(expected);
    return std::any_of(begin, end, [&](const auto& pair) { return pair.second == word; });
}

std::string joined(const tests::RowWords& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

void check_word(const std::string& expected, const std::string& word) {
    INFO("expected " << expected << ", got " << word);
    CHECK(accepts(expected, word));
}

void check_base_rows(const Play& play, tests::RowJudge& judge) {
    const Json& expected = play.played().expected.at("base");
    REQUIRE(expected.size() == play.base_rows().size());
    for (std::size_t row = 0; row < expected.size(); ++row) {
        INFO("base row " << row + 1);
        check_word(expected[row], joined(judge.base_row(*play.base_rows()[row])));
    }
}

void check_container(const Json& expected, const tests::TypedRow& row, tests::RowJudge& judge) {
    check_word(expected.value("row", ""), joined(judge.index_row(row)));
    const auto members = judge.members(row);
    REQUIRE(members.size() == expected.at("members").size());
    for (const auto& [member, word] : expected.at("members").items()) {
        INFO("member " << member);
        REQUIRE(members.contains(member));
        check_word(word, members.at(member));
    }
}

void check_index_rows(const Play& play, tests::RowJudge& judge) {
    const Json& expected = play.played().expected.at("index");
    REQUIRE(expected.size() == play.index_rows().size());
    for (std::size_t row = 0; row < expected.size(); ++row) {
        INFO("index row " << row + 1);
        if (!play.index_rows()[row]) continue;
        if (expected[row].is_object()) {
            check_container(expected[row], *play.index_rows()[row], judge);
        } else {
            check_word(expected[row], joined(judge.index_row(*play.index_rows()[row])));
        }
    }
}

bool aborts(const Case& one) {
    const Json& plan = one.expected.at("plan");
    return std::any_of(plan.begin(), plan.end(),
                       [](const Json& operation) { return operation.at("op") == "abort"; });
}

// A finding without a write is shown to a person, whether the case's plan says so or not.
void check_plan(const Play& play, const repair::Plan& plan) {
    auto words = tests::plan_words(play.spec(), plan);
    const auto expected = tests::expected_plan_words(play.played());
    const bool shown = std::find(expected.begin(), expected.end(), "manual") != expected.end();
    const Json& base = play.played().expected.at("base");
    const bool unindexable = std::find(base.begin(), base.end(), "unindexable") != base.end();
    if (unindexable && !shown) std::erase(words, "manual");
    INFO("planned " << Catch::Detail::stringify(words));
    INFO("expected " << Catch::Detail::stringify(expected));
    CHECK(std::equal(expected.begin(), expected.end(), words.begin(), words.end(),
                     tests::is_operation));
    CHECK(tests::guard_complaints(play.played(), play) == std::vector<std::string>{});
}

// How grave the findings are that an operation mends, where the case says so.
void check_severity(const Play& play, const audit::AuditResult& result, const repair::Plan& plan) {
    for (const Json& operation : play.played().expected.at("plan")) {
        if (!operation.contains("severity")) continue;
        REQUIRE(plan.operations.size() == 1);
        const std::string& id = plan.operations[0].finding;
        const auto found = std::find_if(result.findings.begin(), result.findings.end(),
                                        [&](const auto& finding) { return finding.id == id; });
        REQUIRE(found != result.findings.end());
        CHECK(found->severity == operation["severity"]);
    }
}

repair::Outcome expected_outcome(const Case& one) {
    return *repair::outcome_of(one.settings.value("apply_expected", "applied"));
}

std::uint64_t written(const repair::RepairResult& result) {
    return result.operations.size() - result.count(repair::Outcome::manual);
}

// Then entries under an older key go once they stand beside current ones: with the next plan.
bool migrates(const audit::Spec& spec) {
    return std::any_of(spec.indexes.begin(), spec.indexes.end(), [](const auto& index) {
        return index.old_versions == audit::OldVersions::migrate;
    });
}

void check_repair(Play& play, const repair::Plan& plan) {
    play.change_before_repair();
    const auto first = play.repair(plan);
    const repair::Outcome outcome = expected_outcome(play.played());
    CHECK(first.count(outcome) == written(first));
    if (outcome != repair::Outcome::applied) return;
    CHECK(tests::row_complaints(play.played(), play) == std::vector<std::string>{});
    for (int run = 1; run < play.played().settings.value("apply_times", 2); ++run) {
        const auto again = play.repair(plan);
        CHECK(again.writes == 0);
        CHECK(again.count(repair::Outcome::already) == written(again));
    }
    if (migrates(play.spec())) play.repair(play.plan(play.audit()));
    const auto words = tests::plan_words(play.spec(), play.plan(play.audit()));
    const bool settled = words.empty() || words == std::vector<std::string>{"manual"};
    CHECK(settled);
}

void check_case(const Case& one, audit::EngineChoice engine) {
    Play play{one, engine};
    const audit::AuditResult result = play.audit();
    for (const audit::Finding& finding : result.findings) UNSCOPED_INFO(tests::word(finding));
    tests::RowJudge judge{play, result};
    check_base_rows(play, judge);
    check_index_rows(play, judge);
    CHECK((result.verdict() == audit::Verdict::could_not_tell) == aborts(one));
    const repair::Plan plan = play.plan(result);
    check_plan(play, plan);
    check_severity(play, result, plan);
    check_repair(play, plan);
}

}  // namespace

TEST_CASE("each case gets its verdicts and its plan, and the plan mends it") {
    for (const Case& one : tests::load_cases()) {
        DYNAMIC_SECTION(one.name << " with the exact engine") {
            check_case(one, audit::EngineChoice::exact);
        }
        DYNAMIC_SECTION(one.name << " with the sketch") {
            check_case(one, audit::EngineChoice::sketch);
        }
        DYNAMIC_SECTION(one.name << " in one pass") {
            check_case(one, audit::EngineChoice::one_pass);
        }
    }
}

TEST_CASE("each case has a spec, or is argued about") {
    const std::string page = tests::cases_page();
    std::set<std::string> played;
    for (const Case& one : tests::load_cases()) {
        played.insert(one.name);
        INFO(one.name);
        if (one.settings.contains("instead")) {
            CHECK(page.find("**" + one.name + "**") != std::string::npos);
        }
    }
    for (const std::string& id : tests::case_ids()) {
        INFO(id);
        const bool argued = page.find("**" + id + "**") != std::string::npos;
        CHECK((played.contains(id) || argued));
    }
    CHECK(tests::case_ids().size() == 53);
}
