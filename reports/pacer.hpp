// reports/pacer.hpp
//
// Holds a repair to a rate of operations.

#pragma once

#include <cstdint>
#include <functional>

#include "audit/audit_run.hpp"

namespace idxfsck::reports {

class Pacer {
public:
    Pacer(audit::Clock& clock, std::uint64_t operations_a_second)
        : clock_{clock}, operations_a_second_{operations_a_second} {}

    // Waits until `operations` more may begin. The first ones begin at once.
    void pace(std::uint64_t operations);

private:
    audit::Clock& clock_;
    std::uint64_t operations_a_second_;
    std::int64_t free_ms_ = 0;  // when what was let through so far has had its time
};

}  // namespace idxfsck::reports
