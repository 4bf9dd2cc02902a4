// audit/long_scan.hpp
//
// A scan that outlives a stop: in stretches, with a checkpoint after each.
//
// Gives    The scan, whole or as far as it came; then its walk has a rest. Where reads cost money a
//          checkpoint of the whole scan, too: what comes after it may be stopped.
// Errors   Throws Error if a checkpoint cannot be written.
// Threads  Belongs to one thread; the scan runs on the pool.

#pragma once

#include "audit/audit_run.hpp"
#include "audit/checkpoint.hpp"

namespace idxfsck::audit {

class LongScan {
public:
    // `head` and `options` must outlive this.
    LongScan(const Programs& programs, const TableReaders& readers, const Engines& engines,
             TaskPool& pool, const Clock& clock, const AuditOptions& options,
             const CheckpointHead& head);

    // Goes on with a scan that was read from a checkpoint.
    void resume(ScanResult so_far);

    ScanResult run(WalkSettings settings);

    // A stop was asked for, by whoever runs the scan or by a store that may be read no further:
    // what it left over is in the checkpoint.
    bool stopped() const { return stopped_; }

private:
    bool stop_requested() const;
    bool checkpoint_due() const;
    bool metered() const;
    void save();

    const Programs& programs_;
    const TableReaders& readers_;
    const Engines& engines_;
    TaskPool& pool_;
    const Clock& clock_;
    const AuditOptions& options_;
    const CheckpointHead& head_;
    ScanResult scan_;
    bool resumed_ = false;
    bool stopped_ = false;
    std::int64_t pause_ms_;
    std::int64_t next_checkpoint_ms_ = 0;
};

}  // namespace idxfsck::audit
