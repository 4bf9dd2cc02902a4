// tests/store/scripted_world.hpp
//
// Time that passes only when somebody waits, and a network that answers by a script.

#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "store/http/clock.hpp"
#include "store/http/transport.hpp"

namespace idxfsck::store {

class ScriptedClock : public Clock {
public:
    std::int64_t steady_ms() override { return now_ms; }
    std::int64_t wall_ms() override { return now_ms; }
    void sleep_ms(std::int64_t duration_ms) override {
        now_ms += duration_ms;
        slept.push_back(duration_ms);
        if (while_asleep) while_asleep();
    }
    void stop() noexcept override { stops = true; }
    bool stopped() const noexcept override { return stops; }

    std::function<void()> while_asleep;  // what happens while somebody waits
    bool stops = false;
    std::int64_t now_ms = 1'700'000'000'000;
    std::vector<std::int64_t> slept;
};

inline HttpResult answer_of(int status, Bytes body, std::vector<HttpHeader> headers = {}) {
    HttpResult result;
    result.status = status;
    result.body = std::move(body);
    result.headers = std::move(headers);
    return result;
}

inline HttpResult failure_of(Bytes why, bool may_help = true) {
    HttpResult result;
    result.failure = std::move(why);
    result.may_help = may_help;
    return result;
}

// Answers each request by calling `answer`, and keeps the requests.
class ScriptedTransport : public Transport {
public:
    using Script = std::function<HttpResult(const HttpRequest&)>;

    explicit ScriptedTransport(Script script = {}) : answer{std::move(script)} {}

    // In order; after the last one every request fails for good.
    explicit ScriptedTransport(std::vector<HttpResult> results)
        : answer{[results = std::move(results), next = std::size_t{0}](const HttpRequest&) mutable {
              return next < results.size() ? results[next++]
                                           : failure_of("the script has ended", false);
          }} {}

    std::future<HttpResult> start(HttpRequest request) override {
        std::promise<HttpResult> promise;
        const std::lock_guard lock{mutex_};
        promise.set_value(answer(request));
        requests.push_back(std::move(request));
        return promise.get_future();
    }

    Script answer;
    std::vector<HttpRequest> requests;

private:
    std::mutex mutex_;
};

}  // namespace idxfsck::store
