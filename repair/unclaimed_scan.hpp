// repair/unclaimed_scan.hpp
//
// Looks at every base row of an index for entries that do not say whose they are.
//
// Reads    The whole base table, one partition after the other.
// Gives    For each entry whether no base row derives it; nothing if the table could not be read to
//          its proven end, or has no real row although the spec does not say that it may be empty.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/live_view.hpp"

namespace idxfsck::repair {

std::optional<std::vector<bool>> scan_unclaimed(LiveView& view, const std::string& index,
                                                const std::vector<audit::Entry>& entries);

}  // namespace idxfsck::repair
