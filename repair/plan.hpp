// repair/plan.hpp
//
// A reviewable list of guarded writes, made from the findings of one audit.
//
// Shape    A header and operations in the order in which they run. A plan holds keys, pointers and
//          digests, never copied values: the executor derives those again from the live base row.
//          plan_json.hpp has the form on disk (NDJSON: header, one operation a line, a trailer with
//          the digest of all that stands before it).
// Errors   Making a plan never fails for what the findings hold: what cannot be written safely
//          becomes a `manual` operation with a reason.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/coverage.hpp"
#include "audit/finding.hpp"

namespace idxfsck::repair {

enum class OperationKind : std::uint8_t {
    put_entry,      // write an index row that is not there
    replace_entry,  // one compare-and-set: the key goes from one base row to another
    fix_copies,     // same entry, copied attributes brought up to date
    add_member,     // into a container row
    remove_member,  // out of a container row
    delete_entry,
    manual,         // shown to a person, never executed
};

std::string_view operation_name(OperationKind kind);
std::optional<OperationKind> operation_of(std::string_view name);

constexpr bool deletes(OperationKind kind) {
    return kind == OperationKind::delete_entry || kind == OperationKind::remove_member;
}

// Makes a base row reachable under a key that it derives.
constexpr bool adds(OperationKind kind) {
    return kind == OperationKind::put_entry || kind == OperationKind::add_member ||
           kind == OperationKind::replace_entry;
}

struct Operation {
    std::string id;        // stable: 16 hex digits of index, kind, key and pointer
    OperationKind kind = OperationKind::manual;
    std::string index;
    audit::Entry entry;    // key and pointer
    // What the decision rests on: the base row that the entry names or shall name, the base row
    // that the entry now there names, and the index row, each as seen by the audit.
    std::optional<audit::SeenRow> base;
    std::optional<audit::SeenRow> holder;
    std::optional<audit::SeenRow> index_row;
    std::string finding;   // id of the finding that it mends
    std::string why;       // evidence in words
    // Ids of the operations that must be `applied` or `already` before this one: the adds of the
    // base row whose old entry this one takes away.
    std::vector<std::string> after;

    friend bool operator==(const Operation&, const Operation&) = default;
};

// Sets `id` from what the operation is: index, kind, key and pointer; of `manual` the finding too.
void set_id(Operation& operation);

struct PlanHeader {
    int format_version = 1;
    std::string tool_version;
    std::string spec_file;    // relative to the plan's folder
    std::string spec_digest;
    std::vector<std::pair<std::string, std::string>> stores;  // name in the spec, identity
    std::int64_t created_ms = 0;
    std::int64_t expires_ms = 0;
    std::uint64_t entries_held = 0;   // in the audited indexes: what the delete limit is a share of
    std::uint64_t operations = 0;
    std::uint64_t deletes = 0;
    std::uint64_t findings = 0;       // of the audit
    std::uint64_t left_out = 0;       // operations that the options of `plan` kept out

    friend bool operator==(const PlanHeader&, const PlanHeader&) = default;
};

struct Plan {
    PlanHeader header;
    std::vector<Operation> operations;

    friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace idxfsck::repair
