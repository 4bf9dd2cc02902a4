// tests/repair/rules_world.hpp
//
// What the tests of a spec's rules share: a base table, and words for plans.

#pragma once

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

namespace idxfsck::tests {

using Words = std::set<std::string>;

inline const std::string head = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "U"
key   = ["id"]
)";

// Its index by e-mail address, to which tests add.
inline const std::string email_index = R"(
[[index]]
name    = "email"
of      = "user"
store   = "main"
table   = "E"
key     = { k = "{email}" }
pointer = { u = "{id}" }
)";

inline store::NamedValue number(std::string name, const std::string& value) {
    return {std::move(name), store::Value::number(value)};
}

// Findings, then what the plan does and why not; "put_entry new:a@x", "manual …: reason".
inline std::vector<std::string> operations(const repair::Plan& plan) {
    std::vector<std::string> words;
    for (const repair::Operation& operation : plan.operations) {
        std::string text = std::string{repair::operation_name(operation.kind)} + " " +
                           word(operation.entry.key);
        if (operation.kind == repair::OperationKind::manual) text += ": " + operation.why;
        words.push_back(std::move(text));
    }
    return words;
}

inline store::Row row_at(const World& world, const std::string& table, const std::string& key) {
    const std::vector<store::Key> keys{{store::Value::text(key)}};
    return world.store.read(table, keys).front().value();
}

// Repairs, and audits again.
inline Words left_after_repair(World& world) {
    const repair::RepairResult result = world.repair(world.plan());
    for (const repair::OperationResult& one : result.operations) {
        CAPTURE(one.why);
        CHECK((one.outcome == repair::Outcome::applied || one.outcome == repair::Outcome::manual));
    }
    return words(world.audit());
}

}  // namespace idxfsck::tests
