#include "reports/system_clock.hpp"

#include <algorithm>
#include <chrono>

#include "store/http/clock.hpp"

namespace idxfsck::reports {

std::int64_t SystemClock::now_ms() const {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

void SystemClock::wait_until(std::int64_t ms) {
    store::Clock& clock = store::system_clock();
    while (!clock.stopped()) {
        const std::int64_t rest_ms = ms - now_ms();
        if (rest_ms <= 0) return;
        // The wall clock may be set meanwhile.
        clock.sleep_ms(std::min<std::int64_t>(rest_ms, 1'000));
    }
}

}  // namespace idxfsck::reports
