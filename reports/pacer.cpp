#include "reports/pacer.hpp"

#include <algorithm>

namespace idxfsck::reports {

void Pacer::pace(std::uint64_t operations) {
    if (operations_a_second_ == 0) return;
    clock_.wait_until(free_ms_);
    const std::uint64_t share_ms = operations * 1000 / operations_a_second_;
    free_ms_ = std::max(free_ms_, clock_.now_ms()) + static_cast<std::int64_t>(share_ms);
}

}  // namespace idxfsck::reports
