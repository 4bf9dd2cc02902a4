// reports/commands/audit_share.hpp
//
// `audit` as one of several: it makes the parameters that all shares have in common, or scans one
// share into a sketch for `merge`.
//
// Errors   Throws Error (usage) for options that do not go together, and what the audit throws.

#pragma once

#include <memory>
#include <vector>

#include "audit/audit_run.hpp"
#include "reports/command.hpp"
#include "store/run_limits.hpp"

namespace idxfsck::reports {

void add_share_options(std::vector<Option>& options);

// Is it about parameters or a share, and not a whole audit?
bool asks_for_share(const Arguments& arguments);

// `options`: those of a whole audit. Returns the exit status.
int run_share_of(const audit::Spec& spec, audit::AuditOptions options,
                 const std::shared_ptr<store::RunLimits>& limits, const Arguments& arguments,
                 Streams& streams);

}  // namespace idxfsck::reports
