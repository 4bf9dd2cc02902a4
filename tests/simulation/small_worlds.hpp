// tests/simulation/small_worlds.hpp
//
// Worlds of one or two base rows that are gone through exhaustively: one act of the application and
// one repair, their store calls in every order, with every fault.
//
// Threads  Plain functions.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/plan.hpp"
#include "tests/simulation/application.hpp"
#include "tests/simulation/watcher.hpp"

namespace idxfsck::simulation {

struct SmallWorld {
    std::string words;
    Model start;
    Wish wish;
    Order order = Order::base_first;
    bool guards_reach_base = true;
    bool versions = true;
    bool together = false;  // the writes of a repair are handed over together
};

// Every beginning that calls for an operation of the executor, with every act, protocol and store.
std::vector<SmallWorld> all_small_worlds();

enum class Tried {
    orders,          // every order of the store calls, no faults
    faults,          // every fault at every call, the act all at once at every moment
    orders_and_faults,
};

struct SmallResult {
    std::uint64_t runs = 0;
    std::optional<Breach> breach;       // the first
    std::vector<std::string> trace;     // of that run
};

SmallResult go_through(const SmallWorld& world, Tried tried, Events& events);

}  // namespace idxfsck::simulation
