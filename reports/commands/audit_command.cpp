#include <filesystem>
#include <string>

#include "audit/audit_run.hpp"
#include "repair/folder_lock.hpp"
#include "reports/audit_folder.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/expectations.hpp"
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

constexpr std::uint64_t threads_max = 1024;
constexpr std::uint64_t partitions_max = 1 << 20;
constexpr std::size_t expectation_lines_max = 50;

std::optional<std::uint64_t> count_up_to(const Arguments& arguments, std::string_view name,
                                         std::uint64_t max) {
    const auto count = arguments.count(name);
    if (!count || *count <= max) return count;
    throw store::Error{"this option takes a smaller number", store::Trouble::usage}
        .with("option", "--" + std::string{name})
        .with("value", std::to_string(*count))
        .with("max", std::to_string(max));
}

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
    audit::AuditOptions options;
    options.only = arguments.list("index");
    options.threads = count_up_to(arguments, "threads", threads_max).value_or(0);
    options.partitions = count_up_to(arguments, "partitions", partitions_max).value_or(0);
    options.memory_bytes_max = arguments.size_bytes("memory").value_or(options.memory_bytes_max);
    options.seed = arguments.count("seed");
    options.as_of_ms = arguments.time_ms("as-of");
    options.spill_directory = folder;
    options.engine = engine_of(arguments);
    options.checkpoint_file = folder + "/checkpoint";
    options.resume = arguments.has("resume");
    options.stop_requested = stop_requested;
    return options;
}

audit::AuditResult audited(const audit::Spec& spec, audit::AuditOptions options,
                           Streams& streams, bool quiet) {
    ProgressLine line{streams.error, quiet};
    options.progress = [&](const audit::Progress& progress) {
        line.show({progress.phase, "rows", progress.rows, progress.rows_total, progress.suspects});
    };
    const OpenReaders stores{spec};
    SystemClock clock;
    return audit::run_audit(spec, stores.readers(), clock, options);
}

std::vector<Expectation> expectations_of(const std::string& file) {
    return read_expectations(read_text_file(file, "file", expectations_bytes_max), file);
}

int compare_with(const std::vector<Expectation>& expected, const audit::AuditResult& result,
                 Streams& streams) {
    const ExpectationResult compared = compare(expected, result.findings);
    streams.out.write(expectation_text(compared, expected.size(), expectation_lines_max));
    const int unsure = result.coverage.whole() ? 0 : exit_could_not_tell;
    return unsure + (compared.equal() ? exit_consistent : exit_drift);
}

std::string resume_line(const std::string& spec_path, const Arguments& arguments) {
    const auto folder = arguments.text("out");
    return "idxfsck audit " + shell_word(spec_path) +
           (folder ? " --out " + shell_word(*folder) : "") + " --resume";
}

int run(const Arguments& arguments, Streams& streams) {
    const std::string spec_path = *arguments.text("SPEC");
    ReportOptions report = report_options(arguments);
    const std::string folder = arguments.text("out", default_folder(spec_path));
    audit::AuditOptions options = audit_options(arguments, folder);
    const auto key = arguments.text("expect");
    const auto expected = key ? expectations_of(*key) : std::vector<Expectation>{};
    const audit::Spec spec = require_spec(spec_path, streams);
    for (const std::string& name : options.only) check_index_name(name, spec);

    if (options.resume) require_there(options.checkpoint_file, "checkpoint");
    store::make_private_folder(folder);
    const repair::FolderLock lock = lock_folder(folder, streams);
    audit::AuditResult result = audited(spec, std::move(options), streams, report.quiet);
    if (!report.show_values) hide_values(result);
    save_audit(folder, result);

    // A signal that came when all was read and confirmed stopped nothing.
    const int stopped = stop_requested() && !result.coverage.whole() ? exit_stopped : 0;
    if (key) return stopped + compare_with(expected, result, streams);
    report.folder = folder;
    const bool can_resume = std::filesystem::exists(folder + "/checkpoint");
    if (stopped != 0 && can_resume) report.next = resume_line(spec_path, arguments);
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
        {"threads", "COUNT", "workers (default: one per core)"},
        {"partitions", "COUNT", "parts of each table to begin with; the answer is the same for "
                                "every number"},
        {"as-of", "TIME", "the moment that expiry is judged by, such as 2026-11-29T22:12:00Z "
                          "(default: now)"},
        {"seed", "NUMBER", "of the fingerprints (default: random)"}};
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
            "if a part of a table was not read.",
        .positionals = {{"SPEC"}},
        .options = std::move(options),
        .exit_statuses = {{0, "everything was read and nothing differs; with --expect: the "
                              "findings are those of the key"},
                          {4, "differences were found; `plan` turns them into a repair. With "
                              "--expect: the findings are others"},
                          {8, "something could not be read or is in doubt, so the answer is not "
                              "whole"},
                          {16, "the spec or the command line makes no sense; nothing was read"},
                          {32, "stopped by a signal, after a checkpoint; --resume goes on"}},
        .examples = {{"idxfsck audit shop.toml", ""},
                     {"idxfsck audit shop.toml --index users-by-email --format json", ""},
                     {"idxfsck audit shop.toml --quiet", "for cron: prints only what is wrong"}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
