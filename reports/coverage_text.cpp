#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "reports/cost_text.hpp"
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
    enum { always, if_some, verbose } shown;
};

constexpr Column columns[] = {
    {"base rows", &IndexCoverage::base_rows, Column::always},
    {"partial", &IndexCoverage::base_rows_partial, Column::if_some},
    {"exempt", &IndexCoverage::base_rows_exempt, Column::if_some},
    {"expired", &IndexCoverage::base_rows_expired, Column::if_some},
    {"uncovered", &IndexCoverage::base_rows_uncovered, Column::if_some},
    {"expected", &IndexCoverage::entries_expected, Column::always},
    {"entries", &IndexCoverage::entries_held, Column::always},
    {"shared", &IndexCoverage::shared, Column::if_some},
    {"legacy", &IndexCoverage::legacy, Column::if_some},
    {"expiring", &IndexCoverage::expiring, Column::if_some},
    {"suspects", &IndexCoverage::suspects, Column::verbose},
    {"settled", &IndexCoverage::settled, Column::if_some},
    {"unverifiable", &IndexCoverage::unverifiable, Column::if_some},
    {"findings", &IndexCoverage::findings, Column::always},
};

bool is_shown(const Column& column, const std::vector<IndexCoverage>& indexes, bool verbose) {
    const auto counts = [&](const IndexCoverage& index) { return index.*column.count > 0; };
    if (column.shown != Column::if_some) return verbose || column.shown == Column::always;
    return std::any_of(indexes.begin(), indexes.end(), counts);
}

std::string counts_table(const std::vector<IndexCoverage>& indexes, bool verbose) {
    std::size_t name_columns = std::string_view{"index"}.size();
    std::vector<std::string> lines(indexes.size() + 1, "index");
    for (std::size_t row = 0; row < indexes.size(); ++row) {
        lines[row + 1] = escape_terminal(indexes[row].index);
        name_columns = std::max(name_columns, lines[row + 1].size());
    }
    for (std::string& line : lines) line = fmt::format("{:<{}}", line, name_columns);
    for (const Column& column : columns) {
        if (!is_shown(column, indexes, verbose)) continue;
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

std::string row_words(const audit::TableCoverage& table) {
    std::string text = counted(table.rows, "row", "rows");
    if (table.rows_other > 0) text.append(", " + grouped(table.rows_other) + " of other kinds");
    if (table.rows_damaged > 0) text.append(", " + grouped(table.rows_damaged) + " damaged");
    if (table.pages_reread > 0) {
        text.append(", " + counted(table.pages_reread, "page", "pages") + " read again");
    }
    return text;
}

std::string table_line(const audit::TableCoverage& table) {
    return fmt::format("read {} of {} of {}/{}: {}\n", grouped(table.partitions_read),
                       counted(table.partitions, "partition", "partitions"),
                       escape_terminal(table.store), escape_terminal(table.table),
                       row_words(table));
}

bool is_whole(const audit::TableCoverage& table) {
    return table.partitions_read == table.partitions && table.rows_damaged == 0;
}

// One line for all tables that were read to their end; one for each other.
std::string table_lines(const std::vector<audit::TableCoverage>& tables, bool verbose) {
    audit::TableCoverage sum;
    std::uint64_t whole = 0;
    std::string others;
    for (const audit::TableCoverage& table : tables) {
        if (verbose || !is_whole(table)) {
            others.append(table_line(table));
            continue;
        }
        ++whole;
        sum.rows += table.rows;
        sum.rows_other += table.rows_other;
        sum.pages_reread += table.pages_reread;
    }
    if (whole == 0) return others;
    return fmt::format("read {} to the end: {}\n", counted(whole, "table", "tables"),
                       row_words(sum)) + others;
}

std::string cost_lines(const std::vector<audit::TableCoverage>& tables) {
    std::string text;
    store::ReadCost sum;
    std::size_t count = 0;
    for (const audit::TableCoverage& table : tables) {
        if (!table.cost) continue;
        ++count;
        text.append(cost_line(escape_terminal(table.store) + "/" + escape_terminal(table.table),
                              *table.cost));
        sum.scan_units += table.cost->scan_units;
        sum.point_units += table.cost->point_units;
        sum.requests += table.cost->requests;
        sum.retries += table.cost->retries;
        sum.throttles += table.cost->throttles;
        if (table.cost->dollars) sum.dollars = sum.dollars.value_or(0.0) + *table.cost->dollars;
    }
    return count < 2 ? text : text + cost_line("all tables", sum);
}

// Which engine compared what, and why that one.
std::string engine_lines(const std::vector<IndexCoverage>& indexes) {
    std::string text;
    for (const IndexCoverage& index : indexes) {
        text.append(fmt::format("compared {} by engine {}", escape_terminal(index.index),
                                escape_terminal(index.engine)));
        if (!index.engine_reason.empty()) {
            text.append(": ").append(escape_terminal(index.engine_reason));
        }
        text.append("\n");
    }
    return text;
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

// From the first of the exports to the last one.
struct ExportTimes {
    std::int64_t first_ms = 0;
    std::int64_t last_ms = 0;
    std::string live_store;  // where suspects were looked at again, if anywhere
};

// Nothing if no table was an export.
std::optional<ExportTimes> export_times(const std::vector<audit::TableCoverage>& tables) {
    std::optional<ExportTimes> times;
    for (const audit::TableCoverage& table : tables) {
        if (!table.as_of_ms) continue;
        if (!times) times = ExportTimes{*table.as_of_ms, *table.as_of_ms, table.live_store};
        times->first_ms = std::min(times->first_ms, *table.as_of_ms);
        times->last_ms = std::max(times->last_ms, *table.as_of_ms);
    }
    return times;
}

// Whose rows were read; the answer holds for that time, and not for now.
std::string export_words(const ExportTimes& times) {
    std::string text = "as of the export of " + time_text(times.first_ms);
    if (times.last_ms != times.first_ms) {
        std::int64_t apart = 0;
        if (__builtin_sub_overflow(times.last_ms, times.first_ms, &apart)) apart = INT64_MAX;
        text = "as of exports from " + time_text(times.first_ms) + " to " +
               time_text(times.last_ms) + ", " + duration_text(apart) + " apart";
    }
    if (times.live_store.empty()) return text + "; nothing newer was looked at";
    return text + "; suspects were looked at again in store " + escape_terminal(times.live_store);
}

std::string moment_words(const audit::Coverage& coverage) {
    if (const auto times = export_times(coverage.tables)) return export_words(*times);
    return coverage.snapshot ? "all read from one snapshot"
                             : "read while the store was in use; suspects were read again";
}

std::string window_text(const audit::AuditResult& result, bool verbose) {
    const audit::Coverage& coverage = result.coverage;
    std::string text = moment_words(coverage);
    text.append("; ").append(odds_text(coverage.indexes)).append("\n");
    if (!verbose) return text;
    text.append(fmt::format("window {} to {}, now {}, seed {}\n", time_text(coverage.begin_ms),
                            time_text(coverage.end_ms), time_text(result.now_ms), result.seed));
    return text;
}

// Of an audit that was added up: how many shares, and those of which there was a choice.
std::string share_lines(const std::vector<audit::ShareCoverage>& shares, bool verbose) {
    if (shares.empty()) return "";
    std::string text =
        fmt::format("added up from {}\n", counted(shares.size(), "share", "shares"));
    for (const audit::ShareCoverage& share : shares) {
        if (verbose) {
            text.append(fmt::format("  share {}: {} to {}\n", escape_terminal(share.share),
                                    time_text(share.begin_ms), time_text(share.end_ms)));
        }
        if (share.contents < 2) continue;
        text.append(fmt::format("  share {} came in {} versions; kept the one with the fewest "
                                "gaps, of these the latest\n",
                                escape_terminal(share.share), grouped(share.contents)));
    }
    return text;
}

// An audit that was stopped has a gap for every partition that was left.
constexpr std::size_t gaps_shown_max = 10;

std::string gap_line(const audit::Gap& gap) {
    return fmt::format("not read: {} {}: {}\n", escape_terminal(gap.table),
                       escape_terminal(gap.partition), escape_terminal(gap.cause));
}

std::string gap_lines(const std::vector<audit::Gap>& gaps, std::size_t lines_max) {
    const std::size_t shown = std::min(gaps.size(), lines_max);
    std::string text;
    for (std::size_t number = 0; number < shown; ++number) text.append(gap_line(gaps[number]));
    if (shown == gaps.size()) return text;
    return text + fmt::format("  showing {} of {}\n", grouped(shown),
                              counted(gaps.size(), "part not read", "parts not read"));
}

std::string doubt_lines(const audit::Doubt& doubt) {
    std::string text = fmt::format("in doubt: {}: {}\n", escape_terminal(doubt.subject),
                                   escape_terminal(doubt.text));
    if (doubt.hint.empty()) return text;
    return text.append("  hint: ").append(escape_terminal(doubt.hint)).append("\n");
}

}  // namespace

std::string coverage_text(const audit::AuditResult& result, const TextOptions& options) {
    const audit::Coverage& coverage = result.coverage;
    std::string text = counts_table(coverage.indexes, options.verbose);
    text.append(table_lines(coverage.tables, options.verbose));
    text.append(cost_lines(coverage.tables));
    if (options.verbose) text.append(engine_lines(coverage.indexes));
    text.append(window_text(result, options.verbose));
    text.append(share_lines(coverage.shares, options.verbose));
    text.append(gap_lines(coverage.gaps, options.verbose ? coverage.gaps.size() : gaps_shown_max));
    for (const audit::Doubt& doubt : coverage.doubts) text.append(doubt_lines(doubt));
    return text;
}

}  // namespace idxfsck::reports
