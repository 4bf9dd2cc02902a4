// audit/walk_pass.hpp
//
// Walks tables partition by partition on many workers, whatever is done with their rows.
//
// Reads    Each table through its Reader. A partition that is still running when workers run out of
//          tasks is cut in two.
// Gives    What a stop has left over, to go on with; how much was read to its proven end, and a gap
//          for each partition that could not be: the walk goes on with the rest.
// Errors   Throws Error (stopped) where a store may be read no further and nobody could go on with
//          what is left: without `stop_requested`.
// Threads  As many workers as the pool has; each sink belongs to one of them.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "audit/coverage.hpp"
#include "audit/page_sink.hpp"
#include "audit/program.hpp"
#include "audit/stretch.hpp"
#include "audit/task_pool.hpp"

namespace idxfsck::audit {

// The reader of each table of the programs, by its position there.
using TableReaders = std::vector<const store::Reader*>;

struct WalkSettings {
    std::size_t partitions = 16;      // of a table, to begin with
    std::vector<std::size_t> tables;  // positions in Programs::tables
    std::vector<Stretch> stretches;   // instead of `tables`: what is left of an earlier walk
    bool whole_rows = false;          // all attributes and no slots, not the tables' projections
    // The keys that the walk is for, one a table of the programs; empty: all of them.
    std::vector<const store::KeyFilter*> keys;
    std::function<void(std::uint64_t rows)> progress;  // rows read since the last call
    std::function<bool()> stop_requested;
};

// The partitions of a table: into how many it was cut, and which of these could not be read.
struct PartitionCount {
    std::size_t cut = 0;
    std::set<std::size_t> failed;

    std::size_t read() const { return cut - failed.size(); }

    friend bool operator==(const PartitionCount&, const PartitionCount&) = default;
};

struct WalkResult {
    std::vector<PartitionCount> partitions;  // one a table of the programs
    std::vector<Gap> gaps;                   // in order of table and partition
    std::vector<Stretch> rest;               // what a stop has left over, in the same order
    std::string stop_cause;                  // of a stop that a store asked for; "": none did

    // The walk will not go on: what is left over could not be read.
    void give_up(const Programs& programs, const std::string& cause);
};

using MakeSink = std::function<std::unique_ptr<PageSink>(
    const Stretch& stretch, std::size_t worker, PageSink::Gate gate)>;

WalkResult run_walk_pass(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                         const WalkSettings& settings, const MakeSink& make_sink);

}  // namespace idxfsck::audit
