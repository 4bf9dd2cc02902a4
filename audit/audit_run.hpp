// audit/audit_run.hpp
//
// One audit, from a spec to findings.
//
// Reads    Every row of the base and index tables, once; the rows of suspects again.
// Gives    Findings in report order and the coverage behind them.
// Errors   Throws Error (usage) if the spec does not fit the stores. A range that cannot be read is
//          a gap in the coverage, not an Error. A store that may be read no further (stopped) stops
//          the audit as `stop_requested` does, with a checkpoint.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "audit/coverage.hpp"
#include "audit/engine_choice.hpp"
#include "audit/spec.hpp"
#include "store/reader.hpp"

namespace idxfsck::audit {

struct Progress {
    std::string phase;       // "scan", "reconcile", "confirm"
    std::uint64_t rows = 0;  // read so far
    std::uint64_t suspects = 0;
    std::uint64_t rows_total = 0;  // to read, about; 0: not known
};

// Time comes in from outside, so that tests and the simulator decide it.
class Clock {
public:
    virtual ~Clock() = default;
    virtual std::int64_t now_ms() const = 0;  // Unix time
    virtual void wait_until(std::int64_t ms) = 0;
};

struct AuditOptions {
    std::vector<std::string> only;              // index names; empty: all
    std::size_t threads = 0;                    // 0: one per core
    std::size_t partitions = 0;                 // 0: chosen by threads
    EngineChoice engine = EngineChoice::automatic;
    std::uint64_t memory_bytes_max = 512 << 20; // of the reconcilers
    std::string spill_directory;                // where they spill; "" : not allowed, then an Error
    std::optional<std::uint64_t> seed;          // of the fingerprints; nothing: random
    std::optional<std::int64_t> as_of_ms;       // instead of the clock's now
    std::function<void(const Progress&)> progress;
    std::function<bool()> stop_requested;       // true: stop cleanly
    // Where the state of the scan goes when it is stopped, and now and then before; gone again when
    // the audit is done. "" : nowhere.
    std::string checkpoint_file;
    bool resume = false;                        // go on from that file
    // Keeps the result, before the checkpoint goes: if it throws, what was scanned is not lost. It
    // may change the result.
    std::function<void(AuditResult&)> keep;
    std::int64_t checkpoint_every_ms = 60'000;
};

// The readers by the store's name in the spec.
using Readers = std::map<std::string, store::Reader*>;

AuditResult run_audit(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options);

}  // namespace idxfsck::audit
