#include "reports/help.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/exit_code.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t help_columns = 80;
constexpr std::size_t option_column = 24;  // where the texts of options begin

std::string option_line(const Option& option) {
    std::string left = fmt::format("  --{}", option.name);
    if (!option.value.empty()) left.append(" ").append(option.value);
    if (option.repeatable) left.append("...");
    left.append(left.size() + 2 > option_column ? "\n" + std::string(option_column, ' ')
                                                : std::string(option_column - left.size(), ' '));
    return left + wrapped(option.text, help_columns - option_column, option_column) + "\n";
}

std::string exit_status_lines(const Command& command) {
    std::string text{"\nExit status:\n"};
    int bits = 0;
    for (const ExitStatus& status : command.exit_statuses) {
        text.append(fmt::format("  {:<4}", status.code));
        text.append(wrapped(status.meaning, help_columns - 6, 6)).append("\n");
        bits += status.code > 0 ? 1 : 0;
    }
    if (bits > 1) text.append("  Codes are summed where several hold.\n");
    return text;
}

std::string example_lines(const std::vector<Example>& examples) {
    std::string text{"\nExamples:\n"};
    for (const Example& example : examples) {
        text.append(fmt::format("  {}\n", example.line));
        if (example.what.empty()) continue;
        text.append("      ").append(wrapped(example.what, help_columns - 6, 6)).append("\n");
    }
    return text;
}

// Paragraphs are filled anew; those with a line that begins with a space are left as they are.
std::string filled(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("\n\n"), text.size());
        std::string paragraph{text.substr(0, end)};
        text.remove_prefix(std::min(text.size(), end + 2));
        if (paragraph.find("\n ") == paragraph.npos) {
            std::replace(paragraph.begin(), paragraph.end(), '\n', ' ');
            paragraph = wrapped(paragraph, help_columns, 0);
        }
        result.append(result.empty() ? "" : "\n\n").append(paragraph);
    }
    return result;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
    std::string lines;
    std::size_t column = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (column > 0 && column + 1 + word.size() > columns) {
            lines.append("\n").append(indent, ' ');
            column = 0;
        } else if (column > 0) {
            lines.push_back(' ');
            ++column;
        }
        lines.append(word);
        column += word.size();
    }
    return lines;
}

std::string usage_line(const Command& command) {
    std::string line = fmt::format("idxfsck {}", command.name);
    for (const Positional& positional : command.positionals) {
        const std::string word =
            std::string{positional.name} + (positional.repeatable ? "..." : "");
        line.append(positional.required ? " " + word : " [" + word + "]");
    }
    return line + " [options]";
}

std::string command_help(const Command& command) {
    const std::string title = fmt::format("idxfsck {}: {}", command.name, command.summary);
    std::string text =
        fmt::format("{}\n\nUsage: {}\n\n{}\n\nOptions:\n", wrapped(title, help_columns, 2),
                    usage_line(command), filled(command.description));
    for (const Option& option : command.options) text.append(option_line(option));
    text.append(option_line({"color", "WHEN", "auto, always or never; auto heeds NO_COLOR"}));
    text.append(option_line({"help", "", "show this help"}));
    text.append(exit_status_lines(command));
    if (!command.examples.empty()) text.append(example_lines(command.examples));
    return text;
}

std::string program_help(const std::vector<Command>& commands) {
    std::string text{
        "idxfsck: fsck for hand-built indexes\n\n"
        "Usage: idxfsck COMMAND [options]\n\n"
        "Audits base tables against the index tables that an application keeps by hand,\n"
        "shows what drifted, and repairs it under guards. Only `repair --apply`,\n"
        "`undo --apply`, `load`, `seed` and `demo` ever write to a store.\n\n"
        "Commands:\n"};
    for (const Command& command : commands) {
        text.append(fmt::format("  {:<9} {}\n", command.name, command.summary));
    }
    text.append("\n`idxfsck COMMAND --help` shows options, exit status and examples.\n");
    text.append(example_lines({{"idxfsck demo", "damage, audit, plan and repair, without a cloud"},
                               {"idxfsck audit shop.toml", ""},
                               {"idxfsck plan shop.audit", ""},
                               {"idxfsck repair shop.audit/plan.ndjson --apply", ""}}));
    text.append(
        "\nExit status: 0 consistent; 4 drift is left; 8 could not tell; 16 usage or spec;\n"
        "32 stopped by a signal. Codes are summed.\n");
    return text;
}

}  // namespace idxfsck::reports
