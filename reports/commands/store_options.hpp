// reports/commands/store_options.hpp
//
// What `load` and `dump` share: the shapes of NDJSON by name.

#pragma once

#include "reports/arguments.hpp"
#include "store/json/shape.hpp"

namespace idxfsck::reports {

store::Shape shape_option(const Arguments& arguments);

}  // namespace idxfsck::reports
