// tests/simulation/events.hpp
//
// What has to happen in simulated runs for them to prove anything, counted.

#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace idxfsck::simulation {

enum class Event : std::uint8_t {
    settled,            // a suspect moved while it was confirmed
    accused,            // a finding that was made while the application wrote
    stale_read,         // a scan saw a row as it had been
    page_repeated,      // a scan came to a position twice, and said so
    throttled,          // the store refused a call
    lost_reply,         // a write happened, and an error came back
    found_lost_write,   // such a write was found by reading back
    guard_failed,       // the store refused a write because a guard did not hold
    superseded,         // an operation was left out because the rows had moved on
    ineffective,        // the store took a write and did not keep it
    delete_held,        // a delete whose add was not applied
    window,             // a write whose base row moved between the look and the write
    compensation,       // such a write was taken back
    killed,             // the executor was gone in the middle
    journal_torn,       // and its journal ended in the middle of a record
    recovered,          // a run after it closed what was left in doubt
    already,            // an operation that someone else had done
    second_executor,    // two executors worked on one plan at once
    lock_refused,       // the lock told the second of the first
    undone,             // an undo wrote a row back
    undo_kept,          // an undo kept a row that was written since
    undo_killed,        // an undo was gone in the middle
    application_crash,  // an act of the application stopped between two steps
    step_repeated,      // a step of the application was done twice
    compare_failed,     // the application had to read a list row again
    shadowed,           // a write lost to one with a later timestamp
    together,           // the application wrote base and index in one step
    still_to_do,        // drift that a repair under traffic left, and the next one mended
    count
};

constexpr std::size_t event_count = static_cast<std::size_t>(Event::count);

struct Events {
    std::array<std::uint64_t, event_count> counts{};

    void add(Event event) { ++counts[static_cast<std::size_t>(event)]; }
    std::uint64_t of(Event event) const { return counts[static_cast<std::size_t>(event)]; }
    void add_all(const Events& others) {
        for (std::size_t event = 0; event < event_count; ++event) {
            counts[event] += others.counts[event];
        }
    }

    // "settled 12, accused 3, …".
    std::string text() const;
    // Those that never happened, in words; empty if all did.
    std::string missing() const;
};

}  // namespace idxfsck::simulation
