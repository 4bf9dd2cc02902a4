// reports/arguments.hpp
//
// The command line of one command, taken apart and turned into typed values.
//
// Shape    Parsed by Boost.Program_options from the command's own table of options, so that help,
//          parser and tests cannot disagree. Options are long, in full (no guessing), as `--name
//          value` or `--name=value`; `--` ends them.
// Errors   Everything that makes no sense is an Error (usage) with the option, the value and what
//          would be right. The command is never run then.
// Threads  A plain value.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/error.hpp"

namespace idxfsck::reports {

struct Command;

class Arguments {
public:
    // The words after the command's name.
    static Arguments parse(const Command& command, const std::vector<std::string>& words);

    // Was the option or the positional given?
    bool has(std::string_view name) const;

    // The value of an option, or of a positional by its name in the usage line ("SPEC").
    std::optional<std::string> text(std::string_view name) const;
    std::string text(std::string_view name, std::string_view otherwise) const;

    // All values of a repeatable option or positional, in order.
    std::vector<std::string> list(std::string_view name) const;

    // A whole number.
    std::optional<std::uint64_t> count(std::string_view name) const;
    // A size in bytes: 4096, 64K, 512M, 2G (units of 1024).
    std::optional<std::uint64_t> size_bytes(std::string_view name) const;
    // A moment, as RFC 3339: 2026-11-29T22:12:00Z. Unix milliseconds.
    std::optional<std::int64_t> time_ms(std::string_view name) const;
    // One of `words`.
    std::optional<std::string> choice(std::string_view name,
                                      const std::vector<std::string_view>& words) const;

private:
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// For an option whose value is none of `words`: names the nearest, or all of them.
store::Error bad_choice(std::string_view name, std::string_view value,
                        const std::vector<std::string_view>& words);

}  // namespace idxfsck::reports
