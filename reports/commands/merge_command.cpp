#include "audit/merge_run.hpp"
#include "reports/audit_folder.hpp"
#include "reports/commands/audit_output.hpp"
#include "reports/commands/commands.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_report.hpp"
#include "reports/open_stores.hpp"
#include "reports/signals.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_file.hpp"
#include "store/private_file.hpp"

namespace idxfsck::reports {

namespace {

audit::AuditResult merged(const audit::Spec& spec, audit::AuditOptions options,
                          const std::vector<std::string>& sketches, Streams& streams,
                          bool quiet) {
    ProgressLine line{streams.error, quiet};
    options.progress = shown_on(line);
    const OpenReaders stores{spec};
    SystemClock clock;
    return audit::run_merge(spec, stores.readers(), clock, options, sketches);
}

int run(const Arguments& arguments, Streams& streams) {
    const std::string spec_path = *arguments.text("SPEC");
    const std::vector<std::string> sketches = arguments.list("SKETCH");
    ReportOptions report = report_options(arguments);
    report.folder = arguments.text("out", default_folder(spec_path));
    audit::AuditOptions options = reconciling_options(arguments);
    options.spill_directory = report.folder;
    const auto expected = expected_findings(arguments);
    const audit::Spec spec = require_spec(spec_path, streams);
    for (const std::string& sketch : sketches) require_there(sketch, "sketch");

    store::make_private_folder(report.folder);
    const repair::FolderLock lock = lock_folder(report.folder, streams);
    audit::AuditResult result =
        merged(spec, std::move(options), sketches, streams, report.quiet);
    if (!report.show_values) hide_values(result);
    save_audit(report.folder, result);

    const int stopped = stop_requested() && !result.coverage.whole() ? exit_stopped : 0;
    if (expected) return stopped + compare_with(*expected, result, streams);
    return stopped + print_report(result, report, stopped, streams);
}

}  // namespace

Command merge_command() {
    std::vector<Option> options{
        {"out", "FOLDER", "where audit.json and findings.ndjson go (default: SPEC's name with "
                          ".audit, in the current folder)"},
        {"expect", "FILE", "compare the findings with an answer key, and print what is missing "
                           "and what is too much"},
        {"memory", "SIZE", "how much the reconcilers may use before they spill to the folder "
                           "(default 512M)"},
        {"threads", "COUNT", "workers (default: one per core)"}};
    add_report_options(options);
    return {
        .name = "merge",
        .summary = "make one audit of the sketches of its shares",
        .description =
            "Adds up what `audit --sketch-out` saw, share by share, in any order, and goes on\n"
            "as an audit does: what differs is read again from the stores, twice, the spec's\n"
            "settle time apart, before it is called a finding, as shares were not scanned at\n"
            "one moment. Leaves a folder like that of an audit.\n\n"
            "A share counts once, however many sketches of it there are: of different ones the\n"
            "one with the fewest gaps, of these the latest. Gaps of a share stay gaps.\n\n"
            "Never writes to a store. Never adds up what does not belong together: another\n"
            "spec, store or parameters, shares that overlap and shares that are missing are\n"
            "named, and nothing is audited.",
        .positionals = {{"SPEC"}, {"SKETCH", true, true}},
        .options = std::move(options),
        .exit_statuses = {{0, "everything was read and nothing differs; with --expect: the "
                              "findings are those of the key"},
                          {4, "differences were found; `plan` turns them into a repair. With "
                              "--expect: the findings are others"},
                          {8, "something could not be read or is in doubt, here or in a share, "
                              "or a sketch is damaged"},
                          {16, "the sketches do not make one audit of this spec, or the command "
                               "line makes no sense"},
                          {32, "stopped by a signal; merge again"}},
        .examples = {{"idxfsck merge shop.toml *.sketch", ""},
                     {"idxfsck merge shop.toml 1.sketch 2.sketch --out night.audit --quiet",
                      "for cron: prints only what is wrong"}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
