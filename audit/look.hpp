// audit/look.hpp
//
// One look at the stores for many suspects: their rows fetched in batches, then each judged.
//
// Threads  Runs on the pool, one batch a task; the readers must bear that.

#pragma once

#include <span>

#include "audit/judge.hpp"
#include "audit/task_pool.hpp"

namespace idxfsck::audit {

// Suspects that are fetched and judged together: bounds the rows in memory.
constexpr std::size_t look_batch_max = 4096;

// On the calling thread.
std::vector<Outcome> look_at(const Programs& programs, const TableReaders& readers,
                             std::span<const Suspect> suspects);

// On the pool; outcomes in the order of the suspects.
std::vector<Outcome> look_at_all(const Programs& programs, const TableReaders& readers,
                                 TaskPool& pool, std::span<const Suspect> suspects);

}  // namespace idxfsck::audit
