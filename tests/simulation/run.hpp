// tests/simulation/run.hpp
//
// One simulated run, from a seed: a world that drifts, an audit, a repair, an undo, with an
// application, faults and a second executor as the seed has it; then rest, and whatever is left is
// mended.
//
// Threads  Plain functions; runs of different seeds share nothing.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/events.hpp"
#include "tests/simulation/settings.hpp"
#include "tests/simulation/watcher.hpp"

namespace idxfsck::simulation {

struct RunResult {
    std::optional<Breach> breach;
    Events events;
    std::vector<std::string> trace;  // if it was asked for
};

RunResult run_seed(std::uint64_t seed, const Cuts& cuts, bool tracing);

// Leaves out of a failing run whatever it fails without, in at most `runs_max` runs.
Cuts shrink(std::uint64_t seed, const RunResult& failed, std::size_t runs_max);

// What a person needs to see of a failure: seed, cuts, settings, trace.
std::string failure_text(std::uint64_t seed, const RunResult& failed);

}  // namespace idxfsck::simulation
