// audit/reconcile_pass.hpp
//
// Asks every reconciler for what does not cancel, part by part on many workers.
//
// Needs    Reconcilers whose lanes are done with; null: nothing is asked of that index.
// Gives    The unmatched entries of each, sorted by side, place and mark.

#pragma once

#include "audit/reconcile.hpp"
#include "audit/task_pool.hpp"

namespace idxfsck::audit {

std::vector<std::vector<Unmatched>> run_reconcile_pass(const std::vector<Reconciler*>& reconcilers,
                                                       TaskPool& pool);

}  // namespace idxfsck::audit
