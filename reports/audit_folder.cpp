#include "reports/audit_folder.hpp"

#include <filesystem>

#include "audit/result_json.hpp"

namespace idxfsck::reports {

namespace {

namespace fs = std::filesystem;

}  // namespace

std::string default_folder(const std::string& spec_file) {
    const std::string stem = fs::path{spec_file}.stem().string();
    return (stem.empty() ? "idxfsck" : stem) + ".audit";
}

void save_audit(const std::string& folder, const audit::AuditResult& result) {
    audit::save_result(folder, result, seen_from(folder, result.spec_file), IDXFSCK_VERSION);
}

audit::AuditResult load_audit(const std::string& folder) {
    audit::AuditResult result = audit::load_result(folder);
    result.spec_file = spec_beside(folder, result.spec_file);
    return result;
}

std::string spec_beside(const std::string& folder, const std::string& relative) {
    return (fs::path{folder} / relative).lexically_normal().string();
}

std::string seen_from(const std::string& folder, const std::string& file) {
    std::error_code error;
    const fs::path relative = fs::relative(file, folder, error);
    return error || relative.empty() ? file : relative.string();
}

}  // namespace idxfsck::reports
