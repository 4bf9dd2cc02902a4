// repair/limits.hpp
//
// What stands between a plan and its execution: the same spec, the same stores, a plan that has not
// expired, a format that this program knows, and no more deletes than a person would expect.
//
// Errors   check_plan throws one Error (refused) that names every precondition that failed, each
//          with the option that overrides it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit_run.hpp"
#include "audit/spec.hpp"
#include "repair/plan.hpp"

namespace idxfsck::repair {

// The option on the command line that allows each is in the comment.
struct Overrides {
    std::optional<std::uint64_t> deletes_max;  // --max-deletes N, instead of every other limit
    bool expired = false;                      // --allow-expired
    bool other_spec = false;                   // --allow-other-spec
    bool other_store = false;                  // --allow-other-store
    bool other_version = false;                // --allow-other-version
};

struct Refusal {
    std::string code;    // "too_many_deletes", "plan_expired", "other_spec", "other_store",
                         // "other_version"
    std::string text;    // facts, data and all: "1200 deletes, at most 1000"
    std::string option;  // "--max-deletes 1200"

    friend bool operator==(const Refusal&, const Refusal&) = default;
};

// Every precondition that fails, in the order above. Empty: go.
std::vector<Refusal> refusals(const Plan& plan, const audit::Spec& spec,
                              const audit::Readers& readers, const Overrides& overrides,
                              std::int64_t now_ms);

void check_plan(const Plan& plan, const audit::Spec& spec, const audit::Readers& readers,
                const Overrides& overrides, std::int64_t now_ms);

// The most deletes that a plan over `entries_held` entries may hold without an override: 1,000 or
// 5 % of the entries, whichever is less, or what the spec says.
std::uint64_t deletes_allowed(const audit::LimitsSpec& limits, std::uint64_t entries_held);

}  // namespace idxfsck::repair
