#include <filesystem>
#include <optional>

#include "audit/live_stores.hpp"
#include "repair/folder_lock.hpp"
#include "repair/plan_json.hpp"
#include "repair/undo.hpp"
#include "reports/audit_folder.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/repair_report.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/journal_path.hpp"
#include "reports/open_stores.hpp"
#include "reports/pacer.hpp"
#include "reports/progress_line.hpp"
#include "reports/shell_text.hpp"
#include "reports/signals.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_file.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t shown_default = 50;

// The spec says how the stores are opened; a journal does not hold it, but the plan beside it does.
std::string spec_path_of(const Arguments& arguments, const std::string& folder) {
    if (const auto path = arguments.text("spec")) return *path;
    if (std::filesystem::exists(folder + "/plan.ndjson")) {
        return spec_beside(folder, repair::load_plan(folder + "/plan.ndjson").header.spec_file);
    }
    throw store::Error{"it is not known how to open the stores", store::Trouble::usage}
        .with("folder", folder)
        .hint("there is no plan.ndjson beside the journal: name the spec with --spec");
}

repair::JournalContents contents_of(const std::string& path) {
    auto contents = repair::load_journal(path);
    if (contents) return std::move(*contents);
    throw store::Error{"the journal is empty: nothing was written", store::Trouble::usage}.with(
        "journal", path);
}

std::vector<OperationLine> lines_of(const repair::RepairResult& result, bool all) {
    std::vector<OperationLine> lines;
    for (const repair::OperationResult& one : result.operations) {
        const bool done = one.outcome == repair::Outcome::applied ||
                          one.outcome == repair::Outcome::already;
        if (!done || all) {
            lines.push_back({escape_terminal(one.id), {std::string{outcome_name(one.outcome)}},
                             escape_terminal(one.why)});
        }
    }
    return lines;
}

repair::RepairResult run_with_progress(const repair::JournalContents& contents,
                                       const repair::Stores& stores, repair::Journal* journal,
                                       const Arguments& arguments, Streams& streams) {
    ProgressLine line{streams.error, false};
    SystemClock clock;
    Pacer pacer{clock, arguments.count("rate").value_or(0)};
    Step step{"undo", "operations", 0, 0, 0};
    repair::UndoOptions options;
    options.apply = arguments.has("apply");
    options.stop_requested = stop_requested;
    options.pace = [&](std::uint64_t operations) { pacer.pace(operations); };
    options.progress = [&](const repair::OperationResult&) {
        ++step.done;
        line.show(step);
    };
    return repair::run_undo(contents, stores, journal, options);
}

int dry_run(const audit::Spec& spec, const repair::JournalContents& contents,
            const Arguments& arguments, RepairReport report, Streams& streams) {
    const OpenReaders stores{spec};
    repair::check_undo(contents, stores.readers(), arguments.has("allow-other-store"));
    const auto result = run_with_progress(contents, stores.stores(), nullptr, arguments, streams);
    report.next = "idxfsck undo " + shell_word(*arguments.text("JOURNAL")) + " --apply";
    report.costs = costs_of(spec, stores.stores());
    return print_repair(result, lines_of(result, true), report, streams);
}

int apply(const audit::Spec& spec, const std::string& path,
          const repair::JournalContents& contents, const Arguments& arguments,
          RepairReport report, Streams& streams) {
    const std::int64_t now_ms = SystemClock{}.now_ms();
    const OpenWriters writers{spec};
    const repair::Stores stores = writers.stores();
    repair::check_undo(contents, repair::readers_of(stores), arguments.has("allow-other-store"));
    report.journal = undo_path(path);
    repair::Journal journal{repair::open_journal_file(report.journal),
                            repair::undo_header(contents, now_ms, IDXFSCK_VERSION)};
    const auto result = run_with_progress(contents, stores, &journal, arguments, streams);
    report.next = "idxfsck audit " + shell_word(spec.file);
    report.costs = costs_of(spec, stores);
    return print_repair(result, lines_of(result, arguments.has("verbose")), report, streams);
}

int run(const Arguments& arguments, Streams& streams) {
    RepairReport report;
    report.command = "undo";
    report.apply = arguments.has("apply");
    report.json = arguments.choice("format", {"text", "json"}) == "json";
    report.shown_max = arguments.count("max-shown").value_or(shown_default);
    const std::string path = find_journal(*arguments.text("JOURNAL"));
    require_there(path, "journal");
    // Before the journal is read: a repair that is at work may still add to it.
    std::optional<repair::FolderLock> lock;
    if (report.apply) lock.emplace(lock_folder(folder_of(path), streams));
    const repair::JournalContents contents = contents_of(path);
    const audit::Spec spec = audit::at_live_stores(
        require_spec(spec_path_of(arguments, folder_of(path)), streams));
    return report.apply ? apply(spec, path, contents, arguments, report, streams)
                        : dry_run(spec, contents, arguments, report, streams);
}

}  // namespace

Command undo_command() {
    return {
        .name = "undo",
        .summary = "show what it would take back of a repair; do it with --apply",
        .description =
            "Plays the journal of a repair backwards: every row that the repair changed\n"
            "becomes what it was, byte for byte, if it still is what the repair left. A row\n"
            "that someone wrote since is kept, and shown as `superseded`.\n\n"
            "Never writes without --apply. Keeps a journal of its own, and may be run again.",
        .positionals = {{"JOURNAL"}},
        .options = {{"apply", "", "write; without it nothing is written"},
                    {"spec", "SPEC", "how to open the stores, if no plan lies beside the journal"},
                    {"rate", "COUNT", "operations a second at most (default: no limit)"},
                    {"allow-other-store", "", "run it on a store other than the repaired one"},
                    {"verbose", "", "show operations that were taken back, too"},
                    {"max-shown", "COUNT", "operations shown (default 50; 0: all)"},
                    {"format", "FORMAT", "text (default) or json"}},
        .exit_statuses = {{0, "all is as it was before the repair"},
                          {4, "something was kept, refused, or would be done (without --apply)"},
                          {8, "the store or the disk failed"},
                          {16, "the journal, the spec or the command line makes no sense"},
                          {32, "stopped by a signal; run it again to go on"}},
        .examples = {{"idxfsck undo shop.audit/journal.ndjson", "shows what it would do"},
                     {"idxfsck undo shop.audit/journal.ndjson --apply", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
