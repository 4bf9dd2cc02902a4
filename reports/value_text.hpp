// reports/value_text.hpp
//
// Typed values and keys as people read them: "ann@x.org", 42, 0x00ff, null, ("user", 7).
//
// Shape    One line, harmless on a terminal (escape.hpp). Long texts, bytes and containers are cut,
//          and it shows. For people only: 42 may be a number or an integer; JSON tells them apart.
// Errors   None: a payload that does not fit its kind is shown as what it is.

#pragma once

#include <span>
#include <string>

#include "store/value.hpp"

namespace idxfsck::reports {

std::string value_text(const store::ValueView& value);

// One component alone; several in brackets; ("user", "u1").
std::string key_text(std::span<const store::Value> key);

}  // namespace idxfsck::reports
