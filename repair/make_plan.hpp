// repair/make_plan.hpp
//
// Findings in, operations out: what mends each finding, and in which order.
//
// Shape    Adds come first, then replaces, fixes of copies, deletes, and what only a person can
//          decide; each in the order of the report. At most one operation writes a row or a member.
//          A delete names in `after` every add of the same base row in the same index. The entry of
//          a stale holder and the base row that derives its key are one `replace_entry`, never a
//          delete and a put.
// Errors   None for what the findings hold: what cannot be written safely becomes `manual` and says
//          why (repair/README.md has the table).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/coverage.hpp"
#include "audit/spec.hpp"
#include "repair/plan.hpp"

namespace idxfsck::repair {

constexpr std::int64_t plan_valid_ms_default = 7LL * 24 * 60 * 60 * 1000;

struct PlanOptions {
    std::vector<audit::FindingKind> kinds;  // findings to plan for; empty: all
    bool no_deletes = false;                // leave delete_entry and remove_member out
    std::optional<std::uint64_t> limit;     // operations at most
    std::int64_t now_ms = 0;                // Unix time
    std::int64_t valid_ms = plan_valid_ms_default;
    std::string tool_version;
    std::string spec_file;                  // relative to the folder of the plan
};

Plan make_plan(const audit::Spec& spec, const audit::AuditResult& result,
               const PlanOptions& options);

}  // namespace idxfsck::repair
