// audit/progress_teller.hpp
//
// How far an audit is, told to whoever asked for it.
//
// Units    `rows` are those read since the last call.
// Threads  tell() from any worker; the caller's function is called by one at a time.

#pragma once

#include <atomic>
#include <mutex>
#include <string_view>

#include "audit/audit_run.hpp"

namespace idxfsck::audit {

class ProgressTeller {
public:
    explicit ProgressTeller(std::function<void(const Progress&)> progress)
        : progress_{std::move(progress)} {}

    // About how many rows there are to read; 0: not known. Before the scan.
    void set_rows_total(std::uint64_t rows) { rows_total_ = rows; }
    // Not while others tell.
    void add_suspects(std::uint64_t count) { suspects_ += count; }

    void tell(const char* phase, std::uint64_t rows) {
        rows_ += rows;
        if (!progress_) return;
        const std::lock_guard lock{mutex_};
        const bool reads = std::string_view{phase} == "scan";
        progress_({phase, rows_, suspects_, reads ? rows_total_ : 0});
    }

private:
    std::function<void(const Progress&)> progress_;
    std::atomic<std::uint64_t> rows_{0};
    std::uint64_t rows_total_ = 0;
    std::uint64_t suspects_ = 0;
    std::mutex mutex_;
};

}  // namespace idxfsck::audit
