// Every word that a report can use is explained: the catalogue is complete against the enums, and
// holds nothing twice.

#include <catch2/catch.hpp>

#include "audit/result_json.hpp"
#include "repair/plan.hpp"
#include "repair/outcome.hpp"
#include "reports/catalogue.hpp"

#include <map>

namespace idxfsck::reports {
namespace {

void check_group(std::string_view code, std::string_view group) {
    INFO("code " << code);
    const auto entry = catalogue_entry(code);
    REQUIRE(entry.has_value());
    CHECK(entry->group == group);
    CHECK(entry->meaning.ends_with('.'));
}

TEST_CASE("every kind, reason and damage of a finding is explained") {
    using namespace audit;
    for (int kind = 0; kind <= static_cast<int>(FindingKind::malformed_entry); ++kind) {
        check_group(kind_name(static_cast<FindingKind>(kind)), "finding");
    }
    for (int reason = 1; reason <= static_cast<int>(Reason::entry_elsewhere); ++reason) {
        check_group(reason_name(static_cast<Reason>(reason)), "reason");
    }
    for (int damage = 1; damage <= static_cast<int>(Damage::member_twice); ++damage) {
        check_group(damage_name(static_cast<Damage>(damage)), "damage");
    }
}

TEST_CASE("every operation, outcome and refusal of a repair is explained") {
    using namespace repair;
    for (int kind = 0; kind <= static_cast<int>(OperationKind::manual); ++kind) {
        check_group(operation_name(static_cast<OperationKind>(kind)), "operation");
    }
    for (std::size_t number = 0; number < outcome_count; ++number) {
        const auto outcome = static_cast<Outcome>(number);
        if (outcome == Outcome::manual) continue;  // the operation of that name says it
        check_group(outcome_name(outcome), "outcome");
    }
    for (const char* code : {"too_many_deletes", "plan_expired", "other_spec", "other_store",
                             "other_version", "too_many_fails"}) {
        check_group(code, "refusal");
    }
}

TEST_CASE("every verdict and every count of the coverage is explained") {
    for (const auto verdict : {audit::Verdict::consistent, audit::Verdict::drift,
                               audit::Verdict::could_not_tell}) {
        check_group(audit::verdict_name(verdict), "verdict");
    }
    for (const char* code : {"gap", "doubt", "suspects", "settled", "shared", "exempt", "partial",
                             "legacy", "unverifiable", "other_rows"}) {
        check_group(code, "coverage");
    }
}

TEST_CASE("no code stands twice, and findings say what to look at") {
    std::map<std::string_view, int> seen;
    for (const CatalogueEntry& entry : catalogue()) {
        CHECK(++seen[entry.code] == 1);
        INFO("code " << entry.code);
        if (entry.group == "finding" || entry.group == "reason" || entry.group == "damage") {
            CHECK_FALSE(entry.arises.empty());
            CHECK_FALSE(entry.repair.empty());
            CHECK_FALSE(entry.check.empty());
        }
    }
}

}  // namespace
}  // namespace idxfsck::reports
