// reports/nearest.hpp
//
// The word that was probably meant.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace idxfsck::reports {

// The one of `words` that is nearest to `seen`: at most a third of its letters added, dropped,
// changed or swapped with their neighbour. The first of equals. Nothing if none is near enough.
std::optional<std::string_view> nearest_word(std::string_view seen,
                                             const std::vector<std::string_view>& words);

}  // namespace idxfsck::reports
