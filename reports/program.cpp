#include "reports/command.hpp"

#include <algorithm>
#include <new>
#include <system_error>

#include "audit/language/nearest.hpp"
#include "reports/error_text.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/help.hpp"
#include "reports/last_words.hpp"
#include "reports/signals.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

using Words = std::vector<std::string>;

bool asks_for_help(const Words& words) {
    const auto end = std::find(words.begin(), words.end(), "--");
    return std::find(words.begin(), end, "--help") != end ||
           std::find(words.begin(), end, "-h") != end;
}

const Command* find_command(const std::vector<Command>& commands, std::string_view name) {
    for (const Command& command : commands) {
        if (command.name == name) return &command;
    }
    return nullptr;
}

const Command& command_named(const std::vector<Command>& commands, const std::string& name) {
    if (const Command* command = find_command(commands, name)) return *command;
    std::vector<std::string_view> names;
    for (const Command& command : commands) names.push_back(command.name);
    const std::string_view near = audit::language::nearest(name, names);
    const bool option = name.starts_with("-");
    store::Error error{option ? "options come after the command" : "unknown command",
                       store::Trouble::usage};
    error.with(option ? "option" : "command", name);
    error.hint(near.empty() ? "`idxfsck --help` lists the commands"
                            : "did you mean `idxfsck " + std::string{near} + "`?");
    throw error;
}

// A mistake on the command line: what to type is nearer at hand than a manual.
store::Error with_usage(store::Error error, const Command& command) {
    const std::string usage = "usage: " + usage_line(command) + "; `idxfsck " +
                              std::string{command.name} + " --help` shows all options";
    error.hint(error.hint().empty() ? usage : error.hint() + "\n" + usage);
    return error;
}

// Is it about the command line, and not about a spec or a file that it names?
bool blames_command_line(const store::Error& error) {
    if (error.trouble() != store::Trouble::usage || error.fields().empty()) return false;
    const std::string& name = error.fields().front().first;
    return name == "option" || name == "argument";
}

int run_command(const Command& command, const Words& words, Streams& streams) {
    if (asks_for_help(words)) {
        streams.out.write(command_help(command));
        return exit_consistent;
    }
    try {
        const Arguments arguments = Arguments::parse(command, words);
        const auto colour = arguments.choice("color", {"auto", "always", "never"});
        streams.out_style = style_of(streams.out, colour);
        streams.error_style = style_of(streams.error, colour);
        return command.run(arguments, streams);
    } catch (const store::Error& error) {
        if (!blames_command_line(error)) throw;
        throw with_usage(error, command);
    }
}

int run_words(const std::vector<Command>& commands, const Words& words, Streams& streams) {
    if (words.empty()) {
        streams.error.write(program_help(commands));
        return exit_usage;
    }
    const bool help = words[0] == "help" || words[0] == "--help" || words[0] == "-h";
    if (help && words.size() == 1) {
        streams.out.write(program_help(commands));
        return exit_consistent;
    }
    if (help) {
        streams.out.write(command_help(command_named(commands, words[1])));
        return exit_consistent;
    }
    if (words[0] == "--version" || words[0] == "version") {
        streams.out.write("idxfsck " IDXFSCK_VERSION "\n");
        return exit_consistent;
    }
    return run_command(command_named(commands, words[0]), {words.begin() + 1, words.end()},
                       streams);
}

store::Error unexpected(const std::exception& error) {
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    if (system == nullptr || system->code() != std::errc::resource_unavailable_try_again) {
        return store::Error{"unexpected trouble"}.with("cause", error.what());
    }
    return store::Error{"the system gives no more threads"}.hint(
        "raise the limits of the process (ulimit -u, ulimit -v), or lower --threads");
}

int run_caught(const std::vector<Command>& commands, const Words& words, Streams& streams) {
    const auto report = [&](const store::Error& error) {
        streams.out.flush();
        streams.error.write(error_text(error, streams.error_style));
        return exit_code(error.trouble());
    };
    try {
        return run_words(commands, words, streams);
    } catch (const store::Error& error) {
        return report(error);
    } catch (const std::bad_alloc&) {
        return report(store::Error{"out of memory"}.hint(
            "raise the limit of the process, or lower --memory and --threads"));
    } catch (const std::exception& error) {
        return report(unexpected(error));
    }
}

}  // namespace

int run_program(const std::vector<Command>& commands, const Words& words) {
    hold_standard_descriptors();
    prepare_last_words();
    catch_signals();
    Output out{1};
    Output error{2};
    Streams streams{out, error, style_of(out, {}), style_of(error, {})};
    int code = run_caught(commands, words, streams);
    out.flush();
    if (out.failed()) {
        error.write(error_text(store::Error{"cannot write to standard output"}
                                   .with("cause", out.cause())
                                   .hint("what was printed is cut short: the answer is not whole"),
                               streams.error_style));
        code |= exit_could_not_tell;
    }
    return code;
}

}  // namespace idxfsck::reports
