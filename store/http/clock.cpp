#include "store/http/clock.hpp"

#include <chrono>
#include <random>
#include <thread>

namespace idxfsck::store {

namespace {

class SystemClock : public Clock {
public:
    std::int64_t steady_ms() override { return ms(std::chrono::steady_clock::now()); }
    std::int64_t wall_ms() override { return ms(std::chrono::system_clock::now()); }
    void sleep_ms(std::int64_t duration_ms) override {
        std::this_thread::sleep_for(std::chrono::milliseconds{duration_ms});
    }

private:
    template <typename Time>
    static std::int64_t ms(Time time) {
        const auto since = time.time_since_epoch();
        return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
    }
};

}  // namespace

Clock& system_clock() {
    static SystemClock clock;
    return clock;
}

double system_random() {
    thread_local std::mt19937_64 engine{std::random_device{}()};
    return std::uniform_real_distribution<double>{0.0, 1.0}(engine);
}

}  // namespace idxfsck::store
