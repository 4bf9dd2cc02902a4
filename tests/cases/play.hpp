// tests/cases/play.hpp
//
// One case in the memory store: its rows, an audit, a plan, and the plan carried out.
//
// Shape    What a case tells of time and trouble happens here: rows that change before a suspect is
//          looked at again, or before the plan is applied; pages that a store hands over; writes
//          that it acknowledges and loses.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "case_file.hpp"
#include "paged_store.hpp"
#include "repair/executor.hpp"
#include "repair/plan.hpp"
#include "tests/audit/world.hpp"
#include "typed_rows.hpp"

namespace idxfsck::tests {

class Play {
public:
    explicit Play(const Case& of, audit::EngineChoice engine);

    const Case& played() const { return case_; }
    const audit::Spec& spec() const { return case_.spec; }
    // The rows as loaded, in the order of the case; nothing for one that repeats a base row.
    const std::vector<std::optional<TypedRow>>& base_rows() const { return base_rows_; }
    const std::vector<std::optional<TypedRow>>& index_rows() const { return index_rows_; }
    std::int64_t now_ms() const { return now_ms_; }
    store::KeyLimits key_limits() const { return store_.capabilities().key_limits; }

    audit::AuditResult audit();
    repair::Plan plan(const audit::AuditResult& result) const;
    // What was to happen before the plan is applied happens first.
    void change_before_repair();
    repair::RepairResult repair(const repair::Plan& plan);
    std::vector<store::Row> rows(const std::string& table) const { return store_.rows(table); }

private:
    std::vector<std::optional<TypedRow>> typed(const store::Json& rows, const std::string& table);
    void load(const std::vector<std::optional<TypedRow>>& rows);
    // `{"put_base": [row], "erase_index": [row]}`, and so on.
    void change(const store::Json& changes);
    std::string usual_table(bool base) const;

    const Case& case_;
    audit::EngineChoice engine_;
    TestClock clock_;
    std::int64_t now_ms_;
    std::vector<store::TableSchema> schemas_;
    store::MemoryStore store_;
    PagedStore paged_;
    std::vector<std::optional<TypedRow>> base_rows_;
    std::vector<std::optional<TypedRow>> index_rows_;
    std::map<std::string, std::string> journals_;  // by digest of the plan
};

}  // namespace idxfsck::tests
