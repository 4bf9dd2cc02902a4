// tests/simulation/settings.hpp
//
// What kind of run a seed stands for: store, application, faults. And how a failure is made
// smaller: limits on what a run may have, in the order in which they are tried.
//
// Units    Times are milliseconds of the simulated clock; shares are fractions.

#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tests/simulation/application.hpp"

namespace idxfsck::simulation {

inline constexpr std::int64_t settle_ms = 1000;
// An act of a prompt application takes no longer.
inline constexpr std::int64_t act_ms_max = 400;

// Parts of a run, for the acts that the application may begin in each.
enum class Part { audit, between, repair, undo };
inline constexpr std::size_t part_count = 4;

// The most that a run may have: what is left of a failure once it has been cut down.
struct Cuts {
    std::size_t actors = 9;
    std::array<std::size_t, part_count> acts{99, 99, 99, 99};
    std::size_t users = 9;
    bool faults = true;
    bool kills = true;
    bool second = true;
    bool undo = true;
    bool stale = true;
    bool crashes = true;
    bool repeats = true;

    friend bool operator==(const Cuts&, const Cuts&) = default;

    // "actors=1,acts=0/0/2/0,faults=0": only what differs from no cuts.
    std::string text() const;
    // Throws std::invalid_argument.
    static Cuts parse(const std::string& text);
};

struct Settings {
    std::uint64_t seed = 0;
    Shape shape = Shape::pointer;
    Habits habits;
    bool guards_reach_base = true;
    bool versions = true;
    bool snapshot = false;
    bool prompt = true;
    bool in_order = true;           // scans
    std::size_t actors = 0;
    std::array<std::size_t, part_count> acts{};
    double drift = 0.3;             // share of the rows that are made wrong in the beginning
    double busy = 0.3;              // how much others do between two calls of the tool
    bool crowds_writes = false;     // others always take steps right before a write of the tool
    double throttled = 0;
    double lost = 0;
    double killed = 0;
    bool faults_in_audit = false;
    std::int64_t stale_ms = 0;
    bool second = false;            // executor
    bool one_folder = false;        // which they share
    bool undo = false;
    std::size_t group_max = 64;
    bool others_at_journal = true;  // may go on while the journal is written
    bool together = false;          // writes to one table are handed over together

    bool at_rest() const { return acts == std::array<std::size_t, part_count>{}; }
    std::string text() const;
};

Settings settings_of(std::uint64_t seed, const Cuts& cuts);

}  // namespace idxfsck::simulation
