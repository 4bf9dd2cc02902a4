#include "reports/system_clock.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "reports/signals.hpp"

namespace idxfsck::reports {

std::int64_t SystemClock::now_ms() const {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

void SystemClock::wait_until(std::int64_t ms) {
    constexpr std::int64_t nap_ms_max = 50;
    while (!stop_requested()) {
        const std::int64_t rest_ms = ms - now_ms();
        if (rest_ms <= 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds{std::min(rest_ms, nap_ms_max)});
    }
}

}  // namespace idxfsck::reports
