// audit/finding.hpp
//
// A confirmed difference, with everything that a report shows and a plan needs.
//
// Shape    Plain values. `id` is stable: the same drift in the same spec has the same id in every
//          audit, on any number of threads. finding_json.hpp has the form on disk.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/entry.hpp"
#include "audit/program.hpp"
#include "store/row.hpp"

namespace idxfsck::audit {

// The order is the order in which reports show them.
enum class FindingKind : std::uint8_t {
    orphaned_write,
    stale_pointer,
    divergent_copy,
    duplicate_claim,
    collision,
    unindexable,
    malformed_entry,
};

enum class Reason : std::uint8_t {
    none,
    // stale_pointer
    base_missing,
    base_partial,
    value_changed,
    base_exempt,
    unclaimed,
    redundant,
    // orphaned_write
    entry_missing,   // no row, or no member, at the key
    entry_elsewhere,  // the key holds an entry of another base row
    older_version,    // there is an entry under an older key version only
};

std::string_view kind_name(FindingKind kind);
std::string_view reason_name(Reason reason);

// The reverse of the names; nothing for a word that is none. Reason and damage know "none".
std::optional<FindingKind> kind_of(std::string_view name);
std::optional<Reason> reason_of(std::string_view name);
std::optional<Damage> damage_of(std::string_view name);

// A row as it was when the suspect was confirmed. The values themselves stay in the store: a plan
// holds keys and digests only.
struct SeenRow {
    std::string table;
    store::Key key;
    bool present = false;
    // 32 hex digits of XXH3-128: of the whole row for an index row, of the attributes on which the
    // entries rest for a base row. Empty if the row is absent.
    std::string digest;
    store::Bytes version;

    friend bool operator==(const SeenRow&, const SeenRow&) = default;
};

// An attribute that differs between what the base row calls for and what the entry holds.
struct Difference {
    std::string attribute;
    std::optional<store::Value> expected;
    std::optional<store::Value> actual;

    friend bool operator==(const Difference&, const Difference&) = default;
};

struct Finding {
    std::string id;
    FindingKind kind = FindingKind::orphaned_write;
    Reason reason = Reason::none;
    Damage damage = Damage::none;  // of unindexable and malformed_entry
    std::string attribute;         // what the damage is about
    std::string index;
    Entry entry;                   // copies left out: they are in `differences` where they matter
    std::optional<SeenRow> base;   // the base row that is, or was to be, named
    std::optional<SeenRow> index_row;
    std::vector<Difference> differences;
    // duplicate_claim, collision: base keys that derive the entry's key, in order of key; and the
    // one that the entry names now, if any.
    std::vector<store::Key> claimants;
    std::optional<store::Key> holder;
    // Of a conflict that a rule of the spec decides: the claimant that shall have the key. Then
    // `base` is its row and `entry` names it.
    std::optional<store::Key> winner;
    // orphaned_write, entry_elsewhere: the base row that the entry at the key names now, as seen.
    std::optional<SeenRow> holder_row;
    std::string linked;            // id of the other half of a move
    std::string severity = "error";  // "error", "warning", "info": of the spec

    friend bool operator==(const Finding&, const Finding&) = default;
};

// Index, then kind, then key bytes, then pointer bytes: the order of every report.
bool report_order(const Finding& a, const Finding& b);

// Sets `id` from spec-independent facts: index, kind, reason, key, pointer.
void set_id(Finding& finding);

}  // namespace idxfsck::audit
