#include "reports/plan_text.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/value_text.hpp"

namespace idxfsck::reports {

namespace {

using repair::Operation;
using repair::Outcome;

std::string facts_of(const Operation& operation, const std::string& why) {
    std::string text = key_text(operation.entry.key);
    if (operation.base) {
        text.append(" -> ").append(key_text(operation.base->key));
    } else if (!operation.entry.pointer.empty()) {
        text.append(" -> ").append(key_text(operation.entry.pointer));
    }
    const bool inside = operation.base && operation.index_row &&
                        operation.base->table == operation.index_row->table &&
                        operation.base->key == operation.index_row->key;
    if (inside && operation.kind != repair::OperationKind::manual) {
        text.append(", in the base row");
    } else if (operation.holder && !inside) {
        text.append(", held by ").append(key_text(operation.holder->key));
    }
    return why.empty() ? text : text + ": " + escape_terminal(why);
}

bool is_done(Outcome outcome) {
    return outcome == Outcome::applied || outcome == Outcome::already;
}

std::string padded_columns(const OperationLine& line, const std::vector<std::size_t>& widths) {
    std::string text = "  " + line.id;
    for (std::size_t column = 0; column < line.columns.size(); ++column) {
        text.append(fmt::format("  {:<{}}", line.columns[column], widths[column]));
    }
    return text;
}

}  // namespace

std::string operation_lines(const std::vector<OperationLine>& lines, std::size_t lines_max) {
    const std::size_t shown =
        lines_max == 0 ? lines.size() : std::min(lines.size(), lines_max);
    std::vector<std::size_t> widths;
    for (std::size_t number = 0; number < shown; ++number) {
        widths.resize(std::max(widths.size(), lines[number].columns.size()));
        for (std::size_t column = 0; column < lines[number].columns.size(); ++column) {
            widths[column] = std::max(widths[column], lines[number].columns[column].size());
        }
    }
    std::string text;
    for (std::size_t number = 0; number < shown; ++number) {
        text.append(padded_columns(lines[number], widths)).append("  ");
        text.append(lines[number].facts).append("\n");
    }
    if (shown == lines.size()) return text;
    return text + fmt::format("  showing {} of {}\n", grouped(shown), grouped(lines.size()));
}

std::vector<OperationLine> plan_lines(const repair::Plan& plan, bool with_why) {
    std::vector<OperationLine> lines;
    for (const Operation& operation : plan.operations) {
        const bool why = with_why || operation.kind == repair::OperationKind::manual;
        lines.push_back({escape_terminal(operation.id),
                         {std::string{operation_name(operation.kind)},
                          escape_terminal(operation.index)},
                         facts_of(operation, why ? operation.why : "")});
    }
    return lines;
}

std::vector<OperationLine> outcome_lines(const repair::Plan& plan,
                                         const repair::RepairResult& result, bool all) {
    std::map<std::string_view, const Operation*> by_id;
    for (const Operation& operation : plan.operations) by_id[operation.id] = &operation;
    std::vector<OperationLine> lines;
    for (const repair::OperationResult& one : result.operations) {
        const auto found = by_id.find(one.id);
        if (found == by_id.end() || (!all && is_done(one.outcome))) continue;
        const Operation& operation = *found->second;
        lines.push_back({escape_terminal(one.id),
                         {std::string{outcome_name(one.outcome)},
                          std::string{operation_name(operation.kind)},
                          escape_terminal(operation.index)},
                         facts_of(operation, one.why)});
    }
    return lines;
}

std::string operation_counts(const repair::Plan& plan) {
    std::map<repair::OperationKind, std::uint64_t> counts;
    for (const Operation& operation : plan.operations) ++counts[operation.kind];
    std::string text;
    for (const auto& [kind, count] : counts) {
        text.append(text.empty() ? "" : ", ").append(grouped(count)).append(" ");
        text.append(operation_name(kind));
    }
    return text;
}

std::string outcome_counts(const repair::RepairResult& result) {
    std::string text;
    for (std::size_t number = 0; number < repair::outcome_count; ++number) {
        const auto outcome = static_cast<Outcome>(number);
        const std::uint64_t count = result.count(outcome);
        if (count == 0) continue;
        text.append(text.empty() ? "" : ", ").append(grouped(count)).append(" ");
        text.append(outcome_name(outcome));
    }
    return text;
}

}  // namespace idxfsck::reports
