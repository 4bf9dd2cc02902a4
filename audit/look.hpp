// audit/look.hpp
//
// One look at the stores for many suspects: their rows fetched in batches, then each judged.
//
// Tables that can only be read by scanning are searched for the rows of all suspects at once: two
// walks at most, however many suspects there are (up to look_search_max, which bounds the memory),
// and the second only where an entry stands in another's place.
//
// Threads  Runs on the pool, one batch a task; the readers must bear that.

#pragma once

#include <span>

#include "audit/judge.hpp"
#include "audit/task_pool.hpp"

namespace idxfsck::audit {

// Suspects that are fetched and judged together: bounds the rows in memory.
constexpr std::size_t look_batch_max = 4096;

// Where tables are searched: a walk serves so many.
constexpr std::size_t look_search_max = 131'072;

// Can a row of the base or index table of an index only be read by scanning?
bool is_searched(const Programs& programs, const TableReaders& readers, std::size_t index);

// On the calling thread.
std::vector<Outcome> look_at(const Programs& programs, const TableReaders& readers,
                             std::span<const Suspect> suspects);

// On the pool; outcomes in the order of the suspects. What a search could not read is added to
// `gaps`.
std::vector<Outcome> look_at_all(const Programs& programs, const TableReaders& readers,
                                 TaskPool& pool, std::span<const Suspect> suspects,
                                 std::vector<Gap>& gaps);

}  // namespace idxfsck::audit
