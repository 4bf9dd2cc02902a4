// tests/cases/row_words.hpp
//
// What an audit says of each row of a case, in the case's own words.
//
// Shape    A row on which the audit is silent gets its word from the rows as they were loaded:
//          `ok` where both sides agree, `exempt` and `foreign` where the spec leaves the row out,
//          `unsettled` where they differ and yet there is no finding.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "audit/interpreter.hpp"
#include "play.hpp"

namespace idxfsck::tests {

using RowWords = std::set<std::string>;

class RowJudge {
public:
    RowJudge(const Play& play, const audit::AuditResult& result);

    RowWords base_row(const TypedRow& row);
    // Of a container: what is wrong with the row itself.
    RowWords index_row(const TypedRow& row);
    // By the text of each member.
    std::map<std::string, std::string> members(const TypedRow& row);

private:
    struct Derived {
        std::size_t index;
        audit::Entry entry;
    };

    bool lies_in(std::size_t index, const TypedRow& row, bool base) const;
    void note_base(std::size_t index, const TypedRow& row, RowWords& words);
    void note_silence(std::size_t index, const TypedRow& row, RowWords& words);
    bool held_by_version(std::size_t index, const TypedRow& row);
    std::string held_word(std::size_t index, const audit::Entry& entry) const;
    std::string entry_word(std::size_t index, const audit::Entry& entry) const;
    const audit::IndexSpec& spec_of(std::size_t index) const { return play_.spec().indexes[index]; }

    const Play& play_;
    const audit::AuditResult& result_;
    audit::Programs programs_;
    audit::Interpreter interpreter_;
    std::vector<Derived> derived_;  // what all base rows call for
    std::vector<Derived> held_;     // what all index rows hold
};

}  // namespace idxfsck::tests
