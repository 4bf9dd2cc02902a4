// reports/why.hpp
//
// One key of one index, explained: what the base rows call for, what the index holds, and what
// follows. The judgement is the audit's own; only the rows differ: these are read now.
//
// Reads    The row that was asked for, and those that its entries name; with `look_through`, every
//          row of the base table.
// Errors   Error (usage) if there is no such index or the key has another number of components.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/audit_run.hpp"
#include "audit/judge.hpp"

namespace idxfsck::reports {

struct WhyEntry {
    audit::Entry entry;                   // asked about: derived by the row, or held at the key
    std::vector<std::string> calls;       // keys that its base row calls for, in words
    std::string owner;                    // the base row that it names, in words; "" : none
    audit::Ruling ruling = audit::Ruling::settled;
    audit::Finding finding;               // unless settled
};

// What follows for the entry: "consistent", "stale_pointer: base_missing".
std::string verdict_words(const WhyEntry& entry);

struct WhyAnswer {
    std::string index;
    std::string table;                    // of the row that was asked for
    store::Key key;
    bool of_base = false;                 // asked by --row
    std::string state;                    // of that row, in words
    std::vector<WhyEntry> entries;
    bool looked_through = false;
    std::vector<store::Key> claimants;    // base rows that derive the key; if looked through

    std::vector<const audit::Finding*> findings() const;
    // Whether a base row calls for an entry that is not there, or that names no row, only a look
    // through the base table can tell.
    bool undecided() const;
};

class WhyLook {
public:
    WhyLook(const audit::Spec& spec, const audit::Readers& readers, const std::string& index,
            std::int64_t now_ms);

    // The index row with this key.
    WhyAnswer by_key(const store::Key& key, bool look_through);
    // The base row with this key.
    WhyAnswer by_row(const store::Key& key);

private:
    const audit::TableProgram& base_table() const;
    const audit::TableProgram& index_table() const;
    void check_size(const store::Key& key, const store::TableSchema& schema) const;
    void judge_all(std::vector<audit::Suspect> suspects, WhyAnswer& answer);
    WhyEntry explained(const audit::Suspect& suspect, audit::Judge& judge);
    std::vector<store::Key> claimants_of(const store::Key& key) const;
    void weigh_claimants(WhyAnswer& answer);
    const store::Row* read(std::size_t table, const store::Key& key);

    audit::Programs programs_;
    audit::TableReaders readers_;
    audit::LiveRows rows_;
    audit::Interpreter interpreter_;
};

}  // namespace idxfsck::reports
