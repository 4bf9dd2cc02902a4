#include "reports/error_text.hpp"

#include <algorithm>

#include "reports/escape.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t fact_bytes_max = 2048;

bool is_plain_word(std::string_view value) {
    constexpr std::string_view others = "_-./:@+,%";
    const auto plain = [&](char character) {
        const bool letter = (character >= 'a' && character <= 'z') ||
                            (character >= 'A' && character <= 'Z') ||
                            (character >= '0' && character <= '9');
        return letter || others.find(character) != others.npos;
    };
    return !value.empty() && value.size() <= 256 && std::all_of(value.begin(), value.end(), plain);
}

// Lines after the first are indented, so that no line of it begins with data.
std::string escape_lines(std::string_view text, std::size_t indent) {
    std::string lines;
    while (true) {
        const std::size_t end = text.find('\n');
        lines.append(escape_terminal(text.substr(0, end)));
        if (end == text.npos) return lines;
        text.remove_prefix(end + 1);
        lines.append("\n").append(indent, ' ');
    }
}

}  // namespace

std::string error_text(const store::Error& error, const Style& style) {
    std::string text = style.red("idxfsck:") + " " + escape_lines(error.text(), 4);
    const char* before = ": ";
    for (const auto& [name, value] : error.fields()) {
        const std::string shown =
            is_plain_word(value) ? value : quote_terminal(value, fact_bytes_max);
        text.append(before).append(escape_terminal(name)).append("=").append(shown);
        before = " ";
    }
    text.append("\n");
    if (error.hint().empty()) return text;
    return text.append("hint: ").append(escape_lines(error.hint(), 6)).append("\n");
}

}  // namespace idxfsck::reports
