// store/http/backoff.hpp
//
// When to try a request again: waits of random length that grow, until a deadline.
//
// Shape    Full jitter: the wait before try n is random in [0, base × 2^n), at most `wait_ms_max`.
//          Callers that were turned away together then come back apart.
// Source   Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
// Threads  Belongs to one thread.

#pragma once

#include "store/http/clock.hpp"

namespace idxfsck::store {

struct RetryLimits {
    std::int64_t base_ms = 50;
    std::int64_t wait_ms_max = 20'000;
    std::int64_t deadline_ms = 120'000;  // from the making of the Backoff; no wait goes beyond it
};

class Backoff {
public:
    Backoff(const RetryLimits& limits, Clock& clock, const Random& random);

    // Waits; false, without waiting, if the deadline has come or would come meanwhile, and at once
    // when the run is to end.
    bool wait();
    bool stopped() const { return clock_.stopped(); }
    int waits() const { return waits_; }
    // What is left until the deadline, never less than 1.
    std::int64_t left_ms() const;

private:
    const RetryLimits limits_;
    Clock& clock_;
    const Random& random_;
    std::int64_t begin_ms_;
    int waits_ = 0;
};

}  // namespace idxfsck::store
