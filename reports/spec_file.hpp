// reports/spec_file.hpp
//
// The spec that a command line names: read, checked, and what is wrong with it shown in place.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "audit/spec_toml.hpp"
#include "reports/command.hpp"

namespace idxfsck::reports {

constexpr std::size_t spec_bytes_max = 4 << 20;

struct CheckedSpec {
    std::string text;
    std::variant<audit::Spec, std::vector<audit::Complaint>> outcome;
};

CheckedSpec check_spec_file(const std::string& path);

// One complaint as a compiler shows it: file:line:column, what is wrong, the line with a caret, and
// what would be right. Harmless on a terminal.
std::string complaint_text(const std::string& path, std::string_view spec_text,
                           const audit::Complaint& complaint);

// The spec; or all complaints on standard error and an Error (usage).
audit::Spec require_spec(const std::string& path, Streams& streams);

// Throws Error (usage), about --index, if the spec has no index of the name.
void check_index_name(const std::string& name, const audit::Spec& spec);

}  // namespace idxfsck::reports
