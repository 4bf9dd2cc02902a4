// reports/commands/repair_report.hpp
//
// What `repair` and `undo` print at their end: the same for both.

#pragma once

#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "repair/executor.hpp"
#include "reports/command.hpp"
#include "reports/plan_text.hpp"
#include "store/read_cost.hpp"

namespace idxfsck::reports {

// What a repair has cost in one table, where its store bills that.
struct TableCost {
    std::string store;
    std::string table;
    store::ReadCost cost;
};

struct RepairReport {
    std::string_view command;  // "repair" or "undo"
    bool apply = false;
    bool json = false;
    std::size_t shown_max = 50;  // operations shown; 0: all
    std::string journal;         // where it was written; empty in a dry run
    std::string next;            // the next command; empty: none
    bool refused = false;        // in a dry run: the deletes are more than --apply allows
    std::vector<TableCost> costs{};
};

// Of the tables of the spec that were asked for anything.
std::vector<TableCost> costs_of(const audit::Spec& spec, const repair::Stores& stores);

// Prints, and returns the exit status. `lines` are the operations that deserve a line.
int print_repair(const repair::RepairResult& result, const std::vector<OperationLine>& lines,
                 const RepairReport& report, Streams& streams);

}  // namespace idxfsck::reports
