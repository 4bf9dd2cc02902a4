#include "audit/language/nearest.hpp"

#include <algorithm>
#include <vector>

namespace idxfsck::audit::language {

namespace {

// Longer names are never near: the table stays small whatever a spec holds.
constexpr std::size_t name_bytes_max = 64;

char small(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character + 32) : character;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, current);
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = small(a[i - 1]) == small(b[j - 1]);
            current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2]) &&
                                 small(a[i - 2]) == small(b[j - 1]);
            if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
        }
    }
    return current[b.size()];
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> names) {
    if (name.size() > name_bytes_max) return {};
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string_view candidate : names) {
        if (candidate.size() > name_bytes_max) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggest(std::string_view name, std::span<const std::string_view> names) {
    const std::string_view near = nearest(name, names);
    if (!near.empty()) return "did you mean `" + std::string{near} + "`?";
    if (names.empty()) return {};
    std::string text = "one of: ";
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (index > 0) text += ", ";
        text += names[index];
    }
    return text;
}

}  // namespace idxfsck::audit::language
