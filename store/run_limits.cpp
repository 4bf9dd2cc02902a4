#include "store/run_limits.hpp"

#include <algorithm>

#include "store/error.hpp"

namespace idxfsck::store {

double RunLimits::begin(const UnitsRange& units) {
    std::unique_lock lock{mutex_};
    while (true) {
        if (const auto reserved = admit(units)) return *reserved;
        landed_.wait(lock);
    }
}

std::optional<double> RunLimits::try_begin(const UnitsRange& units) {
    const std::lock_guard lock{mutex_};
    return admit(units);
}

// Nothing: others are under way, and may cost less than was reserved for them.
std::optional<double> RunLimits::admit(const UnitsRange& units) {
    if (clock_.stopped() || exhausted_) refuse();
    if (!budget_) return ++in_flight_, 0.0;
    double reserved = units.max;
    if (spent_ + reserved_ + reserved > *budget_) {
        if (in_flight_ > 0) return std::nullopt;
        reserved = std::min(std::max(dearest_, units.min), units.max);
        exhausted_ = spent_ + reserved > *budget_;
        if (exhausted_) refuse();
    }
    ++in_flight_;
    reserved_ += reserved;
    return reserved;
}

void RunLimits::refuse() const {
    if (!exhausted_) throw Error{"the run was stopped", Trouble::stopped};
    const std::string units = std::to_string(static_cast<std::uint64_t>(*budget_));
    throw Error{"the budget of " + units + " read units is spent", Trouble::stopped};
}

void RunLimits::end(double reserved, double units) {
    {
        const std::lock_guard lock{mutex_};
        spent_ += units;
        reserved_ -= reserved;
        dearest_ = std::max(dearest_, units);
        --in_flight_;
    }
    landed_.notify_all();
}

void RunLimits::pace(double units) {
    if (pace_) pace_->spend(units);
}

}  // namespace idxfsck::store
