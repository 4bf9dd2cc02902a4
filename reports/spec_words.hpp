// reports/spec_words.hpp
//
// What a spec declares, in words: so that its author sees whether it says what was meant.

#pragma once

#include <string>

#include "audit/spec.hpp"

namespace idxfsck::reports {

std::string spec_words(const audit::Spec& spec);

}  // namespace idxfsck::reports
