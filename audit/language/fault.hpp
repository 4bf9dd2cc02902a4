// audit/language/fault.hpp
//
// What is wrong with a template or condition, and where in its text.
//
// Shape    `offset` counts bytes of the text from 0. Whoever knows where the text stands in the
//          spec file turns it into line and column.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace idxfsck::audit::language {

struct Fault {
    std::size_t offset = 0;
    std::string text;  // "unknown transform"
    std::string seen;  // the offending words, raw; "" if none
    std::string hint;  // "did you mean `lower`?"

    friend bool operator==(const Fault&, const Fault&) = default;
};

using Faults = std::vector<Fault>;

}  // namespace idxfsck::audit::language
