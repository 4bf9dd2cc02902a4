// audit/checkpoint.hpp
//
// The state of a scan in one file, so that a long audit goes on after a stop or a kill: what is
// left to read, what was counted, and what the reconcilers hold.
//
// Shape    CHECKPOINT.md. Bound to spec, stores, indexes and seed; a digest covers all of it;
//          written beside the old one and put in its place.
// Errors   Throws Error: refused if the file is of another spec, store or choice of indexes;
//          could_not_tell if it cannot be read or written, or is damaged.
// Threads  Belongs to one thread; only while no worker runs.

#pragma once

#include <string>
#include <vector>

#include "audit/engines.hpp"
#include "audit/scan.hpp"
#include "audit/state_file.hpp"

namespace idxfsck::audit {

struct CheckpointHead {
    std::string spec_digest;
    std::vector<std::pair<std::string, std::string>> stores;  // name in the spec, identity
    std::vector<std::string> only;
    std::uint64_t seed = 0;
    std::int64_t now_ms = 0;
    std::int64_t begin_ms = 0;
    std::vector<EngineShape> engines;  // one an index

    friend bool operator==(const CheckpointHead&, const CheckpointHead&) = default;
};

// The parts of a checkpoint of which other files of state are made, too. load_… throws Error if the
// bytes are none.
void save_head(StateWriter& writer, const CheckpointHead& head);
CheckpointHead load_head(StateReader& reader);
void save_walk(StateWriter& writer, const WalkResult& walk);
WalkResult load_walk(StateReader& reader);

// Are these shapes of engines, one for each of so many indexes?
bool are_shapes(const std::vector<EngineShape>& shapes, std::size_t indexes_count);

void save_checkpoint(const std::string& path, const CheckpointHead& head, const Engines& engines,
                     const ScanResult& scan);

class CheckpointReader {
public:
    // Reads the head; the whole file has been checked against its digest by then.
    explicit CheckpointReader(const std::string& path);

    const CheckpointHead& head() const { return head_; }

    // Throws Error (refused) if the head does not belong to these.
    void check(const std::string& spec_digest,
               const std::vector<std::pair<std::string, std::string>>& stores,
               const std::vector<std::string>& only) const;

    // The shapes of the head; throws Error if they are not those of so many indexes.
    const std::vector<EngineShape>& shapes(std::size_t indexes_count) const;

    // Fills the engines, which were made in the shapes of the head, and gives the scan so far.
    ScanResult read_scan(const Programs& programs, const Engines& engines);

private:
    StateReader reader_;
    CheckpointHead head_;
};

}  // namespace idxfsck::audit
