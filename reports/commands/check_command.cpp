#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "reports/commands/commands.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_text.hpp"
#include "reports/spec_file.hpp"
#include "reports/spec_schema.hpp"
#include "reports/spec_words.hpp"

namespace idxfsck::reports {

namespace {

using Complaints = std::vector<audit::Complaint>;

nlohmann::ordered_json complaint_json(const audit::Complaint& complaint) {
    return {{"line", complaint.place.line},
            {"column", complaint.place.column},
            {"text", valid_utf8(complaint.text)},
            {"seen", valid_utf8(complaint.seen)},
            {"hint", valid_utf8(complaint.hint)}};
}

void print_json(const std::string& path, const Complaints& complaints, Output& out) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const audit::Complaint& complaint : complaints) list.push_back(complaint_json(complaint));
    out.write(json_text({{"format_version", 1},
                         {"spec", valid_utf8(path)},
                         {"valid", complaints.empty()},
                         {"complaints", std::move(list)}}));
}

// The spec to check, or nothing where the schema is asked for instead.
std::optional<std::string> wanted_spec(const Arguments& arguments) {
    std::optional<std::string> path = arguments.text("SPEC");
    const bool schema = arguments.has("schema");
    if (!path && !schema) {
        throw store::Error{"an argument is missing", store::Trouble::usage}.with("argument",
                                                                                 "SPEC");
    }
    if (path && schema) {
        throw store::Error{"--schema takes no spec", store::Trouble::usage}.with("argument", *path);
    }
    return path;
}

int run(const Arguments& arguments, Streams& streams) {
    const std::optional<std::string> wanted = wanted_spec(arguments);
    if (!wanted) {
        streams.out.write(json_text(spec_schema()));
        return exit_consistent;
    }
    const std::string& path = *wanted;
    const bool json = arguments.choice("format", {"text", "json"}) == "json";
    const CheckedSpec checked = check_spec_file(path);
    const auto* spec = std::get_if<audit::Spec>(&checked.outcome);
    const Complaints complaints = spec != nullptr ? Complaints{}
                                                  : std::get<Complaints>(checked.outcome);
    if (json) {
        print_json(path, complaints, streams.out);
    } else if (spec != nullptr) {
        streams.out.write(spec_words(*spec));
    }
    for (const audit::Complaint& complaint : complaints) {
        if (!json) streams.out.write(complaint_text(path, checked.text, complaint));
    }
    return complaints.empty() ? exit_consistent : exit_usage;
}

}  // namespace

Command check_command() {
    return {
        .name = "check",
        .summary = "check a spec, offline, and say in words what it declares",
        .description =
            "Reads the spec alone and shows everything that is wrong with it at once, with file,\n"
            "line, column and what would be right. Opens no store and no connection, and never\n"
            "writes. Whether tables and attributes are there, only `audit` can tell.",
        .positionals = {{"SPEC", false}},
        .options = {{"format", "FORMAT", "text (default) or json"},
                    {"schema", "", "print a JSON Schema (draft 7) of specs, for editors"}},
        .exit_statuses = {{0, "the spec makes sense"},
                          {8, "the answer could not be printed whole"},
                          {16, "the spec, or the command line, does not"}},
        .examples = {{"idxfsck check shop.toml", ""},
                     {"idxfsck check --schema > idxfsck.schema.json", "for an editor"}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
