// audit/engines.hpp
//
// Which engine reconciles which index.
//
// Shape    `automatic` takes the sketch where it can do the job: entries that name their base row,
//          one to one. Where reading again is free, tables of which more differs than the sketch
//          holds are scanned once more (second_scan.hpp). Where it is not, the one-pass engine
//          keeps a journal beside the sketch. Elsewhere it takes the exact engine.
// Errors   A base table of which no sample can be read gets the wider cells; the scan reports it.
// Threads  Plain functions.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/engine_choice.hpp"
#include "audit/exact_reconciler.hpp"
#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

// The engine of one index. Two that shall be added up have one shape.
struct EngineShape {
    std::size_t sketch_cell_size = 0;  // 0: the exact engine
    bool journal = false;              // of the one-pass engine

    friend bool operator==(const EngineShape&, const EngineShape&) = default;
};

// As one number, for a checkpoint: the cell size, and one more with a journal. Nothing for a number
// that is no shape.
std::uint64_t shape_number(const EngineShape& shape);
std::optional<EngineShape> shape_of_number(std::uint64_t number);

struct EngineWishes {
    EngineChoice choice = EngineChoice::automatic;
    std::size_t workers = 1;
    std::uint64_t memory_bytes_max = 512 << 20;
};

// One an index.
std::vector<EngineShape> choose_shapes(const Programs& programs, const TableReaders& readers,
                                       const EngineWishes& wishes);

// Does reading the tables of an index cost money? Then none of them is scanned twice.
bool is_metered(const Programs& programs, const TableReaders& readers, std::size_t index);

// Why an index got its engine, for the report: "the store is metered". Empty if it is the usual
// one.
std::string engine_reason(const Programs& programs, const TableReaders& readers,
                          EngineChoice choice, std::size_t index, const EngineShape& shape);

class Engines {
public:
    Engines(const Programs& programs, const std::vector<EngineShape>& shapes, std::uint64_t seed,
            MemoryBudget& budget, std::string spill_directory);

    // One an index of the programs.
    const std::vector<Reconciler*>& reconcilers() const { return reconcilers_; }

    const Reconciler& of(std::size_t index) const { return *reconcilers_[index]; }
    const EngineShape& shape(std::size_t index) const { return shapes_[index]; }

    // A new engine for an index, in place of the one that it has: for a second scan.
    void set_exact(std::size_t index);
    void set_parted(std::size_t index, std::size_t tables);

private:
    void set(std::size_t index, std::unique_ptr<Reconciler> reconciler);
    std::unique_ptr<Reconciler> make(std::size_t index) const;
    std::unique_ptr<Reconciler> make_exact(std::size_t index) const;

    const Programs& programs_;
    std::vector<EngineShape> shapes_;
    std::uint64_t seed_;
    MemoryBudget& budget_;
    std::string spill_directory_;
    std::vector<std::unique_ptr<Reconciler>> owned_;
    std::vector<Reconciler*> reconcilers_;
};

}  // namespace idxfsck::audit
