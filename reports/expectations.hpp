// reports/expectations.hpp
//
// An answer key: the findings that an audit is expected to give, and the comparison with those that
// it gave.
//
// Shape    NDJSON, one finding a line: index, kind, reason or damage, key, pointer; FORMATS.md has
//          the grammar. Compared as multisets: the order of lines does not matter, and a line that
//          stands twice expects two findings. `pointer` may be left out: then any matches.
// Errors   Error (usage) with file, line and what is wrong.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/coverage.hpp"

namespace idxfsck::reports {

constexpr std::size_t expectations_bytes_max = std::size_t{1} << 30;

struct Expectation {
    std::string index;
    audit::FindingKind kind = audit::FindingKind::orphaned_write;
    audit::Reason reason = audit::Reason::none;
    audit::Damage damage = audit::Damage::none;
    store::Key key;
    std::optional<std::vector<store::Value>> pointer;  // nothing: any

    friend bool operator==(const Expectation&, const Expectation&) = default;
};

// `file` is for messages.
std::vector<Expectation> read_expectations(std::string_view text, const std::string& file);

struct ExpectationResult {
    std::vector<Expectation> missing;              // expected and not found
    std::vector<const audit::Finding*> too_much;   // found and not expected; as long as they live

    bool equal() const { return missing.empty() && too_much.empty(); }
};

ExpectationResult compare(const std::vector<Expectation>& expected,
                          const std::vector<audit::Finding>& found);

// One line for each difference: "missing: …" and "too much: …", then the sums; how many lines at
// most of each.
std::string expectation_text(const ExpectationResult& result, std::size_t expected,
                             std::size_t lines_max);

}  // namespace idxfsck::reports
