// reports/commands/audit_output.hpp
//
// What `audit` and `merge` have in common: options, and what becomes of the result.
//
// Errors   Throws Error (usage) for values that make no sense.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/audit_run.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/expectations.hpp"
#include "reports/progress_line.hpp"

namespace idxfsck::reports {

// --memory and --threads, and a stop by a signal.
audit::AuditOptions reconciling_options(const Arguments& arguments);

std::optional<std::uint64_t> count_up_to(const Arguments& arguments, std::string_view name,
                                         std::uint64_t max);

// The answer key of --expect, if it was given.
std::optional<std::vector<Expectation>> expected_findings(const Arguments& arguments);

// Compares with the key, prints what differs, and gives the exit status.
int compare_with(const std::vector<Expectation>& expected, const audit::AuditResult& result,
                 Streams& streams);

// As whom and where the services are read that bill their reads; nothing of other stores.
void print_identities(const audit::Readers& readers, Streams& streams);

// How far an audit is, on `line`.
std::function<void(const audit::Progress&)> shown_on(ProgressLine& line);

}  // namespace idxfsck::reports
