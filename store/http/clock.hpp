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
#include <memory>

namespace idxfsck::store {

class Clock {
public:
    virtual ~Clock() = default;

    virtual std::int64_t steady_ms() = 0;
    virtual std::int64_t wall_ms() = 0;
    // Ends early, and from then on at once, when stop() is called.
    virtual void sleep_ms(std::int64_t duration_ms) = 0;

    // The run is to end: nobody waits any more. May be called by a signal's handler.
    virtual void stop() noexcept {}
    virtual bool stopped() const noexcept { return false; }
};

// The machine's, and the one whose stop() ends the run.
Clock& system_clock();

// The machine's, whose stop() is its own.
std::unique_ptr<Clock> make_system_clock();

// Numbers in [0, 1), each as likely as any other.
using Random = std::function<double()>;

// Seeded by the machine, apart for each thread.
double system_random();

}  // namespace idxfsck::store
