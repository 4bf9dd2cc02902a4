// reports/progress_line.hpp
//
// How far a long command has come: one line in place on a terminal, nothing anywhere else.
//
// Shape    "scan: 1,234,567 rows, 812,000 rows/s, 3 suspects, 12 s left". Rewritten a few times a
//          second with \r and spaces, no escape codes, so that it works on any terminal; erased
//          before anything else is printed.
// Threads  One thread at a time.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/output.hpp"

namespace idxfsck::reports {

struct Step {
    std::string phase;
    std::string_view unit;        // "rows", "operations"
    std::uint64_t done = 0;       // of the phase
    std::uint64_t total = 0;      // 0: not known
    std::uint64_t suspects = 0;   // 0: not shown
};

class ProgressLine {
public:
    // Milliseconds of a clock that never goes back.
    using Now = std::function<std::int64_t()>;

    // Shows nothing if `error` is no terminal, or if `quiet`.
    ProgressLine(Output& error, bool quiet, Now now = steady_now_ms);
    ~ProgressLine() { erase(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const Step& step);
    void erase();

    static std::int64_t steady_now_ms();

private:
    struct Sample {
        std::int64_t time_ms;
        std::uint64_t done;
    };

    std::string line_of(const Step& step) const;
    void note(const Step& step, std::int64_t time_ms);

    Output& error_;
    bool shows_;
    Now now_;
    std::string phase_;
    std::deque<Sample> samples_;  // of the phase, the last few seconds
    std::int64_t shown_ms_ = 0;
    std::size_t columns_shown_ = 0;
};

}  // namespace idxfsck::reports
