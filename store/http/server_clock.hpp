// store/http/server_clock.hpp
//
// The time as a server has it: what a signature must say. The machine's, until an answer shows that
// it is wrong.
//
// Units    Milliseconds since 1970.
// Threads  All calls may run at once.

#pragma once

#include <atomic>

#include "store/http/clock.hpp"
#include "store/http/transport.hpp"

namespace idxfsck::store {

class ServerClock {
public:
    // `machine` must outlive it.
    explicit ServerClock(Clock& machine) : machine_{machine} {}

    std::int64_t now_ms() const { return machine_.wall_ms() + offset_ms_; }

    // Puts the clock right by the date of an answer. True if it was off by more than an answer
    // takes: the request is worth another try.
    bool mend(const HttpResult& answer);

private:
    Clock& machine_;
    std::atomic<std::int64_t> offset_ms_{0};
};

}  // namespace idxfsck::store
