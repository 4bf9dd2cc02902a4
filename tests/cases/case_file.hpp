// tests/cases/case_file.hpp
//
// The cases of cases.jsonl, each with the spec that stands beside it.
//
// Shape    ID.toml is the spec of case ID; D03.B.toml that of its variant B, whose expectation is
//          `variant_B_expected` in the context of the case. Lines that begin with `#:` are joined
//          to one JSON object of settings (README.md has them). The context of the case is laid
//          under them, so that the settings may add to it.
// Errors   Throws std::runtime_error for a spec that makes no sense.

#pragma once

#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "store/json/value_json.hpp"

namespace idxfsck::tests {

struct Case {
    std::string name;      // "D03", "D03.B"
    store::Json base_rows;
    store::Json index_rows;
    store::Json expected;  // base, index, plan
    store::Json settings;  // context of the case, and what the spec's comments add
    audit::Spec spec;
};

// Ids in cases.jsonl, in its order.
std::vector<std::string> case_ids();

// Every case that has a spec, in order of name.
std::vector<Case> load_cases();

// The page beside the cases: what is argued stands there.
std::string cases_page();

}  // namespace idxfsck::tests
