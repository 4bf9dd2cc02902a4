// reports/json_report.hpp
//
// The result of an audit for scripts: one JSON document; fields in FORMATS.md.

#pragma once

#include "audit/coverage.hpp"
#include "reports/output.hpp"

namespace idxfsck::reports {

// The summary as in audit.json, then all findings, one a line, as in findings.ndjson.
void print_json_report(const audit::AuditResult& result, int exit_code, Output& out);

// Takes the values out of copies that differ; the names stay.
void hide_values(audit::AuditResult& result);

}  // namespace idxfsck::reports
