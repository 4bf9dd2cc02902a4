#include "store/http/clock.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

// Whoever sleeps waits for a descriptor that a stop makes readable, for all and for good: that a
// signal's handler may do, as it may not touch a lock.
class SystemClock : public Clock {
public:
    SystemClock() : stop_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        if (stop_ < 0) throw Error{"the system gives no more file descriptors"};
    }
    ~SystemClock() override { ::close(stop_); }

    std::int64_t steady_ms() override { return ms(std::chrono::steady_clock::now()); }
    std::int64_t wall_ms() override { return ms(std::chrono::system_clock::now()); }
    void sleep_ms(std::int64_t duration_ms) override {
        constexpr std::int64_t poll_ms_max = 3'600'000;
        const std::int64_t end_ms = steady_ms() + std::max<std::int64_t>(duration_ms, 0);
        for (std::int64_t left_ms = duration_ms; left_ms > 0 && !stopped();
             left_ms = end_ms - steady_ms()) {
            pollfd wake{stop_, POLLIN, 0};
            ::poll(&wake, 1, static_cast<int>(std::min(left_ms, poll_ms_max)));
        }
    }
    void stop() noexcept override {
        stopped_ = true;
        const std::uint64_t one = 1;
        static_cast<void>(!::write(stop_, &one, sizeof one));
    }
    bool stopped() const noexcept override { return stopped_; }

private:
    template <typename Time>
    static std::int64_t ms(Time time) {
        const auto since = time.time_since_epoch();
        return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
    }

    const int stop_;  // an eventfd
    std::atomic<bool> stopped_{false};
};

}  // namespace

Clock& system_clock() {
    // Never destroyed: a signal may come when the statics of an ending program are gone already.
    static Clock* const clock = new SystemClock;
    return *clock;
}

std::unique_ptr<Clock> make_system_clock() {
    return std::make_unique<SystemClock>();
}

double system_random() {
    thread_local std::mt19937_64 engine{std::random_device{}()};
    return std::uniform_real_distribution<double>{0.0, 1.0}(engine);
}

}  // namespace idxfsck::store
