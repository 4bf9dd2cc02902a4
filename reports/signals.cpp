#include "reports/signals.hpp"

#include <csignal>

namespace idxfsck::reports {

namespace {

volatile std::sig_atomic_t stop_signal = 0;

void remember(int number) {
    stop_signal = number;
}

}  // namespace

void catch_signals() {
    struct sigaction action {};
    action.sa_handler = remember;
    // Once: the next one of the kind takes its default course and ends the program. Calls are not
    // restarted, so that a wait ends at once.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

bool stop_requested() {
    return stop_signal != 0;
}

}  // namespace idxfsck::reports
