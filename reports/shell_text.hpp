// reports/shell_text.hpp
//
// A word that may be pasted into a shell as it stands.

#pragma once

#include <string>
#include <string_view>

namespace idxfsck::reports {

// As it is if it is plain; in single quotes if it is not; as $'…' if it holds what a terminal must
// not see.
std::string shell_word(std::string_view word);

}  // namespace idxfsck::reports
