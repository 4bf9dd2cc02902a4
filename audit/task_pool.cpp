#include "audit/task_pool.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>

namespace idxfsck::audit {

namespace {

class SerialPool : public TaskPool {
public:
    std::size_t workers() const override { return 1; }
    void add(Task task) override { tasks_.push_back(std::move(task)); }

    void wait() override {
        std::exception_ptr thrown;
        while (!tasks_.empty()) {
            const Task task = std::move(tasks_.front());
            tasks_.pop_front();
            try {
                task(0);
            } catch (...) {
                if (!thrown) thrown = std::current_exception();
            }
        }
        if (thrown) std::rethrow_exception(thrown);
    }

    bool hungry() const override { return false; }

private:
    std::deque<Task> tasks_;
};

class ThreadPool : public TaskPool {
public:
    // With fewer threads where the system gives no more; throws std::system_error if it gives none.
    explicit ThreadPool(std::size_t workers) {
        threads_.reserve(workers);
        for (std::size_t worker = 0; worker < workers; ++worker) {
            try {
                threads_.emplace_back([this, worker] { work(worker); });
            } catch (const std::system_error&) {
                if (threads_.empty()) throw;
                return;
            }
        }
    }

    ~ThreadPool() override {
        {
            const std::lock_guard lock{mutex_};
            ending_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    std::size_t workers() const override { return threads_.size(); }

    void add(Task task) override {
        {
            const std::lock_guard lock{mutex_};
            tasks_.push_back(std::move(task));
            ++pending_;
        }
        changed_.notify_all();
    }

    void wait() override {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return pending_ == 0; });
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

    bool hungry() const override {
        const std::lock_guard lock{mutex_};
        return pending_ < threads_.size();
    }

private:
    void work(std::size_t worker) {
        std::unique_lock lock{mutex_};
        for (;;) {
            changed_.wait(lock, [&] { return ending_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            Task task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            std::exception_ptr thrown = run(task, worker);
            lock.lock();
            if (thrown && !thrown_) thrown_ = thrown;
            if (--pending_ == 0) changed_.notify_all();
        }
    }

    static std::exception_ptr run(const Task& task, std::size_t worker) {
        try {
            task(worker);
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    std::size_t pending_ = 0;
    bool ending_ = false;
    std::exception_ptr thrown_;
    std::vector<std::thread> threads_;
};

bool address_space_is_limited() {
    rlimit limit = {};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

std::unique_ptr<TaskPool> make_serial_pool() { return std::make_unique<SerialPool>(); }

std::unique_ptr<TaskPool> make_thread_pool(std::size_t workers) {
    return std::make_unique<ThreadPool>(workers);
}

std::unique_ptr<TaskPool> make_task_pool(std::size_t workers) {
    if (workers == 0) workers = std::max(1U, std::thread::hardware_concurrency());
    if (workers == 1) return make_serial_pool();
    if (address_space_is_limited()) return make_thread_pool(workers);
#ifdef __SANITIZE_THREAD__
    return make_thread_pool(workers);
#else
    return make_tbb_pool(workers);
#endif
}

}  // namespace idxfsck::audit
