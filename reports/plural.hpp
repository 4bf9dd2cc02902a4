// reports/plural.hpp
//
// Counts with their words: "1 finding", "1,234 findings".

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/escape.hpp"

namespace idxfsck::reports {

inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return grouped(count).append(" ").append(count == 1 ? one : many);
}

}  // namespace idxfsck::reports
