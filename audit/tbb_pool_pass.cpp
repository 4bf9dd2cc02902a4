#include <atomic>
#include <exception>
#include <mutex>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "audit/task_pool.hpp"

namespace idxfsck::audit {

namespace {

class TbbPool : public TaskPool {
public:
    explicit TbbPool(std::size_t workers)
        : workers_{workers},
          control_{tbb::global_control::max_allowed_parallelism, workers},
          arena_{static_cast<int>(workers)} {}
    // The group's own destructor may throw if it was not waited for; here it always was.
    ~TbbPool() noexcept override {}

    std::size_t workers() const override { return workers_; }

    void add(Task task) override {
        ++pending_;
        arena_.execute([&] { group_.run([this, task = std::move(task)] { run(task); }); });
    }

    void wait() override {
        arena_.execute([&] { group_.wait(); });
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

    bool hungry() const override { return pending_ < workers_; }

private:
    // A thrown exception would cancel the group and with it tasks that others still count on; it is
    // kept instead, and the first one is given to whoever waits.
    void run(const Task& task) {
        try {
            const int index = tbb::this_task_arena::current_thread_index();
            task(static_cast<std::size_t>(index));
        } catch (...) {
            const std::lock_guard lock{mutex_};
            if (!thrown_) thrown_ = std::current_exception();
        }
        --pending_;
    }

    std::size_t workers_;
    tbb::global_control control_;  // more workers than cores, if that was asked for
    tbb::task_arena arena_;
    tbb::task_group group_;
    std::atomic<std::size_t> pending_{0};
    std::mutex mutex_;
    std::exception_ptr thrown_;
};

}  // namespace

std::unique_ptr<TaskPool> make_tbb_pool(std::size_t workers) {
    return std::make_unique<TbbPool>(workers);
}

}  // namespace idxfsck::audit
