#include <filesystem>

#include "audit/live_stores.hpp"
#include "repair/executor.hpp"
#include "repair/folder_lock.hpp"
#include "repair/journal.hpp"
#include "repair/limits.hpp"
#include "repair/plan_json.hpp"
#include "repair/unguarded.hpp"
#include "reports/audit_folder.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/repair_report.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/escape.hpp"
#include "reports/journal_path.hpp"
#include "reports/open_stores.hpp"
#include "reports/pacer.hpp"
#include "reports/progress_line.hpp"
#include "reports/shell_text.hpp"
#include "reports/signals.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_file.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t shown_default = 50;

repair::Overrides overrides(const Arguments& arguments) {
    repair::Overrides all;
    all.deletes_max = arguments.count("max-deletes");
    all.expired = arguments.has("allow-expired");
    all.other_spec = arguments.has("allow-other-spec");
    all.other_store = arguments.has("allow-other-store");
    all.other_version = arguments.has("allow-other-version");
    return all;
}

repair::RepairOptions repair_options(const Arguments& arguments) {
    repair::RepairOptions options;
    options.apply = arguments.has("apply");
    options.only = arguments.list("only");
    options.except = arguments.list("except");
    options.operations_max = arguments.count("max-operations");
    options.as_of_ms = arguments.time_ms("as-of");
    options.stop_requested = stop_requested;
    return options;
}

// A plan with everything that its execution needs.
struct Job {
    std::string folder;
    std::string spec_path;
    repair::Plan plan;
    audit::Spec spec;
};

Job job_of(const Arguments& arguments, Streams& streams) {
    std::string path = *arguments.text("PLAN");
    if (std::filesystem::is_directory(path)) path += "/plan.ndjson";
    require_there(path, "plan");
    Job job;
    job.folder = folder_of(path);
    job.plan = repair::load_plan(path);
    job.spec_path = arguments.text("spec", spec_beside(job.folder, job.plan.header.spec_file));
    job.spec = audit::at_live_stores(require_spec(job.spec_path, streams));
    return job;
}

repair::RepairResult run_with_progress(const Job& job, const repair::Stores& stores,
                                       repair::Journal* journal, repair::RepairOptions options,
                                       std::uint64_t rate, Streams& streams) {
    ProgressLine line{streams.error, false};
    SystemClock clock;
    Pacer pacer{clock, rate};
    Step step{"repair", "operations", 0, job.plan.operations.size(), 0};
    options.pace = [&](std::uint64_t operations) { pacer.pace(operations); };
    options.progress = [&](const repair::OperationResult&) {
        ++step.done;
        line.show(step);
    };
    return repair::run_repair(job.plan, job.spec, stores, journal, clock, options);
}

// The stores of the plan that are opened: those of exports are not.
std::vector<std::pair<std::string, std::string>> written_stores(const Job& job) {
    auto stores = job.plan.header.stores;
    std::erase_if(stores, [&](const auto& named) { return !job.spec.store(named.first); });
    return stores;
}

repair::JournalHeader header_of(const Job& job, std::int64_t now_ms) {
    return {"repair",
            repair::plan_digest(job.plan),
            job.spec.digest,
            written_stores(job),
            now_ms,
            IDXFSCK_VERSION};
}

// What --apply would be refused for although a look is allowed: too many deletes. Gives the option
// that allows them.
std::string option_for_apply(const Job& job, const audit::Readers& readers,
                             const repair::Overrides& allowed, std::int64_t now_ms) {
    std::string options;
    for (const auto& refusal :
         repair::refusals(job.plan, job.spec, readers, allowed, now_ms)) {
        options.append(" ").append(refusal.option);
    }
    return options;
}

// What the stores cannot promise is said before anything is written.
void warn_unguarded(const Job& job, const repair::Stores& stores, Streams& streams) {
    for (const std::string& index : repair::unguarded_indexes(job.plan, job.spec, stores)) {
        streams.error.print(
            "note: index {}: no store holds its rows and those of its base under one guard; each "
            "write is checked again afterwards, and taken back if the base row moved\n",
            escape_terminal(index));
    }
}

int dry_run(const Job& job, const Arguments& arguments, RepairReport report, Streams& streams) {
    const OpenReaders stores{job.spec};
    const std::int64_t now_ms = SystemClock{}.now_ms();
    repair::Overrides allowed = overrides(arguments);
    const std::string option = option_for_apply(job, stores.readers(), allowed, now_ms);
    allowed.deletes_max = UINT64_MAX;
    repair::check_plan(job.plan, job.spec, stores.readers(), allowed, now_ms);
    warn_unguarded(job, stores.stores(), streams);
    const auto result = run_with_progress(job, stores.stores(), nullptr,
                                          repair_options(arguments), 0, streams);
    if (result.count(repair::Outcome::would_apply) > 0) {
        report.next = "idxfsck repair " + shell_word(*arguments.text("PLAN")) + " --apply" + option;
        report.refused = !option.empty();
    }
    report.costs = costs_of(job.spec, stores.stores());
    return print_repair(result, outcome_lines(job.plan, result, true), report, streams);
}

int apply(const Job& job, const Arguments& arguments, RepairReport report, Streams& streams) {
    const std::int64_t now_ms = SystemClock{}.now_ms();
    const std::uint64_t rate = arguments.count("rate").value_or(0);
    const repair::FolderLock lock = lock_folder(job.folder, streams);
    const OpenWriters writers{job.spec};
    const repair::Stores stores = writers.stores();
    repair::check_plan(job.plan, job.spec, repair::readers_of(stores), overrides(arguments),
                       now_ms);
    warn_unguarded(job, stores, streams);
    const repair::JournalHeader header = header_of(job, now_ms);
    report.journal = journal_path(job.folder, header.plan_digest);
    repair::Journal journal{repair::open_journal_file(report.journal), header};
    const auto result = run_with_progress(job, stores, &journal, repair_options(arguments), rate,
                                          streams);
    report.next = "idxfsck audit " + shell_word(job.spec_path);
    const bool verbose = arguments.has("verbose");
    report.costs = costs_of(job.spec, stores);
    return print_repair(result, outcome_lines(job.plan, result, verbose), report, streams);
}

int run(const Arguments& arguments, Streams& streams) {
    RepairReport report;
    report.command = "repair";
    report.apply = arguments.has("apply");
    report.json = arguments.choice("format", {"text", "json"}) == "json";
    report.shown_max = arguments.count("max-shown").value_or(shown_default);
    const Job job = job_of(arguments, streams);
    require_writable(job.spec);
    return report.apply ? apply(job, arguments, report, streams)
                        : dry_run(job, arguments, report, streams);
}

}  // namespace

Command repair_command() {
    return {
        .name = "repair",
        .summary = "show what a plan would do; do it with --apply",
        .description =
            "Looks at every operation of the plan again: reads the rows it rests on, derives\n"
            "the entry anew, and decides. With --apply it writes, each write guarded by what\n"
            "was read, journalled before it and read back after it. Stopped anywhere and run\n"
            "again, it goes on where it was.\n\n"
            "Never writes without --apply. Never writes a base row. Never deletes an entry\n"
            "that a live base row calls for. A guard that fails means `superseded`: the\n"
            "application was there first.",
        .positionals = {{"PLAN"}},
        .options = {{"apply", "", "write; without it nothing is written"},
                    {"only", "ID", "run this operation only", true},
                    {"except", "ID", "leave this operation out", true},
                    {"max-operations", "COUNT", "stop after so many writes"},
                    {"rate", "COUNT", "operations a second at most (default: no limit)"},
                    {"spec", "SPEC", "the spec of the plan, if it was moved"},
                    {"as-of", "TIME", "the moment that expiry is judged by (default: now)"},
                    {"max-deletes", "COUNT", "allow a plan with up to so many deletes"},
                    {"allow-expired", "", "run a plan that is too old"},
                    {"allow-other-spec", "", "run it with a spec that was changed since"},
                    {"allow-other-store", "", "run it on a store other than the audited one"},
                    {"allow-other-version", "", "run a plan of another version of idxfsck"},
                    {"verbose", "", "show operations that were applied, too"},
                    {"max-shown", "COUNT", "operations shown (default 50; 0: all)"},
                    {"format", "FORMAT", "text (default) or json"}},
        .exit_statuses = {{0, "nothing was to do, or all was done and read back"},
                          {4, "something is left or held, would be done (without --apply), or was "
                              "refused by a limit"},
                          {8, "the store or the disk failed"},
                          {16, "the plan, the spec or the command line makes no sense"},
                          {32, "stopped by a signal; run it again to go on"}},
        .examples = {{"idxfsck repair shop.audit/plan.ndjson", "shows what it would do"},
                     {"idxfsck repair shop.audit/plan.ndjson --apply --rate 100", ""},
                     {"idxfsck repair shop.audit --apply --except 0123456789abcdef", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
