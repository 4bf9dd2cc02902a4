#include "reports/commands/audit_share.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "audit/share_run.hpp"
#include "reports/commands/audit_output.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_text.hpp"
#include "reports/open_stores.hpp"
#include "reports/plural.hpp"
#include "reports/shell_text.hpp"
#include "reports/signals.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_file.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view make_option = "new-sketch-parameters";
constexpr std::string_view parameters_option = "sketch-parameters";
constexpr std::string_view out_option = "sketch-out";
constexpr std::string_view share_option = "share";
constexpr std::size_t gaps_shown_max = 10;

// What the file of parameters fixes for all shares.
constexpr std::string_view fixed_options[] = {"index", "engine", "partitions", "seed", "as-of"};
// What only a whole audit has.
constexpr std::string_view whole_options[] = {"out", "expect"};

store::Error do_not_go_together(std::string_view option, std::string_view other, std::string why) {
    store::Error error{"these options do not go together", store::Trouble::usage};
    error.with("option", "--" + std::string{option}).with("other", "--" + std::string{other});
    error.hint(std::move(why));
    return error;
}

void refuse_beside(const Arguments& arguments, std::string_view option,
                   std::span<const std::string_view> others, const std::string& why) {
    for (const std::string_view other : others) {
        if (arguments.has(other)) throw do_not_go_together(other, option, why);
    }
}

void check_share_options(const Arguments& arguments) {
    const std::string whole = "these are for a whole audit; `idxfsck merge` has them, too";
    if (arguments.has(make_option)) {
        const std::string_view shares[] = {parameters_option, out_option, share_option, "resume"};
        refuse_beside(arguments, make_option, shares, "make the parameters first, then scan");
        return refuse_beside(arguments, make_option, whole_options, whole);
    }
    if (!arguments.has(out_option)) {
        const std::string_view given =
            arguments.has(share_option) ? share_option : parameters_option;
        throw store::Error{"a share needs a file for its sketch", store::Trouble::usage}
            .with("option", "--" + std::string{given})
            .hint("say where with --sketch-out FILE");
    }
    refuse_beside(arguments, out_option, whole_options, whole);
    if (arguments.has(parameters_option)) {
        refuse_beside(arguments, parameters_option, fixed_options,
                      "the parameters fix this for all shares; make others with "
                      "--new-sketch-parameters");
    } else if (arguments.has(share_option) || arguments.has("resume")) {
        throw store::Error{"a share needs the parameters that it has in common with the others",
                           store::Trouble::usage}
            .with("option", arguments.has(share_option) ? "--share" : "--resume")
            .hint("make them once with --new-sketch-parameters FILE, and give every share "
                  "--sketch-parameters FILE");
    }
}

audit::Share share_of(const Arguments& arguments) {
    const auto text = arguments.text(share_option);
    if (!text) return {};
    const auto share = audit::read_share(*text);
    if (share) return *share;
    throw store::Error{"this names no share", store::Trouble::usage}
        .with("option", "--share")
        .with("value", *text)
        .hint("write the third of eight as 3/8");
}

int make_parameters(const audit::Spec& spec, const audit::AuditOptions& options,
                    const Arguments& arguments, Streams& streams) {
    const std::string file = *arguments.text(make_option);
    const OpenReaders stores{spec};
    const auto parameters =
        audit::make_sketch_parameters(spec, stores.readers(), SystemClock{}, options);
    audit::save_sketch_parameters(file, parameters);
    if (arguments.choice("format", {"text", "json"}) == "json") {
        streams.out.write(json_text(Json{{"format_version", 1},
                                         {"command", "audit"},
                                         {"exit_code", exit_consistent},
                                         {"sketch_parameters", file},
                                         {"partitions", parameters.partitions_count()}}));
    } else if (!arguments.has("quiet")) {
        streams.out.write(fmt::format(
            "PARAMETERS: {} of {}, for any number of shares\n",
            counted(parameters.partitions_count(), "partition", "partitions"),
            counted(parameters.tables.size(), "table", "tables")));
        streams.out.write(fmt::format("next: idxfsck audit {} --sketch-parameters {} --share 1/8 "
                                      "--sketch-out 1.sketch\n",
                                      shell_word(*arguments.text("SPEC")), shell_word(file)));
    }
    return exit_consistent;
}

struct ShareCounts {
    std::uint64_t rows = 0;
    std::uint64_t partitions = 0;
    std::uint64_t partitions_read = 0;
};

ShareCounts counts_of(const audit::ShareResult& result) {
    ShareCounts counts;
    for (const audit::TableCoverage& table : result.tables) {
        counts.rows += table.rows;
        counts.partitions += table.partitions;
        counts.partitions_read += table.partitions_read;
    }
    return counts;
}

std::string share_text(const audit::ShareResult& result, const std::string& file,
                       const std::string& next) {
    const ShareCounts counts = counts_of(result);
    std::string text;
    const std::size_t shown = std::min(result.gaps.size(), gaps_shown_max);
    for (const audit::Gap& gap : std::span{result.gaps}.first(shown)) {
        text += fmt::format("not read: {} {}: {}\n", escape_terminal(gap.table),
                            escape_terminal(gap.partition), escape_terminal(gap.cause));
    }
    if (shown < result.gaps.size()) {
        text += fmt::format("  showing {} of {}\n", grouped(shown),
                            counted(result.gaps.size(), "part not read", "parts not read"));
    }
    text += fmt::format("{} {}: read {} of {}, of {} in all: {}\n",
                        result.stopped ? "STOPPED IN SHARE" : "SHARE",
                        audit::share_name(result.share), grouped(counts.partitions_read),
                        counted(counts.partitions, "partition", "partitions"),
                        grouped(result.partitions_total), counted(counts.rows, "row", "rows"));
    text += result.stopped ? "  no sketch was written\n"
                           : fmt::format("  sketch: {}\n", escape_terminal(file));
    return text + "next: " + next + "\n";
}

Json share_json(const audit::ShareResult& result, const std::string& file, int code) {
    const ShareCounts counts = counts_of(result);
    Json gaps = Json::array();
    for (const audit::Gap& gap : result.gaps) {
        gaps.push_back(
            {{"table", gap.table}, {"partition", gap.partition}, {"cause", gap.cause}});
    }
    return {{"format_version", 1},
            {"command", "audit"},
            {"exit_code", code},
            {"share", audit::share_name(result.share)},
            {"sketch", result.stopped ? "" : file},
            {"partitions", counts.partitions},
            {"partitions_read", counts.partitions_read},
            {"partitions_total", result.partitions_total},
            {"rows", counts.rows},
            {"gaps", std::move(gaps)}};
}

std::string next_line(const audit::ShareResult& result, const Arguments& arguments) {
    const std::string spec = shell_word(*arguments.text("SPEC"));
    const std::string file = shell_word(*arguments.text(out_option));
    if (!result.stopped) {
        return "idxfsck merge " + spec + " " + (result.share.count == 1 ? file : "SKETCH...");
    }
    const auto parameters = arguments.text(parameters_option);
    if (!parameters) return "idxfsck audit " + spec + " --sketch-out " + file;
    return "idxfsck audit " + spec + " --sketch-parameters " + shell_word(*parameters) +
           " --share " + audit::share_name(result.share) + " --sketch-out " + file + " --resume";
}

// Beside the sketch that is made.
std::string folder_beside(const std::string& file) {
    const std::string folder = std::filesystem::path{file}.parent_path().string();
    return folder.empty() ? "." : folder;
}

struct ShareFiles {
    std::optional<std::string> parameters;
    std::string sketch;
};

audit::ShareResult scanned(const OpenReaders& stores, const audit::Spec& spec,
                           audit::AuditOptions options, const ShareFiles& files,
                           const audit::Share& share) {
    SystemClock clock;
    if (!files.parameters) {
        const auto made = audit::make_sketch_parameters(spec, stores.readers(), clock, options);
        return audit::run_share(spec, stores.readers(), clock, options, made, share,
                                files.sketch);
    }
    const auto parameters = audit::load_sketch_parameters(*files.parameters);
    try {
        return audit::run_share(spec, stores.readers(), clock, options, parameters, share,
                                files.sketch);
    } catch (store::Error& error) {
        error.with("parameters", *files.parameters);
        throw;
    }
}

int scan_share(const audit::Spec& spec, audit::AuditOptions options,
               const std::shared_ptr<store::RunLimits>& limits, const Arguments& arguments,
               Streams& streams) {
    const std::string file = *arguments.text(out_option);
    const bool quiet = arguments.has("quiet");
    const audit::Share share = share_of(arguments);
    options.spill_directory = folder_beside(file);
    const auto given = arguments.text(parameters_option);
    if (given) require_there(*given, "file");
    // Parameters that are made for this scan alone are gone with it: there is no going on.
    options.checkpoint_file = given ? file + ".checkpoint" : "";
    if (options.resume) require_there(options.checkpoint_file, "checkpoint");
    // What cannot be written should be known before hours of scanning.
    store::FileReplacement{file};
    ProgressLine line{streams.error, quiet};
    options.progress = shown_on(line);
    const OpenReaders stores{spec};
    stores.obey(limits);
    const audit::ShareResult result = scanned(stores, spec, options, {given, file}, share);
    line.erase();
    // A budget that is spent stops the scan, too, as was planned.
    const int code = (result.gaps.empty() ? exit_consistent : exit_could_not_tell) +
                     (result.stopped && stop_requested() ? exit_stopped : 0);
    if (arguments.choice("format", {"text", "json"}) == "json") {
        streams.out.write(json_text(share_json(result, file, code)));
    } else if (!quiet || code != exit_consistent) {
        streams.out.write(share_text(result, file, next_line(result, arguments)));
    }
    return code;
}

}  // namespace

void add_share_options(std::vector<Option>& options) {
    options.insert(
        options.end(),
        {{make_option, "FILE", "write what all shares of one audit have in common, and scan "
                               "nothing: seed, moment, engines, indexes, partitions"},
         {parameters_option, "FILE", "scan a share of the audit that these parameters are of"},
         {share_option, "K/N", "which share: 3/8 is the third of eight"},
         {out_option, "FILE", "write what the scan saw to this file, for `merge`, and confirm "
                              "nothing"}});
}

bool asks_for_share(const Arguments& arguments) {
    const std::string_view names[] = {make_option, parameters_option, out_option, share_option};
    return std::any_of(std::begin(names), std::end(names),
                       [&](std::string_view name) { return arguments.has(name); });
}

int run_share_of(const audit::Spec& spec, audit::AuditOptions options,
                 const std::shared_ptr<store::RunLimits>& limits, const Arguments& arguments,
                 Streams& streams) {
    check_share_options(arguments);
    if (arguments.has(make_option)) return make_parameters(spec, options, arguments, streams);
    return scan_share(spec, std::move(options), limits, arguments, streams);
}

}  // namespace idxfsck::reports
