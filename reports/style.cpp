#include "reports/style.hpp"

#include <cstdlib>

namespace idxfsck::reports {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool colour_wanted(const Output& output) {
    const std::string force = environment("CLICOLOR_FORCE");
    if (!environment("NO_COLOR").empty()) return false;
    if (!force.empty() && force != "0") return true;
    if (environment("CLICOLOR") == "0" || environment("TERM") == "dumb") return false;
    return output.is_terminal();
}

}  // namespace

std::string Style::wrap(std::string_view code, std::string_view text) const {
    if (!colour_ || text.empty()) return std::string{text};
    std::string wrapped{"\x1b["};
    return wrapped.append(code).append("m").append(text).append("\x1b[0m");
}

Style style_of(const Output& output, const std::optional<std::string>& choice) {
    if (choice == "always") return Style{true};
    if (choice == "never") return Style{false};
    return Style{colour_wanted(output)};
}

}  // namespace idxfsck::reports
