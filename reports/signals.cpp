#include "reports/signals.hpp"

#include <cerrno>
#include <csignal>

#include "store/http/clock.hpp"

namespace idxfsck::reports {

namespace {

volatile std::sig_atomic_t stop_signal = 0;

// Made before the first signal can come.
store::Clock* waits = nullptr;

void remember(int number) {
    const int error_number = errno;
    stop_signal = number;
    waits->stop();
    errno = error_number;
}

}  // namespace

void catch_signals() {
    waits = &store::system_clock();
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
