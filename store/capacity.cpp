#include "store/capacity.hpp"

#include <algorithm>

namespace idxfsck::store {

void Capacity::spend(double units) {
    std::int64_t wait_ms = 0;
    {
        const std::lock_guard lock{mutex_};
        spent_ += units;
        if (units_a_second_ <= 0.0) return;
        const std::int64_t now_ms = clock_.steady_ms();
        const auto paid_ms = static_cast<std::int64_t>(units * 1000.0 / units_a_second_);
        free_ms_ = std::max(free_ms_, now_ms) + paid_ms;
        wait_ms = free_ms_ - now_ms;
    }
    if (wait_ms > 0) clock_.sleep_ms(wait_ms);
}

double Capacity::spent() const {
    const std::lock_guard lock{mutex_};
    return spent_;
}

}  // namespace idxfsck::store
