// repair/attempt.hpp
//
// One operation on its way through the executor: the live rows, what follows from them, and the
// write with its guards.
//
// Shape    look_at() fills in all but the result of writing. An attempt whose rows could not be
//          read is `failed`.
// Threads  One.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/decide.hpp"
#include "repair/live_view.hpp"
#include "repair/outcome.hpp"

namespace idxfsck::repair {

struct Attempt {
    const Operation* operation = nullptr;
    RowAddress index_row;
    std::optional<store::Row> before;  // the index row as read
    std::optional<RowAddress> base_row;
    std::optional<store::Row> base;
    // Beside evidence.displaced, one for one.
    std::vector<RowAddress> displaced_rows;
    std::vector<std::optional<store::Row>> displaced;
    // Of an entry under an older key version: the rows where those under the current one belong. Of
    // one that may stand in several rows: the others.
    std::vector<RowAddress> newer_rows;
    std::vector<std::optional<store::Row>> newer;
    std::vector<audit::Entry> newer_entries;
    bool any_newer = false;  // one of these rows is enough
    Evidence evidence;
    Decision decision;
    std::optional<store::Row> after;  // what the write shall leave
    std::optional<std::string> error; // the store's words: nothing could be decided

    bool writes() const { return !error && decision.writes(); }
};

Attempt attempt_of(const Operation& operation, const LiveView& view);

// Notes whether the entry tells which base row it names, and that it is the operation's.
void see_names(const LiveView& view, Attempt& attempt);

// Notes an entry that the write pushes out, and the base row that it names.
void add_displaced(const LiveView& view, Attempt& attempt, const audit::Entry& entry);

// Reads the rows of all attempts, in two rounds, and decides. `unclaimed` says of each attempt
// whether a look at all base rows found its entry unclaimed, where that was done.
void look_at(LiveView& view, std::vector<Attempt>& attempts,
             const std::vector<std::optional<bool>>& unclaimed);

// Reads the base rows again, and only those: does what was decided still hold? `error` is set if
// they cannot be read.
bool still_holds(LiveView& view, Attempt& attempt);
// The same of several, whose rows are read together, each once.
std::vector<bool> still_hold(LiveView& view, const std::vector<Attempt*>& attempts);

// The write that was decided, guarded on the base rows where one step of the store can be.
store::GuardedWrite guarded_write(const LiveView& view, const Attempt& attempt);

}  // namespace idxfsck::repair
