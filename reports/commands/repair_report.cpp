#include "reports/commands/repair_report.hpp"

#include <set>

#include <fmt/format.h>

#include "reports/cost_text.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_text.hpp"
#include "reports/plural.hpp"

namespace idxfsck::reports {

namespace {

using Json = nlohmann::ordered_json;

std::string_view ending_name(repair::Ending ending) {
    switch (ending) {
        case repair::Ending::finished: return "finished";
        case repair::Ending::stopped: return "stopped";
        case repair::Ending::enough: return "enough";
        case repair::Ending::too_many_fails: return "too_many_fails";
    }
    return "finished";
}

Json counts_json(const repair::RepairResult& result) {
    Json counts = Json::object();
    for (std::size_t number = 0; number < repair::outcome_count; ++number) {
        const auto outcome = static_cast<repair::Outcome>(number);
        counts[std::string{outcome_name(outcome)}] = result.count(outcome);
    }
    return counts;
}

Json costs_json(const std::vector<TableCost>& costs) {
    Json all = Json::array();
    for (const auto& [store, table, cost] : costs) {
        Json one{{"store", valid_utf8(store)},      {"table", valid_utf8(table)},
                 {"read_units", cost.units()},      {"write_units", cost.write_units},
                 {"requests", cost.requests},       {"retries", cost.retries},
                 {"throttles", cost.throttles}};
        if (cost.dollars) one["dollars"] = *cost.dollars;
        all.push_back(std::move(one));
    }
    return all;
}

void print_json(const repair::RepairResult& result, const RepairReport& report, int code,
                Output& out) {
    Json operations = Json::array();
    for (const repair::OperationResult& one : result.operations) {
        operations.push_back({{"id", valid_utf8(one.id)},
                              {"outcome", outcome_name(one.outcome)},
                              {"why", valid_utf8(one.why)}});
    }
    out.write(json_text({{"format_version", 1},
                         {"command", report.command},
                         {"applied", report.apply},
                         {"exit_code", code},
                         {"ending", ending_name(result.ending)},
                         {"writes", result.writes},
                         {"journal", valid_utf8(report.journal)},
                         {"counts", counts_json(result)},
                         {"cost", costs_json(report.costs)},
                         {"operations", std::move(operations)}}));
}

std::string ending_line(const repair::RepairResult& result) {
    switch (result.ending) {
        case repair::Ending::finished: return "";
        case repair::Ending::stopped:
            return "  stopped by a signal; run the same command again, and it goes on\n";
        case repair::Ending::enough:
            return "  stopped after --max-operations; run the same command again, and it goes on\n";
        case repair::Ending::too_many_fails:
            return "  stopped: too many operations did not succeed; audit again before going on\n";
    }
    return "";
}

std::string verdict(const repair::RepairResult& result, const RepairReport& report) {
    const bool undo = report.command == "undo";
    const std::string counts = outcome_counts(result);
    const bool left = result.anything_left();
    const char* nothing = undo ? "UNDO: nothing to take back" : "REPAIR: nothing to do";
    if (result.operations.empty()) return nothing;
    if (!report.apply) return "DRY RUN: " + counts + "; nothing was written";
    if (result.could_not_tell()) return "COULD NOT TELL: " + counts;
    if (left) return "LEFT: " + counts;
    return (undo ? "UNDONE: " : "REPAIRED: ") + counts + "; all read back";
}

}  // namespace

std::vector<TableCost> costs_of(const audit::Spec& spec, const repair::Stores& stores) {
    std::set<std::pair<std::string, std::string>> tables;
    for (const audit::BaseSpec& base : spec.bases) tables.emplace(base.store, base.table);
    for (const audit::IndexSpec& index : spec.indexes) tables.emplace(index.store, index.table);
    std::vector<TableCost> costs;
    for (const auto& [store, table] : tables) {
        const auto access = stores.find(store);
        if (access == stores.end()) continue;
        const std::optional<store::ReadCost> cost = access->second.reader->cost(table);
        if (cost && cost->requests > 0) costs.push_back({store, table, *cost});
    }
    return costs;
}

int print_repair(const repair::RepairResult& result, const std::vector<OperationLine>& lines,
                 const RepairReport& report, Streams& streams) {
    const int code = exit_code(result);
    if (report.json) {
        print_json(result, report, code, streams.out);
        return code;
    }
    const Style& style = streams.out_style;
    std::string text = operation_lines(lines, report.shown_max);
    if (!text.empty()) text.append("\n");
    const std::string line = verdict(result, report);
    text.append(code == exit_consistent ? style.green(line) : style.red(line)).append("\n");
    text.append(ending_line(result));
    if (report.refused) text.append("  more deletes than are allowed without saying so\n");
    if (!report.journal.empty()) {
        text.append("  journal: ").append(escape_terminal(report.journal)).append("\n");
    }
    for (const auto& [store, table, cost] : report.costs) {
        text.append("  ").append(repair_cost_line(
            escape_terminal(store) + "/" + escape_terminal(table), cost));
    }
    if (!report.next.empty()) text.append("next: ").append(report.next).append("\n");
    streams.out.write(text);
    return code;
}

}  // namespace idxfsck::reports
