// Every pool runs every task once, tasks that tasks add too, and hands on what they throw.

#include <atomic>
#include <stdexcept>

#include <catch2/catch.hpp>

#include "audit/task_pool.hpp"

using namespace idxfsck;

namespace {

std::unique_ptr<audit::TaskPool> pool_of(int kind) {
    if (kind == 0) return audit::make_serial_pool();
#ifndef __SANITIZE_THREAD__
    if (kind == 2) return audit::make_tbb_pool(3);
#endif
    return audit::make_thread_pool(3);
}

}  // namespace

TEST_CASE("a pool runs every task, and those that tasks add") {
    const int kind = GENERATE(0, 1, 2);
    const auto pool = pool_of(kind);
    std::atomic<int> runs{0};
    for (int task = 0; task < 100; ++task) {
        pool->add([&](std::size_t) {
            ++runs;
            for (int inner = 0; inner < 3; ++inner) pool->add([&](std::size_t) { ++runs; });
        });
    }
    pool->wait();
    REQUIRE(runs == 400);
    pool->add([&](std::size_t) { ++runs; });
    pool->wait();
    REQUIRE(runs == 401);
}

TEST_CASE("no two tasks run under one worker number at once") {
    const int kind = GENERATE(0, 1, 2);
    const auto pool = pool_of(kind);
    std::vector<std::atomic<int>> inside(pool->workers());
    std::atomic<bool> clash{false};
    for (int task = 0; task < 2000; ++task) {
        pool->add([&](std::size_t worker) {
            if (++inside[worker] != 1) clash = true;
            --inside[worker];
        });
    }
    pool->wait();
    REQUIRE_FALSE(clash);
}

TEST_CASE("what a task throws is thrown by wait, after the other tasks have run") {
    const int kind = GENERATE(0, 1, 2);
    const auto pool = pool_of(kind);
    std::atomic<int> runs{0};
    for (int task = 0; task < 20; ++task) {
        pool->add([&runs, task](std::size_t) {
            if (task == 5) throw std::runtime_error{"five"};
            ++runs;
        });
    }
    REQUIRE_THROWS_WITH(pool->wait(), "five");
    REQUIRE(runs == 19);
    pool->wait();
}
