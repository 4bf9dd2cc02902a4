#include "reports/audit_folder.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/json_report.hpp"
#include "reports/text_file.hpp"

namespace idxfsck::reports {

namespace {

int run(const Arguments& arguments, Streams& streams) {
    const std::string folder = *arguments.text("DIR");
    ReportOptions options = report_options(arguments);
    options.folder = folder;
    require_there(folder, "folder");
    audit::AuditResult result = load_audit(folder);
    if (!options.show_values) hide_values(result);
    return print_report(result, options, 0, streams);
}

}  // namespace

Command report_command() {
    std::vector<Option> options;
    add_report_options(options);
    return {
        .name = "report",
        .summary = "show an audit again, from its folder",
        .description =
            "Reads audit.json and findings.ndjson and shows them as `audit` did. Reads no\n"
            "store, and never writes.",
        .positionals = {{"DIR"}},
        .options = std::move(options),
        .exit_statuses = {{0, "the audit found everything consistent"},
                          {4, "it found differences, or its format is of another version"},
                          {8, "it could not tell"},
                          {16, "there is no audit in the folder"}},
        .examples = {{"idxfsck report shop.audit --format json", ""},
                     {"idxfsck report shop.audit --redact --max-shown 0",
                      "to show to people who must not see the data"}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
