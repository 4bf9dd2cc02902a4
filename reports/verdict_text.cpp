#include <algorithm>

#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/plural.hpp"
#include "reports/shell_text.hpp"
#include "reports/text_report.hpp"

namespace idxfsck::reports {

namespace {

std::size_t indexes_with_findings(const audit::AuditResult& result) {
    std::vector<std::string_view> names;
    for (const audit::Finding& finding : result.findings) names.push_back(finding.index);
    std::sort(names.begin(), names.end());
    return static_cast<std::size_t>(std::unique(names.begin(), names.end()) - names.begin());
}

std::string drift_words(const audit::AuditResult& result) {
    return fmt::format("{} in {} of {}", counted(result.findings.size(), "finding", "findings"),
                       grouped(indexes_with_findings(result)),
                       counted(result.coverage.indexes.size(), "index", "indexes"));
}

std::string doubt_words(const audit::AuditResult& result) {
    const audit::Coverage& coverage = result.coverage;
    std::string text;
    if (!coverage.gaps.empty()) {
        text = counted(coverage.gaps.size(), "part was not read", "parts were not read");
    }
    if (!coverage.doubts.empty()) {
        text.append(text.empty() ? "" : ", ");
        text.append(counted(coverage.doubts.size(), "doubt", "doubts"));
    }
    return text;
}

std::string meaning(const audit::AuditResult& result) {
    switch (result.verdict()) {
        case audit::Verdict::consistent:
            if (!result.findings.empty()) {
                return "the spec calls all of these findings information; nothing was written\n";
            }
            return "consistent means: every entry that a base row calls for was there, and no "
                   "other; all was read\n";
        case audit::Verdict::drift:
            return "every finding was confirmed by reading it again; nothing was written\n";
        case audit::Verdict::could_not_tell:
            return "no statement about what was not read; nothing was written\n";
    }
    return "";
}

std::string next_line(const audit::AuditResult& result, const TextOptions& options) {
    if (!options.next.empty()) return "next: " + options.next + "\n";
    const bool done = result.verdict() == audit::Verdict::consistent && result.findings.empty();
    if (options.folder.empty() || done) return "";
    const std::string folder = shell_word(options.folder);
    if (!result.findings.empty()) return "next: idxfsck plan " + folder + "\n";
    return "next: mend what is named above, then audit again\n";
}

}  // namespace

std::string verdict_line(const audit::AuditResult& result) {
    switch (result.verdict()) {
        case audit::Verdict::consistent:
            return fmt::format("CONSISTENT: {}, {}",
                               counted(result.coverage.indexes.size(), "index", "indexes"),
                               result.findings.empty()
                                   ? "nothing differs"
                                   : drift_words(result) + ", for information only");
        case audit::Verdict::drift: return "DRIFT: " + drift_words(result);
        case audit::Verdict::could_not_tell:
            return fmt::format("COULD NOT TELL: {}; {}", doubt_words(result),
                               result.findings.empty() ? "nothing found in the rest"
                                                       : drift_words(result));
    }
    return "";
}

std::string verdict_text(const audit::AuditResult& result, const TextOptions& options,
                         const Style& style) {
    std::string line = verdict_line(result);
    switch (result.verdict()) {
        case audit::Verdict::consistent: line = style.green(line); break;
        case audit::Verdict::drift: line = style.red(line); break;
        case audit::Verdict::could_not_tell: line = style.yellow(line); break;
    }
    return meaning(result) + "\n" + line + "\n" + next_line(result, options);
}

}  // namespace idxfsck::reports
