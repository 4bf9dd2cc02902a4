// audit/walk_pass.hpp
//
// Walks tables partition by partition on many workers, whatever is done with their rows.
//
// Reads    Each table through its Reader. A partition that is still running when workers run out of
//          tasks is cut in two.
// Gives    How much was read to its proven end, and a gap for each partition that could not be: the
//          walk goes on with the rest.
// Threads  As many workers as the pool has; each sink belongs to one of them.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "audit/coverage.hpp"
#include "audit/page_sink.hpp"
#include "audit/program.hpp"
#include "audit/task_pool.hpp"

namespace idxfsck::audit {

// The reader of each table of the programs, by its position there.
using TableReaders = std::vector<const store::Reader*>;

struct WalkSettings {
    std::size_t partitions = 16;      // of a table, to begin with
    std::vector<std::size_t> tables;  // positions in Programs::tables
    std::function<void(std::uint64_t rows)> progress;  // rows read since the last call
    std::function<bool()> stop_requested;
};

struct PartitionCount {
    std::size_t cut = 0;
    std::size_t read = 0;
};

struct WalkResult {
    std::vector<PartitionCount> partitions;  // one a table of the programs
    std::vector<Gap> gaps;                   // in order of table and partition
};

using MakeSink = std::function<std::unique_ptr<PageSink>(
    std::size_t table, std::size_t worker, const store::Partition& partition, PageSink::Gate gate)>;

WalkResult run_walk_pass(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                         const WalkSettings& settings, const MakeSink& make_sink);

}  // namespace idxfsck::audit
