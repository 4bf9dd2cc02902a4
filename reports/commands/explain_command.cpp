#include <string>

#include <fmt/format.h>

#include "audit/language/nearest.hpp"
#include "reports/catalogue.hpp"
#include "reports/commands/commands.hpp"
#include "reports/exit_code.hpp"
#include "reports/help.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t text_columns = 80;

void print_list(Output& out) {
    std::string_view group;
    for (const CatalogueEntry& entry : catalogue()) {
        if (entry.group != group) out.print("{}{}\n", group.empty() ? "" : "\n", entry.group);
        group = entry.group;
        out.print("  {:<24} {}\n", entry.code, wrapped(entry.meaning, text_columns - 27, 27));
    }
}

void print_entry(const CatalogueEntry& entry, Output& out) {
    out.print("{} ({})\n\n{}\n", entry.code, entry.group,
              wrapped(entry.meaning, text_columns, 0));
    const auto part = [&](std::string_view title, std::string_view text) {
        if (!text.empty()) out.print("\n{}\n  {}\n", title, wrapped(text, text_columns - 2, 2));
    };
    part("How it comes about", entry.arises);
    part("What a repair does", entry.repair);
    part("What to look at", entry.check);
}

int run(const Arguments& arguments, Streams& streams) {
    const std::optional<std::string> code = arguments.text("CODE");
    if (!code) {
        print_list(streams.out);
        return exit_consistent;
    }
    if (const auto entry = catalogue_entry(*code)) {
        print_entry(*entry, streams.out);
        return exit_consistent;
    }
    std::vector<std::string_view> codes;
    for (const CatalogueEntry& entry : catalogue()) codes.push_back(entry.code);
    const std::string_view near = audit::language::nearest(*code, codes);
    throw store::Error{"no such code", store::Trouble::usage}.with("code", *code).hint(
        near.empty() ? "`idxfsck explain` lists all codes"
                     : "did you mean `" + std::string{near} + "`?");
}

}  // namespace

Command explain_command() {
    return {
        .name = "explain",
        .summary = "what a word in a report means, and what to do about it",
        .description =
            "Prints what a finding, reason, damage, outcome, refusal or count means, how it\n"
            "comes about, what a repair does about it and what to look at. Without a code,\n"
            "lists them all. Reads no store and no file, and never writes.",
        .positionals = {{"CODE", false, false}},
        .options = {},
        .exit_statuses = {{0, "explained"}, {16, "there is no such code"}},
        .examples = {{"idxfsck explain stale_pointer", ""}, {"idxfsck explain", "all codes"}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
