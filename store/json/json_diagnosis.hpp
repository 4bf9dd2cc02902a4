// store/json/json_diagnosis.hpp
//
// Where a line stops being JSON. Slow: for lines that the fast parser has refused.

#pragma once

#include "store/json/row_parser.hpp"

namespace idxfsck::store {

LineProblem diagnose_json(BytesView line);

}  // namespace idxfsck::store
