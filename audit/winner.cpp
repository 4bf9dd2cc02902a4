#include "audit/winner.hpp"

#include "audit/language/compare.hpp"

namespace idxfsck::audit {

bool outranks(const WinnerSpec& winner, const store::Value& rank, const store::Value& other) {
    if (winner.wins == Wins::nobody) return false;
    const auto comparison = winner.wins == Wins::smallest ? language::Comparison::less
                                                          : language::Comparison::greater;
    Scratch scratch;
    return language::compare(comparison, rank.view(), other.view(), scratch) ==
           language::Truth::yes;
}

std::optional<std::size_t> winner_of(const WinnerSpec& winner,
                                     const std::vector<store::Value>& ranks) {
    for (std::size_t place = 0; place < ranks.size(); ++place) {
        bool best = true;
        for (std::size_t other = 0; other < ranks.size() && best; ++other) {
            best = other == place || outranks(winner, ranks[place], ranks[other]);
        }
        if (best) return place;
    }
    return std::nullopt;
}

}  // namespace idxfsck::audit
