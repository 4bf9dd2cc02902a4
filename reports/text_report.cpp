#include "reports/text_report.hpp"

namespace idxfsck::reports {

std::string text_report(const audit::AuditResult& result, const TextOptions& options,
                        const Style& style) {
    return findings_text(result, options, style) + coverage_text(result, options) +
           verdict_text(result, options, style);
}

}  // namespace idxfsck::reports
