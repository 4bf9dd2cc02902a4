// reports/audit_folder.hpp
//
// The folder that an audit leaves behind: audit.json and findings.ndjson; later plan.ndjson and
// journal.ndjson beside them.
//
// Shape    Mode 0700, files 0600. The spec's path in it is relative to the folder, so that both can
//          be moved together, and no file holds a path of the machine.
// Errors   As audit/result_json.hpp and store/private_file.hpp.

#pragma once

#include <string>

#include "audit/coverage.hpp"

namespace idxfsck::reports {

// "shop.audit", in the current folder, for shop.toml anywhere.
std::string default_folder(const std::string& spec_file);

void save_audit(const std::string& folder, const audit::AuditResult& result);
// With the path of the spec as it is from here.
audit::AuditResult load_audit(const std::string& folder);

// The spec of an audit or a plan that lies in `folder` and names it as `relative`.
std::string spec_beside(const std::string& folder, const std::string& relative);

// `file` seen from `folder`, which must be there.
std::string seen_from(const std::string& folder, const std::string& file);

}  // namespace idxfsck::reports
