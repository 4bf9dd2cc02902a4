#include "reports/json_report.hpp"

#include "audit/result_json.hpp"
#include "reports/json_text.hpp"
#include "reports/time_text.hpp"

namespace idxfsck::reports {

namespace {

using Json = nlohmann::ordered_json;

// Everything but the findings, as members without the closing brace.
std::string summary_text(const audit::AuditResult& result, int exit_code,
                         const std::string& summary) {
    // Our own text, written a moment ago: it parses.
    const Json written = Json::parse(summary);
    Json report = Json::object();
    for (const auto& [name, value] : written.items()) {
        if (name == "findings") continue;
        report[name] = value;
        if (name == "verdict") report["exit_code"] = exit_code;
    }
    report["begin"] = time_text(result.coverage.begin_ms);
    report["end"] = time_text(result.coverage.end_ms);
    report["findings_count"] = result.findings.size();
    std::string text = json_text(report);
    text.erase(text.find_last_of('}'));
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace

void print_json_report(const audit::AuditResult& result, int exit_code, Output& out) {
    const audit::ResultFiles files = audit::write_result(result, IDXFSCK_VERSION);
    out.write(summary_text(result, exit_code, files.summary));
    out.write(",\n  \"findings\": [");
    const char* before = "\n    ";
    std::string_view lines = files.findings;
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n');
        out.write(before);
        out.write(json_line(Json::parse(lines.substr(0, end))));
        lines.remove_prefix(end + 1);
        before = ",\n    ";
    }
    out.write("\n  ]\n}\n");
}

void hide_values(audit::AuditResult& result) {
    for (audit::Finding& finding : result.findings) {
        for (audit::Difference& difference : finding.differences) {
            difference.expected.reset();
            difference.actual.reset();
        }
    }
}

}  // namespace idxfsck::reports
