// audit/memory_budget.hpp
//
// What all that grows in an audit may hold together: README.md lists it.
//
// Units    Bytes.
// Threads  From any.

#pragma once

#include <atomic>
#include <cstdint>

namespace idxfsck::audit {

class MemoryBudget {
public:
    explicit MemoryBudget(std::uint64_t bytes_max) : bytes_max_{bytes_max} {}

    void take(std::uint64_t bytes) { bytes_ += bytes; }
    void give_back(std::uint64_t bytes) { bytes_ -= bytes; }
    bool exceeded() const { return bytes_ > bytes_max_; }
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t bytes_max() const { return bytes_max_; }
    // What is left of it.
    std::uint64_t room() const {
        const std::uint64_t bytes = bytes_;
        return bytes < bytes_max_ ? bytes_max_ - bytes : 0;
    }

private:
    std::uint64_t bytes_max_;
    std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace idxfsck::audit
