#include <filesystem>
#include <string>

#include "audit/audit_run.hpp"
#include "repair/folder_lock.hpp"
#include "reports/audit_folder.hpp"
#include "reports/commands/audit_output.hpp"
#include "reports/commands/audit_share.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/read_limits.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_report.hpp"
#include "reports/open_stores.hpp"
#include "reports/progress_line.hpp"
#include "reports/shell_text.hpp"
#include "reports/signals.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_file.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::uint64_t partitions_max = 1 << 20;

audit::EngineChoice engine_of(const Arguments& arguments) {
    const auto name = arguments.choice("engine", {"auto", "exact", "sketch"});
    if (arguments.has("one-pass")) {
        if (!name || name == "auto") return audit::EngineChoice::one_pass;
        throw store::Error{"--one-pass chooses the engine; leave out --engine",
                           store::Trouble::usage}
            .with("engine", *name);
    }
    if (name == "exact") return audit::EngineChoice::exact;
    return name == "sketch" ? audit::EngineChoice::sketch : audit::EngineChoice::automatic;
}

audit::AuditOptions audit_options(const Arguments& arguments, const std::string& folder) {
    audit::AuditOptions options = reconciling_options(arguments);
    options.only = arguments.list("index");
    options.partitions = count_up_to(arguments, "partitions", partitions_max).value_or(0);
    options.seed = arguments.count("seed");
    options.as_of_ms = arguments.time_ms("as-of");
    options.spill_directory = folder;
    options.engine = engine_of(arguments);
    options.checkpoint_file = folder + "/checkpoint";
    options.resume = arguments.has("resume");
    return options;
}

audit::AuditResult audited(const audit::Spec& spec, audit::AuditOptions options,
                           const std::shared_ptr<store::RunLimits>& limits, Streams& streams,
                           const ReportOptions& report) {
    const OpenReaders stores{spec};
    stores.obey(limits);
    if (report.verbose) print_identities(stores.readers(), streams);
    ProgressLine line{streams.error, report.quiet};
    options.progress = shown_on(line);
    SystemClock clock;
    return audit::run_audit(spec, stores.readers(), clock, options);
}

std::string resume_line(const std::string& spec_path, const Arguments& arguments) {
    std::string line = "idxfsck audit " + shell_word(spec_path);
    for (const std::string& index : arguments.list("index")) {
        line += " --index " + shell_word(index);
    }
    // As long as it is spent and renewed, the audit goes on.
    for (const std::string name : {"out", "rate", "rate-file", "budget"}) {
        const auto value = arguments.text(name);
        if (value) line += " --" + name + " " + shell_word(*value);
    }
    return line + " --resume";
}

int run(const Arguments& arguments, Streams& streams) {
    const std::string spec_path = *arguments.text("SPEC");
    ReportOptions report = report_options(arguments);
    const std::string folder = arguments.text("out", default_folder(spec_path));
    audit::AuditOptions options = audit_options(arguments, folder);
    const auto expected = expected_findings(arguments);
    const audit::Spec spec = require_spec(spec_path, streams);
    const auto limits = read_limits(spec, arguments, streams);
    for (const std::string& name : options.only) check_index_name(name, spec);
    if (asks_for_share(arguments)) {
        return run_share_of(spec, std::move(options), limits, arguments, streams);
    }

    if (options.resume) require_there(options.checkpoint_file, "checkpoint");
    store::make_private_folder(folder);
    const repair::FolderLock lock = lock_folder(folder, streams);
    options.keep = [&](audit::AuditResult& result) {
        if (!report.show_values) hide_values(result);
        save_audit(folder, result);
    };
    const audit::AuditResult result = audited(spec, std::move(options), limits, streams, report);

    // A signal that came when all was read and confirmed stopped nothing.
    const int stopped = stop_requested() && !result.coverage.whole() ? exit_stopped : 0;
    if (expected) return stopped + compare_with(*expected, result, streams);
    report.folder = folder;
    const bool can_resume = std::filesystem::exists(folder + "/checkpoint");
    if (can_resume) report.next = resume_line(spec_path, arguments);
    return stopped + print_report(result, report, stopped, streams);
}

}  // namespace

Command audit_command() {
    std::vector<Option> options{
        {"out", "FOLDER", "where audit.json and findings.ndjson go (default: SPEC's name with "
                          ".audit, in the current folder)"},
        {"index", "NAME", "audit this index only", true},
        {"expect", "FILE", "compare the findings with an answer key, and print what is missing "
                           "and what is too much"},
        {"resume", "", "go on with an audit of the same spec and folder that was stopped"},
        {"engine", "NAME", "how the two sides are compared: exact, sketch (memory for the drift "
                           "alone) or auto (default)"},
        {"one-pass", "", "read no table twice, however much differs; metered stores are read so "
                         "anyway"},
        {"memory", "SIZE", "how much the audit may hold at once; what is compared spills to the "
                           "folder (default 512M)"},
        {"threads", "COUNT", "workers (default: one per core; more for stores behind a network)"},
        {"partitions", "COUNT", "parts of each table to begin with; the answer is the same for "
                                "every number"},
        {"as-of", "TIME", "the moment that expiry is judged by, such as 2026-11-29T22:12:00Z "
                          "(default: now)"},
        {"seed", "NUMBER", "of the fingerprints (default: random)"}};
    add_limit_options(options);
    add_share_options(options);
    add_report_options(options);
    return {
        .name = "audit",
        .summary = "compare base tables with their index tables, and name every difference",
        .description =
            "Reads every row of the tables in the spec once, works out which index entries\n"
            "they call for, and compares them with those that are there. What differs is read\n"
            "again, after the spec's settle time, before it is called a finding. Leaves a\n"
            "folder with audit.json and findings.ndjson.\n\n"
            "Never writes to a store: stores are opened read-only. Never says \"consistent\"\n"
            "if a part of a table was not read.\n\n"
            "Several processes, machines or nights can each scan a share into a sketch\n"
            "(--sketch-out); `merge` makes one audit of the sketches.",
        .positionals = {{"SPEC"}},
        .options = std::move(options),
        .exit_statuses = {{0, "everything was read and nothing differs; with --expect: the "
                              "findings are those of the key"},
                          {4, "differences were found; `plan` turns them into a repair. With "
                              "--expect: the findings are others"},
                          {8, "something could not be read or is in doubt, so the answer is not "
                              "whole; of a share: a part of it; or the budget was spent"},
                          {16, "the spec or the command line makes no sense; nothing was read"},
                          {32, "stopped by a signal, after a checkpoint; --resume goes on"}},
        .examples = {{"idxfsck audit shop.toml", ""},
                     {"idxfsck audit shop.toml --index users-by-email --format json", ""},
                     {"idxfsck audit shop.toml --quiet", "for cron: prints only what is wrong"},
                     {"idxfsck audit shop.toml --new-sketch-parameters p", ""},
                     {"idxfsck audit shop.toml --sketch-parameters p --share 3/8 --sketch-out "
                      "3.sketch",
                      "the third of eight shares, which `merge` adds up"}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
