#include "repair/limits.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

// The header's own count is not asked: it says what the plan was meant to be.
std::uint64_t deletes_of(const Plan& plan) {
    const auto is_delete = [](const Operation& operation) { return deletes(operation.kind); };
    return static_cast<std::uint64_t>(
        std::count_if(plan.operations.begin(), plan.operations.end(), is_delete));
}

std::string text(std::uint64_t number) { return std::to_string(number); }

void check_stores(const Plan& plan, const audit::Readers& readers,
                  std::vector<Refusal>& refusals) {
    const std::map<std::string, std::string> planned{plan.header.stores.begin(),
                                                     plan.header.stores.end()};
    for (const auto& [name, reader] : readers) {
        const auto found = planned.find(name);
        if (found != planned.end() && found->second == reader->identity()) continue;
        refusals.push_back({"other_store",
                            "store `" + name + "` is not the one that the plan was made for",
                            "--allow-other-store"});
    }
}

}  // namespace

std::uint64_t deletes_allowed(const audit::LimitsSpec& limits, std::uint64_t entries_held) {
    const double share = std::floor(limits.deletes_share_max * static_cast<double>(entries_held));
    // Not a number, negative, or more than a count can say: the other limit stands alone.
    if (!(share >= 0)) return 0;
    if (share >= static_cast<double>(limits.deletes_max)) return limits.deletes_max;
    return static_cast<std::uint64_t>(share);
}

std::vector<Refusal> refusals(const Plan& plan, const audit::Spec& spec,
                              const audit::Readers& readers, const Overrides& overrides,
                              std::int64_t now_ms) {
    std::vector<Refusal> result;
    const std::uint64_t planned = deletes_of(plan);
    const std::uint64_t allowed = overrides.deletes_max.value_or(
        deletes_allowed(spec.limits, plan.header.entries_held));
    if (planned > allowed) {
        result.push_back({"too_many_deletes",
                          text(planned) + " deletes, and at most " + text(allowed) +
                              " are allowed over " + text(plan.header.entries_held) + " entries",
                          "--max-deletes " + text(planned)});
    }
    if (!overrides.expired && now_ms > plan.header.expires_ms) {
        result.push_back({"plan_expired",
                          "the plan expired " +
                              text(static_cast<std::uint64_t>(now_ms - plan.header.expires_ms) /
                                   1000) +
                              " seconds ago",
                          "--allow-expired"});
    }
    if (!overrides.other_spec && spec.digest != plan.header.spec_digest) {
        result.push_back({"other_spec", "the spec is not the one that the plan was made with",
                          "--allow-other-spec"});
    }
    if (!overrides.other_store) check_stores(plan, readers, result);
    if (!overrides.other_version && plan.header.tool_version != IDXFSCK_VERSION) {
        result.push_back({"other_version",
                          "the plan was made by version " + plan.header.tool_version +
                              ", and this is " + IDXFSCK_VERSION,
                          "--allow-other-version"});
    }
    return result;
}

void check_plan(const Plan& plan, const audit::Spec& spec, const audit::Readers& readers,
                const Overrides& overrides, std::int64_t now_ms) {
    const std::vector<Refusal> all = refusals(plan, spec, readers, overrides, now_ms);
    if (all.empty()) return;
    store::Error error{"the plan is refused", store::Trouble::refused};
    std::string options;
    for (const Refusal& refusal : all) {
        error.with(refusal.code, refusal.text);
        if (options.find(refusal.option) != std::string::npos) continue;
        options.append(options.empty() ? "" : " ").append(refusal.option);
    }
    error.hint("audit and plan again; or, if this is what you want, add: " + options);
    throw error;
}

}  // namespace idxfsck::repair
