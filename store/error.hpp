// store/error.hpp
//
// The world failing: a file that cannot be opened, a server that refuses, a spec that makes no
// sense. Thrown where it happens, given facts on the way up, caught once, in main.
//
// Shape    A fixed text, fields in the order in which they were added, an optional hint that names
//          what to do next. The text never holds data; data go into fields, and whoever prints
//          them escapes them.
// Errors   Damage in the data is a Finding, not an Error. A bug of ours is `ensure`.

#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idxfsck::store {

// What the trouble means for the exit status.
enum class Trouble {
    could_not_tell,  // 8: the store or the machine failed
    usage,           // 16: the command line or the spec
    refused,         // 4: a limit or a mismatch that an option overrides
    stopped,         // 32: a signal, after a checkpoint
};

class Error : public std::exception {
public:
    explicit Error(std::string text, Trouble trouble = Trouble::could_not_tell)
        : text_{std::move(text)}, trouble_{trouble} {}

    // Adds a fact. The value may be any bytes.
    Error& with(std::string_view name, std::string_view value);

    // Says what to do; replaces an earlier hint.
    Error& hint(std::string text);

    const std::string& text() const { return text_; }
    const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }
    const std::string& hint() const { return hint_; }
    Trouble trouble() const { return trouble_; }

    // Text and fields on one line, control characters escaped: for logs and tests.
    const char* what() const noexcept override;

private:
    std::string text_;
    std::vector<std::pair<std::string, std::string>> fields_;
    std::string hint_;
    Trouble trouble_;
    mutable std::string line_;
};

// Ends the program with the place and `promise` if `holds` is false. On in release builds: it marks
// a bug of ours, never a property of the data.
void ensure(bool holds, const char* promise);

}  // namespace idxfsck::store
