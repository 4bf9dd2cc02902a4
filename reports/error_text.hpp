// reports/error_text.hpp
//
// An Error as a person reads it: what failed, the facts, and what to do.
//
// Shape    "idxfsck: cannot open the store: store=main path="/tmp/x y"", then "hint: …". Facts are
//          data: escaped, and quoted where they are more than a plain word.

#pragma once

#include <string>

#include "reports/style.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

std::string error_text(const store::Error& error, const Style& style);

}  // namespace idxfsck::reports
