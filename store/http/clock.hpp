// store/http/clock.hpp
//
// Time and chance for code that waits for a server: given from outside, so that tests neither sleep
// nor depend on luck.
//
// Units    Milliseconds. steady_ms() has no meaning but its differences; wall_ms() is since 1970.
// Threads  All calls may run at once.

#pragma once

#include <cstdint>
#include <functional>

namespace idxfsck::store {

class Clock {
public:
    virtual ~Clock() = default;

    virtual std::int64_t steady_ms() = 0;
    virtual std::int64_t wall_ms() = 0;
    virtual void sleep_ms(std::int64_t duration_ms) = 0;
};

// The machine's.
Clock& system_clock();

// Numbers in [0, 1), each as likely as any other.
using Random = std::function<double()>;

// Seeded by the machine, apart for each thread.
double system_random();

}  // namespace idxfsck::store
