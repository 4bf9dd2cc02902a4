// store/run_limits.hpp
//
// What a whole run may spend on reads, and how fast: one for all its stores that bill them.
//
// Shape    A request asks first and settles afterwards. As long as the dearest answer that there
//          can be fits into what is left of the budget, requests go out side by side; then one
//          after the other, as long as the dearest so far fits. So a budget is passed by at most
//          what one answer costs more than any before it.
// Units    Read units.
// Errors   begin() throws Error (stopped) once the budget is spent or the run is asked to stop:
//          what was read until then is good, and the run can be gone on with.
// Threads  All calls may run at once. A thread that waits in begin() must hold no Spending.

#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "store/pace.hpp"

namespace idxfsck::store {

// What a request may cost: at least, and at most.
struct UnitsRange {
    double min = 0.5;
    double max = 0.5;
};

class RunLimits {
public:
    // No budget: no limit but the pace.
    RunLimits(Clock& clock, std::optional<double> budget, std::unique_ptr<Pace> pace)
        : clock_{clock}, budget_{budget}, pace_{std::move(pace)} {}

    // Has this run a pace of its own, instead of those of its stores?
    bool paced() const { return pace_ != nullptr; }

    // A request is about to go out. Reserves what it may cost.
    double begin(const UnitsRange& units);
    // The same without waiting for others; nothing if that would be needed.
    std::optional<double> try_begin(const UnitsRange& units);
    // It has cost so much, of what was reserved.
    void end(double reserved, double units);
    // Waits until that is paid for.
    void pace(double units);

private:
    std::optional<double> admit(const UnitsRange& units);
    [[noreturn]] void refuse() const;

    Clock& clock_;
    const std::optional<double> budget_;
    const std::unique_ptr<Pace> pace_;
    std::mutex mutex_;
    std::condition_variable landed_;
    double spent_ = 0.0;
    double reserved_ = 0.0;
    double dearest_ = 0.0;
    std::size_t in_flight_ = 0;
    bool exhausted_ = false;
};

}  // namespace idxfsck::store
