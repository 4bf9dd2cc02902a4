// audit/result_json.hpp
//
// The result of an audit on disk: audit.json, with the summary and the coverage, and
// findings.ndjson. Fields and an example in repair/FORMATS.md.
//
// Errors   Reading throws Error (usage) for what is no audit folder or does not fit together: the
//          summary holds the count and the digest of the findings, so that a folder that lost part
//          of them does not look clean. Error (refused) for an unknown major format version.

#pragma once

#include <string>
#include <string_view>

#include "audit/coverage.hpp"

namespace idxfsck::audit {

constexpr int audit_format_version = 1;
constexpr std::size_t result_bytes_max = std::size_t{16} << 30;

struct ResultFiles {
    std::string summary;   // audit.json
    std::string findings;  // findings.ndjson
};

std::string_view verdict_name(Verdict verdict);

ResultFiles write_result(const AuditResult& result, std::string_view tool_version);
AuditResult read_result(std::string_view summary, std::string_view findings);

// To and from a folder; each file is replaced as a whole, findings first. `spec_file` stands there
// in place of the one of the result.
void save_result(const std::string& folder, const AuditResult& result, std::string_view spec_file,
                 std::string_view tool_version);
AuditResult load_result(const std::string& folder);

}  // namespace idxfsck::audit
