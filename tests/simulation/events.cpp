#include "tests/simulation/events.hpp"

namespace idxfsck::simulation {

namespace {

constexpr std::array<const char*, event_count> names{
    "settled",         "accused",       "stale_read",      "page_repeated",
    "throttled",       "lost_reply",    "found_lost_write", "guard_failed",
    "superseded",      "ineffective",   "delete_held",     "window",
    "compensation",    "killed",        "journal_torn",    "recovered",
    "already",         "second_executor", "lock_refused",  "undone",
    "undo_kept",       "undo_killed",   "application_crash", "step_repeated",
    "compare_failed",  "shadowed",      "together",        "still_to_do"};

}  // namespace

std::string Events::text() const {
    std::string words;
    for (std::size_t event = 0; event < event_count; ++event) {
        if (!words.empty()) words += ", ";
        words += names[event] + std::string{" "} + std::to_string(counts[event]);
    }
    return words;
}

std::string Events::missing() const {
    std::string words;
    for (std::size_t event = 0; event < event_count; ++event) {
        if (counts[event] == 0) words += (words.empty() ? "" : ", ") + std::string{names[event]};
    }
    return words;
}

}  // namespace idxfsck::simulation
