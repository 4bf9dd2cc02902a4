#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/finding_text.hpp"
#include "reports/plural.hpp"
#include "reports/text_report.hpp"

namespace idxfsck::reports {

namespace {

using audit::Finding;
using audit::FindingKind;

constexpr std::size_t kind_count = static_cast<std::size_t>(FindingKind::malformed_entry) + 1;
constexpr std::size_t detail_indent = 6;

struct Line {
    FindingWords words;
    std::string details;
};

// The findings of one index, as they are shown.
class IndexFindings {
public:
    explicit IndexFindings(std::vector<const Finding*> findings) : findings_{std::move(findings)} {
        for (const Finding* finding : findings_) by_id_[finding->id] = finding;
    }

    std::size_t size() const { return findings_.size(); }

    // Lines, and how many findings they stand for. 0 lines at most: all.
    std::vector<Line> lines(const TextOptions& options, std::size_t& shown) const {
        std::vector<Line> lines;
        std::set<const Finding*> told;
        for (const Finding* finding : findings_) {
            if (options.findings_max > 0 && lines.size() == options.findings_max) break;
            if (!told.insert(finding).second) continue;
            const Finding* other = other_half(*finding);
            if (other != nullptr) told.insert(other);
            lines.push_back(line_of(*finding, other, options));
        }
        shown = told.size();
        return lines;
    }

    // "2 orphaned_write, 1 stale_pointer (1 moved)".
    std::string counts() const {
        std::array<std::uint64_t, kind_count> by_kind{};
        std::uint64_t halves = 0;
        for (const Finding* finding : findings_) {
            ++by_kind.at(static_cast<std::size_t>(finding->kind));
            halves += other_half(*finding) == nullptr ? 0 : 1;
        }
        std::string text;
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            if (by_kind[kind] == 0) continue;
            text.append(text.empty() ? "" : ", ").append(grouped(by_kind[kind])).append(" ");
            text.append(kind_name(static_cast<FindingKind>(kind)));
        }
        if (halves > 0) text.append(fmt::format("; {} moved", grouped(halves / 2)));
        return text;
    }

private:
    // The other half of a move: linked both ways, one a stale pointer and one an orphaned write.
    const Finding* other_half(const Finding& finding) const {
        const auto found = by_id_.find(finding.linked);
        if (finding.linked.empty() || found == by_id_.end()) return nullptr;
        const Finding& other = *found->second;
        const bool mutual = other.linked == finding.id;
        const bool stale = finding.kind == FindingKind::stale_pointer;
        const FindingKind wanted =
            stale ? FindingKind::orphaned_write : FindingKind::stale_pointer;
        const bool half = stale || finding.kind == FindingKind::orphaned_write;
        return mutual && half && other.kind == wanted ? &other : nullptr;
    }

    static Line line_of(const Finding& finding, const Finding* other, const TextOptions& options) {
        Line line;
        if (other == nullptr) {
            line.words = finding_words(finding);
        } else if (finding.kind == FindingKind::stale_pointer) {
            line.words = move_words(finding, *other);
        } else {
            line.words = move_words(*other, finding);
        }
        if (options.show_values) line.details = difference_lines(finding, detail_indent);
        return line;
    }

    std::vector<const Finding*> findings_;
    std::map<std::string_view, const Finding*> by_id_;
};

std::string marked(const std::string& marker, const Style& style) {
    if (marker == "+") return style.green(marker);
    if (marker == "-") return style.red(marker);
    return style.yellow(marker);
}

std::string lines_text(const std::vector<Line>& lines, const Style& style) {
    std::size_t kind_columns = 0;
    std::size_t cause_columns = 0;
    for (const Line& line : lines) {
        kind_columns = std::max(kind_columns, line.words.kind.size());
        cause_columns = std::max(cause_columns, line.words.cause.size());
    }
    std::string text;
    for (const Line& line : lines) {
        text.append(fmt::format("  {} {:<{}}  ", marked(line.words.marker, style), line.words.kind,
                                kind_columns));
        const std::string cause = fmt::format("{:<{}}  ", line.words.cause, cause_columns);
        if (cause_columns > 0) text.append(cause);
        text.append(line.words.facts).append(line.details).append("\n");
    }
    return text;
}

std::string index_text(std::string_view name, const IndexFindings& findings,
                       const TextOptions& options, const Style& style) {
    if (findings.size() == 0) return "";
    std::string text = style.bold(escape_terminal(name));
    std::size_t shown = 0;
    const std::vector<Line> lines = findings.lines(options, shown);
    text.append(": ").append(counted(findings.size(), "finding", "findings"));
    text.append(": ").append(findings.counts()).append("\n").append(lines_text(lines, style));
    if (shown < findings.size()) {
        text.append(fmt::format("  showing {} of {} findings\n", grouped(shown),
                                grouped(findings.size())));
    }
    return text;
}

}  // namespace

std::string findings_text(const audit::AuditResult& result, const TextOptions& options,
                          const Style& style) {
    std::map<std::string_view, std::vector<const Finding*>> by_index;
    for (const Finding& finding : result.findings) by_index[finding.index].push_back(&finding);
    std::string text;
    for (const audit::IndexCoverage& index : result.coverage.indexes) {
        const IndexFindings findings{by_index[index.index]};
        text.append(index_text(index.index, findings, options, style));
        by_index.erase(index.index);
    }
    // A result read from a file may name an index that its coverage does not.
    for (const auto& [name, findings] : by_index) {
        text.append(index_text(name, IndexFindings{findings}, options, style));
    }
    return text.empty() ? text : text + "\n";
}

}  // namespace idxfsck::reports
