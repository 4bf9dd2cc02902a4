// audit/reconcile_pass.hpp
//
// Asks every reconciler for what does not cancel, part by part on many workers.
//
// Needs    Reconcilers whose lanes are done with; null: nothing is asked of that index.
// Gives    What does not cancel of each, in one order. It is taken from `budget`.

#pragma once

#include "audit/differences.hpp"
#include "audit/task_pool.hpp"

namespace idxfsck::audit {

std::vector<Differences> run_reconcile_pass(const std::vector<Reconciler*>& reconcilers,
                                            TaskPool& pool, MemoryBudget& budget);

}  // namespace idxfsck::audit
