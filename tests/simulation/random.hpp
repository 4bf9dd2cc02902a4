// tests/simulation/random.hpp
//
// The randomness of a simulated run: all of it comes from one seed.
//
// Shape    SplitMix64, so that the same seed gives the same run on every machine and library. Each
//          concern (the world, the schedule, the faults, every actor) draws from a stream of its
//          own: leaving one of them out when a failure is cut down leaves the others as they were.
// Source   Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.

#pragma once

#include <cstddef>
#include <cstdint>

namespace idxfsck::simulation {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    // From 0 to `count` - 1; 0 if there is nothing to choose from.
    std::size_t below(std::size_t count) {
        return count == 0 ? 0 : static_cast<std::size_t>(next() % count);
    }
    std::int64_t between(std::int64_t least, std::int64_t most) {
        return least +
               static_cast<std::int64_t>(below(static_cast<std::size_t>(most - least + 1)));
    }
    // True in that share of all cases.
    bool happens(double share) {
        return static_cast<double>(next() >> 11) < share * 9007199254740992.0;
    }
    // A stream of its own.
    Random branch(std::uint64_t name) {
        return Random{Random{state_ ^ (name * 0xd1342543de82ef95)}.next()};
    }

private:
    std::uint64_t state_;
};

}  // namespace idxfsck::simulation
