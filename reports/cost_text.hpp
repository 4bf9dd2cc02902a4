// reports/cost_text.hpp
//
// What a table has cost, in a line.

#pragma once

#include <string>

#include "store/read_cost.hpp"

namespace idxfsck::reports {

// `of` is printed as it is.
std::string cost_line(const std::string& of, const store::ReadCost& cost);
// Of a repair, whose reads are all of one sort.
std::string repair_cost_line(const std::string& of, const store::ReadCost& cost);

}  // namespace idxfsck::reports
