// audit/finish.hpp
//
// The second half of an audit: from a scan that has ended to findings and the coverage behind them.
//
// Reads    The rows of suspects again; the tables of an index once more where its engine could not
//          hold what differs.
// Needs    The scan, and its entries in the engines.
// Gives    Coverage and findings of the result.
// Errors   Throws Error if a row cannot be read again.
// Threads  Belongs to one thread; works on the pool.

#pragma once

#include "audit/engines.hpp"
#include "audit/progress_teller.hpp"
#include "audit/scan.hpp"

namespace idxfsck::audit {

// What was scanned, and with what to go on. Everything must outlive the call.
struct FinishContext {
    const Programs& programs;
    const TableReaders& readers;
    const TableReaders& look_readers;  // through which suspects are looked at again
    const std::vector<store::Reader*>& refreshable;  // of these each once
    Engines& engines;
    EngineChoice choice;  // that the engines were picked by
    MemoryBudget& budget;
    TaskPool& pool;
    Clock& clock;
    ProgressTeller& teller;
    const ScanResult& scan;
    std::int64_t scan_end_ms;
    bool resumed;           // the scan saw more than one moment, snapshot or not
    WalkSettings settings;  // of a walk that has to be done once more
};

// The coverage of the scan alone: all there is of one that was stopped.
void cover_scan(const Programs& programs, const ScanResult& scan, AuditResult& result);

// From there to the findings. `result` holds the seed, and the coverage of the scan.
void finish_audit(const FinishContext& context, AuditResult& result);

// Do scan and confirmation of every index see one moment?
bool steady_throughout(const FinishContext& context);

}  // namespace idxfsck::audit
