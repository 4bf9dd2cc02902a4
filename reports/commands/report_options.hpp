// reports/commands/report_options.hpp
//
// How `audit` and `report` show a result: the same options and the same output for both.

#pragma once

#include <string>
#include <vector>

#include "audit/coverage.hpp"
#include "repair/folder_lock.hpp"
#include "reports/command.hpp"

namespace idxfsck::reports {

struct ReportOptions {
    bool json = false;
    bool show_values = false;
    bool redact = false;
    bool quiet = false;
    bool verbose = false;
    std::size_t findings_max = 50;
    std::string folder;  // of the audit
    std::string next;    // the next command, if it does not follow from the result
};

void add_report_options(std::vector<Option>& options);
ReportOptions report_options(const Arguments& arguments);

// Prints the result and returns the exit status that it stands for; `stopped` is added to the one
// in the JSON.
int print_report(const audit::AuditResult& result, const ReportOptions& options, int stopped,
                 Streams& streams);

// The one lock of an audit's folder: whoever writes in it holds it. Says on standard error if it
// was taken over from an owner that is gone.
repair::FolderLock lock_folder(const std::string& folder, Streams& streams);

}  // namespace idxfsck::reports
