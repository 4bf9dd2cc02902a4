// audit/task_pool.hpp
//
// Tasks that may add tasks, on a fixed number of workers.
//
// Shape    make_task_pool gives oneTBB's scheduler, or, for one worker, a loop on the calling
//          thread (the same order every time), or, under the thread sanitizer, plain threads:
//          Debian's oneTBB is not instrumented and would flood it with false reports. Plain threads
//          also where the address space is limited (ulimit -v): oneTBB hangs or ends the program
//          if a thread cannot be started, while they make do with those that could be.
// Errors   What a task throws is thrown again by wait(), once, after the others have ended.
// Threads  add() from any thread; wait() from the one that made the pool.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace idxfsck::audit {

class TaskPool {
public:
    // The number of the worker, from 0: no two tasks run under one number at once.
    using Task = std::function<void(std::size_t worker)>;

    virtual ~TaskPool() = default;
    virtual std::size_t workers() const = 0;
    virtual void add(Task task) = 0;
    virtual void wait() = 0;
    // True if there are fewer tasks than workers: cutting one in two would help.
    virtual bool hungry() const = 0;
};

// `workers` 0: one per core.
std::unique_ptr<TaskPool> make_task_pool(std::size_t workers);

// The parts that it chooses from, for tests.
std::unique_ptr<TaskPool> make_tbb_pool(std::size_t workers);
std::unique_ptr<TaskPool> make_thread_pool(std::size_t workers);
std::unique_ptr<TaskPool> make_serial_pool();

}  // namespace idxfsck::audit
