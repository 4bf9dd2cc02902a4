#include <fmt/format.h>

#include "repair/folder_lock.hpp"
#include "repair/limits.hpp"
#include "repair/make_plan.hpp"
#include "repair/plan_json.hpp"
#include "reports/audit_folder.hpp"
#include "reports/commands/commands.hpp"
#include "reports/commands/report_options.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_text.hpp"
#include "reports/plan_text.hpp"
#include "reports/plural.hpp"
#include "reports/shell_text.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_file.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

std::vector<std::string_view> kind_names() {
    std::vector<std::string_view> names;
    for (int kind = 0; kind <= static_cast<int>(audit::FindingKind::malformed_entry); ++kind) {
        names.push_back(kind_name(static_cast<audit::FindingKind>(kind)));
    }
    return names;
}

repair::PlanOptions plan_options(const Arguments& arguments, const std::string& spec_file) {
    repair::PlanOptions options;
    for (const std::string& name : arguments.list("kind")) {
        const auto kind = audit::kind_of(name);
        if (!kind) throw bad_choice("kind", name, kind_names());
        options.kinds.push_back(*kind);
    }
    options.no_deletes = arguments.has("no-deletes");
    options.limit = arguments.count("limit");
    options.now_ms = SystemClock{}.now_ms();
    options.tool_version = IDXFSCK_VERSION;
    options.spec_file = spec_file;
    return options;
}

// The spec as it was when the audit ran: another one would plan for differences that it never saw.
audit::Spec spec_of_audit(const std::string& path, const audit::AuditResult& result,
                          Streams& streams) {
    audit::Spec spec = require_spec(path, streams);
    if (spec.digest == result.spec_digest) return spec;
    throw store::Error{"the spec has changed since the audit", store::Trouble::refused}
        .with("spec", path)
        .hint("audit again: idxfsck audit " + shell_word(path));
}

struct PlanView {
    std::size_t shown_max = 50;
    bool verbose = false;
};

std::string delete_line(const repair::Plan& plan, const audit::Spec& spec) {
    if (plan.header.deletes == 0) return "";
    const std::uint64_t allowed =
        repair::deletes_allowed(spec.limits, plan.header.entries_held);
    const bool over = plan.header.deletes > allowed;
    return fmt::format("  {}; `repair` allows {}{}\n",
                       counted(plan.header.deletes, "delete", "deletes"), grouped(allowed),
                       over ? ", so it will want --max-deletes" : "");
}

std::string plan_report(const repair::Plan& plan, const audit::Spec& spec, const std::string& path,
                        const PlanView& view) {
    std::string text = operation_lines(plan_lines(plan, view.verbose), view.shown_max);
    if (plan.operations.empty()) return "PLAN: nothing to do\n";
    text.append(text.empty() ? "" : "\n").append("PLAN: ").append(operation_counts(plan));
    text.append("\n").append(delete_line(plan, spec));
    if (plan.header.left_out > 0) {
        text.append(fmt::format("  {} left out as asked\n",
                                counted(plan.header.left_out, "operation", "operations")));
    }
    text.append("  nothing was written to a store; `manual` is for a person: `idxfsck explain "
                "manual`\n");
    return text + "next: idxfsck repair " + shell_word(path) + "\n";
}

nlohmann::ordered_json plan_json(const repair::Plan& plan, int code) {
    nlohmann::ordered_json counts = nlohmann::ordered_json::object();
    for (const repair::Operation& operation : plan.operations) {
        auto& count = counts[std::string{operation_name(operation.kind)}];
        count = count.is_null() ? 1 : count.get<std::uint64_t>() + 1;
    }
    return {{"format_version", 1},
            {"command", "plan"},
            {"exit_code", code},
            {"operations", plan.header.operations},
            {"deletes", plan.header.deletes},
            {"left_out", plan.header.left_out},
            {"counts", std::move(counts)}};
}

int run(const Arguments& arguments, Streams& streams) {
    const std::string folder = *arguments.text("DIR");
    const bool json = arguments.choice("format", {"text", "json"}) == "json";
    PlanView view;
    view.shown_max = arguments.count("max-shown").value_or(view.shown_max);
    view.verbose = arguments.has("verbose");
    require_there(folder, "folder");
    const bool show = arguments.has("show");
    std::optional<repair::FolderLock> lock;
    if (!show) lock.emplace(lock_folder(folder, streams));
    const audit::AuditResult result = load_audit(folder);
    const std::string spec_path = arguments.text("spec", result.spec_file);
    const repair::PlanOptions options = plan_options(arguments, seen_from(folder, spec_path));
    const audit::Spec spec = spec_of_audit(spec_path, result, streams);
    const std::string path = folder + "/plan.ndjson";
    if (show) require_there(path, "plan");
    const repair::Plan plan =
        show ? repair::load_plan(path) : repair::make_plan(spec, result, options);
    if (!show) repair::save_plan(path, plan);
    const int code = exit_code(result);
    streams.out.write(json ? json_text(plan_json(plan, code))
                           : plan_report(plan, spec, path, view));
    return code;
}

}  // namespace

Command plan_command() {
    return {
        .name = "plan",
        .summary = "turn the findings of an audit into a plan that a person can read",
        .description =
            "Reads the audit in DIR and writes plan.ndjson there: guarded operations, each\n"
            "with what it rests on, in the order in which they will run. Adds come before\n"
            "deletes. What cannot be decided safely is `manual`, and says why.\n\n"
            "Never writes to a store, and reads none. Plans no deletes where the base table\n"
            "was not read completely.",
        .positionals = {{"DIR"}},
        .options = {{"kind", "KIND", "plan for findings of this kind only", true},
                    {"no-deletes", "", "leave deletes out"},
                    {"limit", "COUNT", "operations at most; the others wait for the next audit"},
                    {"show", "", "show the plan that is there, and make none"},
                    {"spec", "SPEC", "the spec of the audit, if it was moved"},
                    {"verbose", "", "say why for every operation, not for `manual` alone"},
                    {"max-shown", "COUNT", "operations shown (default 50; 0: all)"},
                    {"format", "FORMAT", "text (default) or json: the sums; plan.ndjson has the "
                                         "operations"}},
        .exit_statuses = {{0, "the audit found nothing, so there is nothing to do"},
                          {4, "there are findings, or the plan or spec does not fit the audit"},
                          {8, "the audit could not tell, or the plan could not be written"},
                          {16, "there is no audit in DIR, or the command line makes no sense"}},
        .examples = {{"idxfsck plan shop.audit", ""},
                     {"idxfsck plan shop.audit --no-deletes", "mend what is missing, first"},
                     {"idxfsck plan shop.audit --show --max-shown 0", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
