// audit/language/locator.hpp
//
// From an entry to the key of the base row that it names.
//
// Shape    Pointer and member templates are read backwards, and where they do not tell, the key
//          templates too; what the base's selector says of all its rows comes in as known; `locate`
//          templates make key components of other attributes. The answer counts only if every
//          template that it rests on gives back, of what is known now, what the entry holds.
// Threads  Constant.

#pragma once

#include <optional>
#include <vector>

#include "audit/entry.hpp"
#include "audit/language/bound_template.hpp"
#include "audit/language/inversion.hpp"
#include "audit/spec.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit::language {

class Locator {
public:
    // `key` are the index's key templates, in the order of its schema; `base_table` is the schema
    // of the base's table.
    Locator(const IndexSpec& index, const BaseSpec& base, const std::vector<NamedTemplate>& key,
            const store::TableSchema& base_table, std::int64_t now_ms);

    std::optional<store::Key> locate(const EntryView& entry) const;

    // Can it tell the base key of some entries at least?
    bool can_locate() const;

private:
    struct Choice {
        Template parsed;
        Solution constants;  // what its condition says of every row that takes it
    };
    // A template that can be read in both directions.
    struct Reading {
        std::vector<Choice> choices;
        BoundValue bound;
        std::vector<std::string> sources;
    };

    Reading read(const NamedTemplate& named);
    // What the value tells if it came of this choice; nothing if it cannot have.
    std::optional<Solution> explain(const Reading& reading, const Choice& choice,
                                    const store::ValueView& value, Scratch& scratch,
                                    Solution known) const;
    bool gives_back(const Reading& reading, const store::ValueView& value, Scratch& scratch,
                    const Solution& solution) const;
    void solve(const std::vector<Reading>& readings, std::span<const store::ValueView> values,
               Scratch& scratch, Solution& solution) const;
    // The base key, if what is known makes it; then `solution` holds all that went into it.
    std::optional<store::Key> conclude(Solution& solution, Scratch& scratch) const;
    bool compute(std::size_t component, Scratch& scratch, Solution& solution) const;
    bool agrees(const std::vector<Reading>& readings, std::span<const store::ValueView> values,
                Scratch& scratch, const Solution& solution) const;
    std::vector<store::ValueView> slots_of(const Solution& solution) const;
    bool knows(const Reading& reading, const Solution& solution) const;

    std::int64_t now_ms_;
    std::vector<std::string> slot_names_;
    Types types_;
    Solution constants_;
    std::vector<std::string> base_key_;
    std::vector<Reading> key_;
    std::vector<Reading> pointer_;
    std::vector<std::optional<Reading>> locate_;  // one for each base key component
};

// The names of what a template's value rests on, conditions of its choices too.
std::vector<std::string> sources_of(const NamedTemplate& named);

}  // namespace idxfsck::audit::language
