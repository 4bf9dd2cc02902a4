// audit/spec_toml.hpp
//
// Reads a spec from TOML and complains about everything that is wrong with it, at once.

#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "audit/spec.hpp"

namespace idxfsck::audit {

// One thing that is wrong: where, what, and what would be right.
struct Complaint {
    SpecPlace place;
    std::string text;  // "unknown transform"
    std::string seen;  // the offending words, raw; "" if none
    std::string hint;  // "did you mean `lower`?"

    friend bool operator==(const Complaint& a, const Complaint& b) {
        return a.place.line == b.place.line && a.place.column == b.place.column &&
               a.text == b.text && a.seen == b.seen && a.hint == b.hint;
    }
};

// The spec, or the complaints in order of place. Touches neither network nor stores.
std::variant<Spec, std::vector<Complaint>> read_spec(std::string file, std::string text);

// Reads the file too. Throws Error (usage) with the complaints as one text if there are any:
// file:line:column, what is wrong, what would be right, one a line.
Spec load_spec(const std::string& file);

// Throws Error (usage) with the complaints as one text, in order of place.
[[noreturn]] void throw_complaints(const std::string& file, std::vector<Complaint> complaints);

}  // namespace idxfsck::audit
