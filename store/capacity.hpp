// store/capacity.hpp
//
// The capacity that a run consumes, counted and held to a rate.
//
// Shape    A bucket that runs empty: what an answer cost is paid for by waiting, until as much time
//          has passed as the rate gives it. Requests under way are not stopped, so for some moments
//          more may be spent; over a run the rate holds.
// Units    The store says which: read units of DynamoDB (write units that a repair consumes are not
//          counted), requests to Azure tables.
// Threads  All calls may run at once.

#pragma once

#include <mutex>

#include "store/http/clock.hpp"

namespace idxfsck::store {

class Capacity {
public:
    // 0: no limit.
    Capacity(Clock& clock, double units_a_second)
        : clock_{clock}, units_a_second_{units_a_second} {}

    // An answer has cost so much. Waits until that is paid for.
    void spend(double units);
    double spent() const;

private:
    Clock& clock_;
    const double units_a_second_;
    mutable std::mutex mutex_;
    double spent_ = 0.0;
    std::int64_t free_ms_ = 0;  // when what was spent so far has had its time
};

}  // namespace idxfsck::store
