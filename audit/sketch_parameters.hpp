// audit/sketch_parameters.hpp
//
// What all shares of one audit have in common: what their sketches must share in order to add up,
// and into which parts the tables are cut.
//
// Shape    SKETCH.md. Made once, written to a file of mode 0600, read by every share; each sketch
//          holds a copy, so that a merge needs no other file.
// Errors   Throws Error: could_not_tell if a table cannot be cut, or a file cannot be read or is
//          damaged; usage if it is no file of parameters, or of another spec, store or
//          version of idxfsck.
// Threads  Plain values and functions.

#pragma once

#include <string>
#include <vector>

#include "audit/checkpoint.hpp"
#include "audit/ground.hpp"

namespace idxfsck::audit {

// The parts into which a table is cut, by the store's own tokens: whatever the store thinks of a
// good cut tomorrow, these are the ones that are scanned.
struct TableCut {
    std::string store;
    store::Bytes table;
    std::vector<store::Partition> partitions;

    friend bool operator==(const TableCut&, const TableCut&) = default;
};

struct SketchParameters {
    std::string version;           // of idxfsck: another one may derive other entries
    CheckpointHead head;           // `begin_ms` is when they were made
    std::vector<TableCut> tables;  // in the order of Programs::tables

    std::size_t partitions_count() const;

    friend bool operator==(const SketchParameters&, const SketchParameters&) = default;
};

// `options`: indexes, engine, partitions of a table, seed and moment; the rest is not looked at.
SketchParameters make_sketch_parameters(const Spec& spec, const Readers& readers,
                                        const Clock& clock, const AuditOptions& options);

void save_sketch_parameters(const std::string& path, const SketchParameters& parameters);
SketchParameters load_sketch_parameters(const std::string& path);

// As part of another file.
void save_parameters(StateWriter& writer, const SketchParameters& parameters);
SketchParameters load_parameters(StateReader& reader);

// The first thing that differs, in words; "" if nothing does.
std::string difference(const SketchParameters& a, const SketchParameters& b);

// The ground of an audit with these parameters. Throws Error (usage) with the field `differs` if
// they belong to another spec or store, or their tables are not those of the spec.
Ground lay_ground(const Spec& spec, const Readers& readers, const SketchParameters& parameters);

}  // namespace idxfsck::audit
