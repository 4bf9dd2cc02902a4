// repair/executor.hpp
//
// Runs a plan: for each operation re-read, re-derive, decide, journal, write under guards, read
// back, journal. SAFETY.md has the protocol step by step.
//
// Shape    Operations run in the order of the plan, in groups of up to `group_max` whose
//          before-images share one sync of the journal. Two operations on one row, or one that
//          waits for another, never share a group.
// Needs    A plan that check_plan() let through, and the FolderLock of its folder.
// Errors   Throws Error (usage) for an id in `only` or `except` that the plan does not have, or a
//          plan that does not fit the spec; whatever the journal throws: without its record nothing
//          is written. A store that fails makes the operation `failed`, not the repair.
// Threads  Everything happens on the caller's thread.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit_run.hpp"
#include "audit/spec.hpp"
#include "repair/outcome.hpp"
#include "repair/plan.hpp"
#include "store/writer.hpp"

namespace idxfsck::repair {

class Journal;

// A store as a repair sees it. Without --apply it needs no writer, and is best opened read-only.
struct StoreAccess {
    store::Reader* reader = nullptr;
    store::Writer* writer = nullptr;
};

using Stores = std::map<std::string, StoreAccess>;  // by the store's name in the spec

// The readers alone: what check_plan() takes.
audit::Readers readers_of(const Stores& stores);

// Answers, for entries that name no base row, which of them no base row derives now. Looks once, at
// all base rows of the index, right before the deletes. Nothing: it could not be told, and the
// deletes are held.
using StillUnclaimed = std::function<std::optional<std::vector<bool>>(
    const std::string& index, const std::vector<audit::Entry>& entries)>;

struct RepairOptions {
    bool apply = false;
    std::vector<std::string> only;    // ids; empty: all
    std::vector<std::string> except;  // ids
    std::optional<std::uint64_t> operations_max;  // writes at most
    std::optional<std::int64_t> as_of_ms;         // instead of the clock's now, when deriving
    std::size_t group_max = 64;
    // Stops once `attempts_min` operations were attempted and more than `fails_share_max` of them
    // failed, were ineffective or superseded.
    std::uint64_t attempts_min = 20;
    double fails_share_max = 0.5;
    std::function<void(std::uint64_t operations)> pace;  // called before a group: may wait
    std::function<bool()> stop_requested;                // between groups
    std::function<void(const OperationResult&)> progress;
    // Empty: scan the base table here, one partition after the other (unclaimed_scan.hpp).
    StillUnclaimed still_unclaimed;
};

// `journal` may be null if not options.apply.
RepairResult run_repair(const Plan& plan, const audit::Spec& spec, const Stores& stores,
                        Journal* journal, audit::Clock& clock, const RepairOptions& options);

}  // namespace idxfsck::repair
