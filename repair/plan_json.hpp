// repair/plan_json.hpp
//
// A plan as a file that a person can read: NDJSON, a header, one operation a line, and a trailer
// with the digest of every byte before it. Grammar and an example: FORMATS.md.
//
// Errors   Reading throws Error (refused) for a digest that does not fit (the file was cut or
//          edited by hand; leave operations out with --only and --except instead) and for an
//          unknown major format version; Error (usage) for what is no plan, with the line. Unknown
//          fields are ignored.

#pragma once

#include <string>
#include <string_view>

#include "repair/plan.hpp"

namespace idxfsck::repair {

constexpr int plan_format_version = 1;
constexpr std::size_t plan_line_bytes_max = 4 << 20;
constexpr std::size_t plan_bytes_max = std::size_t{4} << 30;

std::string write_plan(const Plan& plan);
Plan read_plan(std::string_view text);

// 32 hex digits, XXH3-128, of the written plan: what a journal is bound to.
std::string plan_digest(const Plan& plan);

// To and from a file of mode 0600; the write is atomic.
void save_plan(const std::string& path, const Plan& plan);
Plan load_plan(const std::string& path);

}  // namespace idxfsck::repair
