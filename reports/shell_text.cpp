#include "reports/shell_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/escape.hpp"

namespace idxfsck::reports {

namespace {

bool is_plain(char character) {
    constexpr std::string_view others = "_-./:@+,%=";
    const bool letter = (character >= 'a' && character <= 'z') ||
                        (character >= 'A' && character <= 'Z') ||
                        (character >= '0' && character <= '9');
    return letter || others.find(character) != others.npos;
}

std::string in_single_quotes(std::string_view word) {
    std::string quoted{'\''};
    for (const char character : word) {
        if (character == '\'') {
            quoted.append("'\\''");
        } else {
            quoted.push_back(character);
        }
    }
    return quoted.append("'");
}

}  // namespace

std::string shell_word(std::string_view word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string{word};
    // Escaping doubles backslashes, which are harmless: look at the rest.
    std::string rest{word};
    std::erase(rest, '\\');
    if (escape_terminal(rest) == rest) return in_single_quotes(word);
    std::string quoted{"$'"};
    for (const char character : word) {
        if (is_plain(character) || character == ' ') {
            quoted.push_back(character);
        } else {
            quoted.append(fmt::format("\\x{:02x}", static_cast<unsigned char>(character)));
        }
    }
    return quoted.append("'");
}

}  // namespace idxfsck::reports
