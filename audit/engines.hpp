// audit/engines.hpp
//
// Which engine reconciles which index.
//
// Shape    `automatic` takes the sketch where it can do the job: the entry tells its base row, base
//          and entries are one to one, and reading again is free, for if more differs than the
//          sketch holds the tables are scanned once more into the exact engine. Elsewhere it takes
//          the exact one.
// Errors   A base table of which no sample can be read gets the wider cells; the scan reports it.
// Threads  Plain functions.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/engine_choice.hpp"
#include "audit/exact_reconciler.hpp"
#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

// The engine of one index. Two that shall be added up have one shape.
struct EngineShape {
    std::size_t sketch_cell_size = 0;  // 0: the exact engine

    friend bool operator==(const EngineShape&, const EngineShape&) = default;
};

// One an index.
std::vector<EngineShape> choose_shapes(const Programs& programs, const TableReaders& readers,
                                       EngineChoice choice);

class Engines {
public:
    Engines(const Programs& programs, const std::vector<EngineShape>& shapes, std::uint64_t seed,
            MemoryBudget& budget, std::string spill_directory);

    // One an index of the programs.
    const std::vector<Reconciler*>& reconcilers() const { return reconcilers_; }

    // New exact engines for these indexes; null for the others, which keep what they have.
    std::vector<Reconciler*> replace(const std::vector<bool>& replaced);

    const Reconciler& of(std::size_t index) const { return *reconcilers_[index]; }

private:
    void set_exact(std::size_t index);

    const Programs& programs_;
    MemoryBudget& budget_;
    std::string spill_directory_;
    std::vector<std::unique_ptr<Reconciler>> owned_;
    std::vector<Reconciler*> reconcilers_;
};

}  // namespace idxfsck::audit
