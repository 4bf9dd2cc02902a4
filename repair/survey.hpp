// repair/survey.hpp
//
// What the findings of an audit say about each other: the stale entry at a key that another base
// row claims, the conflicts at a key, the base rows that are part of one.
//
// Shape    Built once for a plan; refers to the findings, which must outlive it.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "audit/coverage.hpp"
#include "audit/spec.hpp"

namespace idxfsck::repair {

// The bytes of a base row's key within an index: numbers compared as numbers.
store::Bytes base_of(const std::string& index, const store::Key& base_key);

class Survey {
public:
    Survey(const audit::Spec& spec, const audit::AuditResult& result);

    // The stale pointer that sits where the entry of `finding` belongs.
    const audit::Finding* stale_at(const audit::Finding& finding) const;
    // The orphaned write whose entry belongs where the stale one sits; the first in report order.
    const audit::Finding* claimant_at(const audit::Finding& finding) const;
    // Several base rows claim the key.
    bool conflict_at(const audit::Finding& finding) const;
    // The base row claims a key, in this index, that it cannot have or that others claim too.
    bool in_conflict(const std::string& index, const store::Key& base_key) const;
    // Why no deletes may be planned for an index; empty if they may.
    std::string_view incomplete(const std::string& index) const;

private:
    void add(const audit::IndexSpec& index, const audit::Finding& finding);
    void add_gaps(const audit::Spec& spec, const audit::Coverage& coverage);
    store::Bytes slot_of_finding(const audit::Finding& finding) const;

    const audit::Spec& spec_;
    std::unordered_map<store::Bytes, const audit::Finding*> stales_;
    std::unordered_map<store::Bytes, const audit::Finding*> claimants_;
    std::unordered_set<store::Bytes> conflicts_;        // index and key
    std::unordered_set<store::Bytes> conflict_bases_;   // index and base key
    std::set<std::string> incomplete_;                  // indexes
};

}  // namespace idxfsck::repair
