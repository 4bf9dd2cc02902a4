// repair/outcome.hpp
//
// What became of an operation, and of a whole repair.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idxfsck::repair {

enum class Outcome : std::uint8_t {
    applied,      // written and read back
    already,      // the store was already so
    superseded,   // the rows no longer call for it, or a guard failed: nothing of ours stays
    ineffective,  // written, still called for, and not there
    held,         // what it waits for was not applied
    skipped,      // --only or --except
    manual,       // for a person
    failed,       // the store failed; `why` has its words
    would_apply,  // without --apply
    not_run,      // the repair stopped before it
};

constexpr std::size_t outcome_count = 10;

std::string_view outcome_name(Outcome outcome);
std::optional<Outcome> outcome_of(std::string_view name);

struct OperationResult {
    std::string id;
    Outcome outcome = Outcome::not_run;
    std::string why;  // in words; may hold data of the store's error text: escape it

    friend bool operator==(const OperationResult&, const OperationResult&) = default;
};

enum class Ending : std::uint8_t {
    finished,
    stopped,         // stop_requested said so
    enough,          // --max-operations
    too_many_fails,  // law 10
};

struct RepairResult {
    std::vector<OperationResult> operations;  // in the order of the plan, every one
    Ending ending = Ending::finished;
    std::uint64_t writes = 0;  // that changed the store, compensations included

    std::uint64_t count(Outcome outcome) const;

    // Something still differs, or was not done: the 4 of the exit status. In a dry run: there is
    // something to do. Superseded operations count: whether the new state agrees, only an audit
    // can tell.
    bool anything_left() const;

    // The store failed at least once: the 8 of the exit status.
    bool could_not_tell() const { return count(Outcome::failed) > 0; }
};

}  // namespace idxfsck::repair
