// The examples of repair/FORMATS.md are what the code that reads the files takes for such files.

#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "audit/result_json.hpp"
#include "repair/journal.hpp"
#include "repair/plan_json.hpp"

using namespace idxfsck;

namespace {

// The block that begins with this fence.
std::string example(const std::string& fence) {
    std::ostringstream text;
    text << std::ifstream{IDXFSCK_TESTS_FOLDER "/../repair/FORMATS.md"}.rdbuf();
    const std::string page = text.str();
    const std::string opening = "\n```" + fence + "\n";
    const std::size_t begin = page.find(opening);
    REQUIRE(begin != std::string::npos);
    const std::size_t first = begin + opening.size();
    return page.substr(first, page.find("\n```\n", first) + 1 - first);
}

}  // namespace

TEST_CASE("the examples of the format page are one run from audit to journal") {
    const audit::AuditResult result =
        audit::read_result(example("json"), example("ndjson findings"));
    CHECK(result.findings.size() == 3);
    CHECK(result.verdict() == audit::Verdict::drift);

    const repair::Plan plan = repair::read_plan(example("ndjson plan"));
    CHECK(plan.operations.size() == 3);
    CHECK(plan.header.spec_digest == result.spec_digest);
    CHECK(repair::write_plan(plan) == example("ndjson plan"));

    const auto journal = repair::read_journal(example("ndjson journal"));
    REQUIRE(journal);
    CHECK(journal->header.plan_digest == repair::plan_digest(plan));
    CHECK(journal->records.size() == 6);
}
