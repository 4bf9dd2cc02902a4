#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/plural.hpp"
#include "reports/text_report.hpp"
#include "reports/time_text.hpp"

namespace idxfsck::reports {

namespace {

using audit::IndexCoverage;

struct Column {
    std::string_view title;
    std::uint64_t IndexCoverage::*count;
    bool always;  // else only where an index has some
};

constexpr Column columns[] = {
    {"base rows", &IndexCoverage::base_rows, true},
    {"partial", &IndexCoverage::base_rows_partial, false},
    {"exempt", &IndexCoverage::base_rows_exempt, false},
    {"expected", &IndexCoverage::entries_expected, true},
    {"entries", &IndexCoverage::entries_held, true},
    {"shared", &IndexCoverage::shared, false},
    {"legacy", &IndexCoverage::legacy, false},
    {"suspects", &IndexCoverage::suspects, false},
    {"settled", &IndexCoverage::settled, false},
    {"unverifiable", &IndexCoverage::unverifiable, false},
    {"findings", &IndexCoverage::findings, true},
};

bool is_shown(const Column& column, const std::vector<IndexCoverage>& indexes) {
    const auto counts = [&](const IndexCoverage& index) { return index.*column.count > 0; };
    return column.always || std::any_of(indexes.begin(), indexes.end(), counts);
}

std::string counts_table(const std::vector<IndexCoverage>& indexes) {
    std::size_t name_columns = 0;
    std::vector<std::string> lines(indexes.size() + 1);
    for (std::size_t row = 0; row < indexes.size(); ++row) {
        lines[row + 1] = escape_terminal(indexes[row].index);
        name_columns = std::max(name_columns, lines[row + 1].size());
    }
    for (std::string& line : lines) line = fmt::format("  {:<{}}", line, name_columns);
    for (const Column& column : columns) {
        if (!is_shown(column, indexes)) continue;
        std::size_t width = column.title.size();
        for (const IndexCoverage& index : indexes) {
            width = std::max(width, grouped(index.*column.count).size());
        }
        lines[0].append(fmt::format("  {:>{}}", column.title, width));
        for (std::size_t row = 0; row < indexes.size(); ++row) {
            const std::string count = grouped(indexes[row].*column.count);
            lines[row + 1].append(fmt::format("  {:>{}}", count, width));
        }
    }
    std::string text;
    for (const std::string& line : lines) text.append(line).append("\n");
    return text;
}

std::string table_line(const audit::TableCoverage& table, bool verbose) {
    std::string text = fmt::format("  read {}/{}: {}", escape_terminal(table.store),
                                   escape_terminal(table.table),
                                   counted(table.rows, "row", "rows"));
    if (table.rows_other > 0) text.append(", " + grouped(table.rows_other) + " of other kinds");
    if (table.rows_damaged > 0) text.append(", " + grouped(table.rows_damaged) + " damaged");
    if (verbose || table.partitions_read != table.partitions) {
        text.append(fmt::format(", {} of {}", grouped(table.partitions_read),
                                counted(table.partitions, "partition", "partitions")));
    }
    return text.append("\n");
}

// The odds that any difference was missed, rounded up to a power of ten.
std::string odds_text(const std::vector<IndexCoverage>& indexes) {
    double odds = 0;
    for (const IndexCoverage& index : indexes) odds += index.miss_probability;
    if (!(odds > 0)) return "no difference can have been missed in what was read";
    if (odds >= 0.1) return fmt::format("odds of a missed difference: {:.2f}", std::min(odds, 1.0));
    return fmt::format("odds of a missed difference: below 1e{:+03}",
                       static_cast<int>(std::ceil(std::log10(odds))));
}

std::string window_text(const audit::AuditResult& result, bool verbose) {
    const audit::Coverage& coverage = result.coverage;
    std::string text = coverage.snapshot
                           ? "  all read from one snapshot"
                           : "  read while the store was in use; suspects were read again";
    text.append("; ").append(odds_text(coverage.indexes)).append("\n");
    if (!verbose) return text;
    text.append(fmt::format("  window {} to {}, now {}, seed {}\n", time_text(coverage.begin_ms),
                            time_text(coverage.end_ms), time_text(result.now_ms), result.seed));
    return text;
}

std::string gap_line(const audit::Gap& gap) {
    return fmt::format("  not read: {} {}: {}\n", escape_terminal(gap.table),
                       escape_terminal(gap.partition), escape_terminal(gap.cause));
}

std::string doubt_lines(const audit::Doubt& doubt) {
    std::string text = fmt::format("  in doubt: {}: {}\n", escape_terminal(doubt.subject),
                                   escape_terminal(doubt.text));
    if (doubt.hint.empty()) return text;
    return text.append("    hint: ").append(escape_terminal(doubt.hint)).append("\n");
}

}  // namespace

std::string coverage_text(const audit::AuditResult& result, const TextOptions& options) {
    const audit::Coverage& coverage = result.coverage;
    std::string text{"\ncoverage\n"};
    text.append(counts_table(coverage.indexes));
    for (const audit::TableCoverage& table : coverage.tables) {
        text.append(table_line(table, options.verbose));
    }
    text.append(window_text(result, options.verbose));
    for (const audit::Gap& gap : coverage.gaps) text.append(gap_line(gap));
    for (const audit::Doubt& doubt : coverage.doubts) text.append(doubt_lines(doubt));
    return text;
}

}  // namespace idxfsck::reports
