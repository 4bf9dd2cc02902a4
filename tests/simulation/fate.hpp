// tests/simulation/fate.hpp
//
// Whoever decides what happens next: at random from a seed, or by going through all there is.

#pragma once

#include <cstddef>

namespace idxfsck::simulation {

enum class Fault {
    none,
    throttled,      // an error instead of the call
    lost_reply,     // the call was done, and an error came back
    killed_before,  // the program is gone before the call
    killed_after,   // the program is gone after it
};

enum class Call { read, write, journal };

class Fate {
public:
    virtual ~Fate() = default;

    // Between two calls of a tool: does someone else take a step? Asked again until the answer is
    // no.
    virtual bool others_go() = 0;
    // Which of `count`?
    virtual std::size_t choose(std::size_t count) = 0;
    virtual Fault fault_of(Call call) = 0;
};

// The program is gone: nothing in it catches this.
struct Killed {};

}  // namespace idxfsck::simulation
