// reports/command.hpp
//
// One command of the program: what help says of it, what it accepts, what it does.
//
// Shape    A table that parser, help and tests all read. A command is one file with one function
//          that returns its Command; main.cpp holds the list of them.
// Errors   `run` returns an exit status (exit_code.hpp), or throws an Error, which the program
//          prints and turns into one. It prints through Streams only: findings and other answers
//          on `out`, trouble and progress on `error`.

#pragma once

#include <string_view>
#include <vector>

#include "reports/arguments.hpp"
#include "reports/output.hpp"
#include "reports/style.hpp"

namespace idxfsck::reports {

struct Streams {
    Output& out;
    Output& error;
    Style out_style;  // of `out`: colour or none
    Style error_style;
};

// A word without a name on the command line.
struct Positional {
    std::string_view name;  // upper case, as the usage line shows it
    bool required = true;
    bool repeatable = false;
};

struct Option {
    std::string_view name;   // without the dashes
    std::string_view value;  // what stands for the value in help, upper case; empty: a flag
    std::string_view text;   // one sentence, small first letter, no full stop
    bool repeatable = false;
};

struct ExitStatus {
    int code = 0;
    std::string_view meaning;
};

struct Example {
    std::string_view line;  // a command line, without a prompt
    std::string_view what;  // what it is for
};

struct Command {
    std::string_view name;
    std::string_view summary;  // one line, for the list of commands
    // What it reads and writes, and what it never does. Paragraphs, with an empty line between
    // them, are filled anew, unless a line in one begins with a space.
    std::string_view description;
    std::vector<Positional> positionals;
    std::vector<Option> options;  // --help and --color come of themselves
    std::vector<ExitStatus> exit_statuses;  // those that it can return, and their meaning here
    std::vector<Example> examples;
    int (*run)(const Arguments& arguments, Streams& streams) = nullptr;
};

// Runs the command that the words name: the whole program. `words` is the command line without the
// program's name. Returns the exit status of the process.
int run_program(const std::vector<Command>& commands, const std::vector<std::string>& words);

}  // namespace idxfsck::reports
