// audit/sketch_file.hpp
//
// The scan of one share in one file: its counts, its gaps, and what its engines hold, to be added
// up with those of the other shares.
//
// Shape    SKETCH.md. Mode 0600, whole or not at all. The digest of a share covers all that was
//          seen and not when: a share scanned twice over rows that stand still has one digest.
// Errors   Throws Error with the field `file`: usage if it is no sketch; could_not_tell if it
//          cannot be read or written, or is damaged.
// Threads  Belongs to one thread; only while no worker runs.

#pragma once

#include <string>

#include "audit/engines.hpp"
#include "audit/share.hpp"
#include "audit/sketch_parameters.hpp"

namespace idxfsck::audit {

struct SketchHead {
    SketchParameters parameters;
    Share share;
    std::int64_t begin_ms = 0;  // of the scan of this share
    std::int64_t end_ms = 0;
    std::uint64_t gaps_count = 0;
    store::Bytes digest;        // of the share; 32 hexadecimal digits
};

// `head`: all but the count of gaps and the digest, which follow from the rest.
void save_sketch(const std::string& path, const SketchHead& head, const Programs& programs,
                 const Engines& engines, const ScanResult& scan);

class SketchReader {
public:
    // Reads the head; the whole file has been checked against its digest by then.
    explicit SketchReader(const std::string& path);

    const SketchHead& head() const { return head_; }

    // Adds what the share has seen to the engines, which were made in the shapes of the parameters,
    // and gives its scan: one worker, without lanes. Once.
    ScanResult read_scan(const Programs& programs, const Engines& engines);

private:
    StateReader reader_;
    SketchHead head_;
};

}  // namespace idxfsck::audit
