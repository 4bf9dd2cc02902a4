// reports/text_report.hpp
//
// The result of an audit for a person on call.
//
// Shape    For each index that has findings a headline with their number by kind, and the findings,
//          one a line, in report order, the two halves of a move as one. Then the counts of every
//          index, what was read and what was not, what the answer means; the verdict in words; and
//          last the next command.
//          Nothing volatile (times, digests, counts of partitions) unless `verbose`.

#pragma once

#include <string>

#include "audit/coverage.hpp"
#include "reports/style.hpp"

namespace idxfsck::reports {

struct TextOptions {
    std::size_t findings_max = 50;  // shown for each index; 0: all
    bool show_values = false;       // of copies that differ
    bool verbose = false;
    std::string folder;             // where the audit lies, for the next command; "" : nowhere
    std::string next;               // the next command, if it does not follow from the result
};

std::string text_report(const audit::AuditResult& result, const TextOptions& options,
                        const Style& style);

// The parts, each in a file of its own.
std::string findings_text(const audit::AuditResult& result, const TextOptions& options,
                          const Style& style);
std::string coverage_text(const audit::AuditResult& result, const TextOptions& options);
std::string verdict_text(const audit::AuditResult& result, const TextOptions& options,
                         const Style& style);

// "DRIFT: 5 findings in 1 of 3 indexes": the verdict without colour, on one line.
std::string verdict_line(const audit::AuditResult& result);

}  // namespace idxfsck::reports
