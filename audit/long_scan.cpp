#include "audit/long_scan.hpp"

#include <algorithm>

namespace idxfsck::audit {

namespace {

// The workers stand still while a checkpoint is written, so it may take a twentieth of the time.
constexpr std::int64_t pause_of_writing = 20;

}  // namespace

LongScan::LongScan(const Programs& programs, const TableReaders& readers, const Engines& engines,
                   TaskPool& pool, const Clock& clock, const AuditOptions& options,
                   const CheckpointHead& head)
    : programs_{programs},
      readers_{readers},
      engines_{engines},
      pool_{pool},
      clock_{clock},
      options_{options},
      head_{head},
      pause_ms_{options.checkpoint_every_ms} {}

void LongScan::resume(ScanResult so_far) {
    scan_ = std::move(so_far);
    resumed_ = true;
}

ScanResult LongScan::run(WalkSettings settings) {
    settings.stop_requested = [this] { return stop_requested() || checkpoint_due(); };
    bool begun = resumed_;
    while (!stopped_ && (!begun || !scan_.walk.rest.empty())) {
        begun = true;
        next_checkpoint_ms_ = clock_.now_ms() + pause_ms_;
        scan_ = run_scan(programs_, readers_, engines_.reconcilers(), pool_, settings, head_.seed,
                         std::move(scan_));
        stopped_ = stop_requested() || !scan_.walk.stop_cause.empty();
        if (stopped_ || !scan_.walk.rest.empty() || metered()) save();
    }
    return std::move(scan_);
}

bool LongScan::stop_requested() const {
    return options_.stop_requested && options_.stop_requested();
}

bool LongScan::metered() const {
    return std::any_of(readers_.begin(), readers_.end(), [](const store::Reader* reader) {
        return reader->capabilities().metered;
    });
}

bool LongScan::checkpoint_due() const {
    return !options_.checkpoint_file.empty() && clock_.now_ms() >= next_checkpoint_ms_;
}

void LongScan::save() {
    if (options_.checkpoint_file.empty()) return;
    const std::int64_t begin_ms = clock_.now_ms();
    save_checkpoint(options_.checkpoint_file, head_, engines_, scan_);
    pause_ms_ = std::max(options_.checkpoint_every_ms,
                         pause_of_writing * (clock_.now_ms() - begin_ms));
}

}  // namespace idxfsck::audit
