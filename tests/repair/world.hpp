// tests/repair/world.hpp
//
// A small world for repairs: a spec, tables in memory behind a store that can fail, journals in
// strings, and the whole way from audit to undo in one word each.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "repair/executor.hpp"
#include "repair/journal.hpp"
#include "repair/make_plan.hpp"
#include "repair/plan_json.hpp"
#include "repair/undo.hpp"
#include "tests/audit/world.hpp"
#include "tests/repair/faulty_store.hpp"
#include "tests/repair/journal_memory.hpp"

namespace idxfsck::tests {

// Rows of all tables by table and key, as bytes; versions are left out.
using Image = std::map<std::string, std::string>;

inline Image image_of(const store::MemoryStore& store) {
    Image image;
    for (const store::TableSchema& table : store.tables()) {
        for (const store::Row& row : store.rows(table.name)) {
            image[table.name + " " + word(row.key)] = row.attributes;
        }
    }
    return image;
}

inline store::Capabilities capabilities_of(store::GuardReach guard, bool versions,
                                           bool snapshot = false) {
    store::Capabilities capabilities = store::memory_capabilities();
    capabilities.guard = guard;
    capabilities.row_versions = versions;
    capabilities.snapshot = snapshot;
    return capabilities;
}

// Read once: tests make thousands of worlds of one spec.
inline const audit::Spec& spec_once(const std::string& text) {
    static std::map<std::string, audit::Spec> specs;
    const auto found = specs.find(text);
    return found != specs.end() ? found->second : specs.emplace(text, spec_of(text)).first->second;
}

struct World {
    const audit::Spec& spec;
    store::MemoryStore store;
    FaultyStore faulty{store};
    TestClock clock;
    std::string journal;
    std::string undo_journal;

    explicit World(const std::string& spec_text,
                   store::Capabilities capabilities = store::memory_capabilities())
        : spec{spec_once(spec_text)}, store{capabilities} {}

    void put(const std::string& table, std::vector<std::string> key,
             std::vector<store::NamedValue> attributes) {
        store.put(table, row_of(std::move(key), std::move(attributes)));
    }

    repair::Stores stores() { return {{"main", {&faulty, &faulty}}}; }

    audit::AuditResult audit() {
        return audit_of(spec, store, clock, 1, 1, audit::EngineChoice::exact);
    }

    repair::Plan plan() { return plan_of(audit()); }

    repair::Plan plan_of(const audit::AuditResult& result) const {
        repair::PlanOptions options;
        options.now_ms = clock.now_ms();
        options.tool_version = IDXFSCK_VERSION;
        return repair::make_plan(spec, result, options);
    }

    repair::RepairResult repair(const repair::Plan& plan, repair::RepairOptions options = {}) {
        options.apply = true;
        const repair::JournalHeader header{
            "repair", repair::plan_digest(plan), spec.digest, plan.header.stores, 1, "0.1.0"};
        repair::Journal open{std::make_unique<MemoryJournalFile>(journal), header};
        return repair::run_repair(plan, spec, stores(), &open, clock, options);
    }

    repair::RepairResult dry_run(const repair::Plan& plan, repair::RepairOptions options = {}) {
        const repair::Stores readers{{"main", {&store, nullptr}}};
        return repair::run_repair(plan, spec, readers, nullptr, clock, options);
    }

    repair::RepairResult undo(repair::UndoOptions options = {}) {
        options.apply = true;
        const auto contents = repair::read_journal(journal);
        if (!contents) return {};
        repair::Journal open{std::make_unique<MemoryJournalFile>(undo_journal),
                             repair::undo_header(*contents, 1, "0.1.0")};
        return repair::run_undo(*contents, stores(), &open, options);
    }

    Image image() const { return image_of(store); }
};

inline std::vector<std::string> outcomes(const repair::RepairResult& result) {
    std::vector<std::string> words;
    for (const repair::OperationResult& one : result.operations) {
        words.emplace_back(repair::outcome_name(one.outcome));
    }
    return words;
}

inline bool all_are(const repair::RepairResult& result, repair::Outcome outcome) {
    return result.count(outcome) == result.operations.size();
}

// Users with an e-mail index: unique, with a copied name, sparse on DeletedAt.
inline const std::string users_by_email = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
may_be_empty = true
[[index]]
name = "by-email"
of = "user"
store = "main"
table = "ByEmail"
key = { Email = "{Email}" }
pointer = { UserId = "{UserId}" }
copies = { Name = "{Name}" }
when = 'not exists(DeletedAt)'
unique = true
)";

struct UserWorld : World {
    explicit UserWorld(store::Capabilities capabilities = store::memory_capabilities())
        : World{users_by_email, capabilities} {
        store.create_table({"Users", {"UserId"}});
        store.create_table({"ByEmail", {"Email"}});
    }

    void user(const std::string& id, const std::string& email, const std::string& name = "n") {
        std::vector<store::NamedValue> attributes{text("Name", name)};
        if (!email.empty()) attributes.push_back(text("Email", email));
        put("Users", {id}, std::move(attributes));
    }
    void entry(const std::string& email, const std::string& id, const std::string& name = "n") {
        put("ByEmail", {email}, {text("UserId", id), text("Name", name)});
    }
};

}  // namespace idxfsck::tests
