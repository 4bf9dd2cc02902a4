// reports/style.hpp
//
// Colour on a terminal, or none. Meaning never rests on colour alone.
//
// Shape    Decided once for each stream: --color always|never wins; then NO_COLOR (set and not
//          empty), then CLICOLOR_FORCE (not empty, not 0), then CLICOLOR=0 and TERM=dumb; otherwise
//          colour goes to terminals only.
// Source   https://no-color.org and https://bixense.com/clicolors

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/output.hpp"

namespace idxfsck::reports {

class Style {
public:
    Style() = default;
    explicit Style(bool colour) : colour_{colour} {}

    bool colour() const { return colour_; }

    std::string bold(std::string_view text) const { return wrap("1", text); }
    std::string dim(std::string_view text) const { return wrap("2", text); }
    std::string red(std::string_view text) const { return wrap("31", text); }
    std::string green(std::string_view text) const { return wrap("32", text); }
    std::string yellow(std::string_view text) const { return wrap("33", text); }

private:
    std::string wrap(std::string_view code, std::string_view text) const;

    bool colour_ = false;
};

// `choice` is the value of --color, if it was given: "auto", "always" or "never".
Style style_of(const Output& output, const std::optional<std::string>& choice);

}  // namespace idxfsck::reports
