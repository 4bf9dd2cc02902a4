#include "store/http/backoff.hpp"

#include <algorithm>

namespace idxfsck::store {

Backoff::Backoff(const RetryLimits& limits, Clock& clock, const Random& random)
    : limits_{limits}, clock_{clock}, random_{random}, begin_ms_{clock.steady_ms()} {}

bool Backoff::wait() {
    if (stopped()) return false;
    // Doubled often enough, every wait is the longest.
    const std::int64_t grown = limits_.base_ms << std::min(waits_, 20);
    const auto longest = static_cast<double>(std::min(grown, limits_.wait_ms_max));
    const auto wait_ms = static_cast<std::int64_t>(random_() * longest);
    if (clock_.steady_ms() - begin_ms_ + wait_ms >= limits_.deadline_ms) return false;
    ++waits_;
    clock_.sleep_ms(wait_ms);
    return !stopped();
}

std::int64_t Backoff::left_ms() const {
    const std::int64_t spent = clock_.steady_ms() - begin_ms_;
    return std::max<std::int64_t>(limits_.deadline_ms - spent, 1);
}

}  // namespace idxfsck::store
