// tests/simulation/fiber.hpp
//
// A second tool beside the first: a thread that runs only while it is told to, so that exactly one
// of them ever does.
//
// Shape    resume() lets the body run until it calls pause(), or ends. One that is not at its end
//          when this goes away is told so by an exception out of pause().
// Threads  The body runs on a thread of its own, and never at the same time as the owner.

#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace idxfsck::simulation {

class Fiber {
public:
    // Thrown out of pause(): nobody waits for the body any more.
    struct Abandoned {};

    explicit Fiber(std::function<void()> body) : body_{std::move(body)} {
        thread_ = std::thread{[this] { run(); }};
    }

    ~Fiber() {
        abandoned_ = true;
        while (!ended_) resume();
        thread_.join();
    }

    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    bool ended() const { return ended_; }

    void resume() {
        std::unique_lock lock{mutex_};
        if (ended_) return;
        its_turn_ = true;
        turned_.notify_all();
        turned_.wait(lock, [&] { return !its_turn_; });
    }

    // From the body.
    void pause() {
        std::unique_lock lock{mutex_};
        its_turn_ = false;
        turned_.notify_all();
        turned_.wait(lock, [&] { return its_turn_; });
        if (abandoned_) throw Abandoned{};
    }

private:
    void run() {
        {
            std::unique_lock lock{mutex_};
            turned_.wait(lock, [&] { return its_turn_; });
        }
        try {
            if (!abandoned_) body_();
        } catch (const Abandoned&) {
            // As told.
        }
        const std::lock_guard lock{mutex_};
        ended_ = true;
        its_turn_ = false;
        turned_.notify_all();
    }

    std::function<void()> body_;
    std::mutex mutex_;
    std::condition_variable turned_;
    bool its_turn_ = false;
    bool ended_ = false;
    bool abandoned_ = false;
    std::thread thread_;
};

}  // namespace idxfsck::simulation
