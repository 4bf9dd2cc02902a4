// reports/system_clock.hpp
//
// The machine's clock, which a signal cuts short.

#pragma once

#include "audit/audit_run.hpp"

namespace idxfsck::reports {

class SystemClock final : public audit::Clock {
public:
    std::int64_t now_ms() const override;
    // Returns early once a stop was asked for.
    void wait_until(std::int64_t ms) override;
};

}  // namespace idxfsck::reports
