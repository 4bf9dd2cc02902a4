// What refuses a plan.
//
// Promised: a plan with more deletes than a person would expect, too old, or made for another spec,
// store or version, is refused, with every reason at once and the option that overrides each.

#include <catch2/catch.hpp>

#include "repair/limits.hpp"
#include "store/error.hpp"
#include "store/memory/memory_store.hpp"

using namespace idxfsck;
using repair::OperationKind;
using repair::Overrides;

namespace {

repair::Plan plan_of(std::uint64_t deletes, std::uint64_t entries) {
    repair::Plan plan;
    plan.header.tool_version = IDXFSCK_VERSION;
    plan.header.spec_digest = "spec";
    plan.header.stores = {{"main", "memory"}};
    plan.header.expires_ms = 100;
    plan.header.entries_held = entries;
    plan.operations.resize(deletes);
    for (repair::Operation& operation : plan.operations) {
        operation.kind = OperationKind::delete_entry;
    }
    return plan;
}

std::string codes(const repair::Plan& plan, const Overrides& overrides = {},
                  std::int64_t now_ms = 100, audit::LimitsSpec limits = {}) {
    store::MemoryStore store;
    audit::Spec spec;
    spec.digest = "spec";
    spec.limits = limits;
    std::string all;
    const audit::Readers readers{{"main", &store}};
    for (const auto& refusal : repair::refusals(plan, spec, readers, overrides, now_ms)) {
        all += (all.empty() ? "" : " ") + refusal.code;
    }
    return all;
}

}  // namespace

TEST_CASE("deletes are limited to a thousand or a twentieth, whichever is less") {
    const audit::LimitsSpec limits;
    CHECK(repair::deletes_allowed(limits, 0) == 0);
    CHECK(repair::deletes_allowed(limits, 19) == 0);
    CHECK(repair::deletes_allowed(limits, 20) == 1);
    CHECK(repair::deletes_allowed(limits, 19'999) == 999);
    CHECK(repair::deletes_allowed(limits, 20'000) == 1000);
    CHECK(repair::deletes_allowed(limits, UINT64_MAX) == 1000);
    CHECK(repair::deletes_allowed({5, 1.0}, 100) == 5);
    CHECK(repair::deletes_allowed({5, 0.0}, 100) == 0);
    CHECK(repair::deletes_allowed({UINT64_MAX, 1e300}, 100) == UINT64_MAX);
}

TEST_CASE("a plan with too many deletes is refused until it is allowed by number") {
    CHECK(codes(plan_of(5, 100)).empty());
    CHECK(codes(plan_of(6, 100)) == "too_many_deletes");
    Overrides five;
    five.deletes_max = 5;
    CHECK(codes(plan_of(6, 100), five) == "too_many_deletes");
    Overrides six;
    six.deletes_max = 6;
    CHECK(codes(plan_of(6, 100), six).empty());
    CHECK(codes(plan_of(6, 100), {}, 100, {1000, 0.06}).empty());
}

TEST_CASE("the count of deletes is taken from the operations, not from the header") {
    repair::Plan plan = plan_of(6, 100);
    plan.header.deletes = 0;
    CHECK(codes(plan) == "too_many_deletes");
    for (repair::Operation& operation : plan.operations) operation.kind = OperationKind::put_entry;
    plan.header.deletes = 6;
    CHECK(codes(plan).empty());
}

TEST_CASE("a plan that is too old, or made for something else, is refused") {
    CHECK(codes(plan_of(0, 0), {}, 100).empty());
    CHECK(codes(plan_of(0, 0), {}, 101) == "plan_expired");
    repair::Plan plan = plan_of(0, 0);
    plan.header.spec_digest = "another";
    CHECK(codes(plan) == "other_spec");
    plan = plan_of(0, 0);
    plan.header.stores = {{"main", "another"}};
    CHECK(codes(plan) == "other_store");
    plan.header.stores = {};
    CHECK(codes(plan) == "other_store");
    plan = plan_of(0, 0);
    plan.header.tool_version = "0.0.1";
    CHECK(codes(plan) == "other_version");
}

TEST_CASE("every reason is named at once, each with the option that overrides it") {
    repair::Plan plan = plan_of(6, 100);
    plan.header.spec_digest = "another";
    plan.header.stores = {{"main", "another"}};
    plan.header.tool_version = "0.0.1";
    store::MemoryStore store;
    audit::Spec spec;
    spec.digest = "spec";
    try {
        repair::check_plan(plan, spec, {{"main", &store}}, {}, 101);
        FAIL("let through");
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::refused);
        CHECK(error.fields().size() == 5);
        for (const std::string option : {"--max-deletes 6", "--allow-expired", "--allow-other-spec",
                                         "--allow-other-store", "--allow-other-version"}) {
            CHECK(error.hint().find(option) != std::string::npos);
        }
    }
    const Overrides all{6, true, true, true, true};
    CHECK_NOTHROW(repair::check_plan(plan, spec, {{"main", &store}}, all, 101));
}
