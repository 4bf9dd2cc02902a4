#include "reports/nearest.hpp"

#include <algorithm>

namespace idxfsck::reports {

namespace {

// Longer words are nobody's typing mistake; the limit keeps hostile input cheap.
constexpr std::size_t word_size_max = 64;

// Edit distance where swapping neighbours is one edit (optimal string alignment).
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::vector<std::size_t>> edits(from.size() + 1,
                                                std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i) edits[i][0] = i;
    for (std::size_t j = 0; j <= to.size(); ++j) edits[0][j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t changed = from[i - 1] == to[j - 1] ? 0 : 1;
            edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                                    edits[i - 1][j - 1] + changed});
            const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] &&
                                 from[i - 2] == to[j - 1];
            if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    }
    return edits[from.size()][to.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view seen,
                                             const std::vector<std::string_view>& words) {
    if (seen.size() > word_size_max) return std::nullopt;
    std::optional<std::string_view> best;
    std::size_t best_edits = std::max<std::size_t>(1, seen.size() / 3) + 1;
    for (const std::string_view word : words) {
        const std::size_t edits = distance(seen, word);
        if (edits >= best_edits) continue;
        best = word;
        best_edits = edits;
    }
    return best;
}

}  // namespace idxfsck::reports
