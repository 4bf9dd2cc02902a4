#include "reports/progress_line.hpp"

#include <algorithm>
#include <chrono>

#include "reports/escape.hpp"
#include "reports/time_text.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::int64_t between_lines_ms = 200;
// The rate of the last seconds tells more of the time left than that of the whole run.
constexpr std::int64_t rate_window_ms = 5000;

}  // namespace

ProgressLine::ProgressLine(Output& error, bool quiet, Now now)
    : error_{error}, shows_{!quiet && error.is_terminal()}, now_{std::move(now)} {}

void ProgressLine::show(const Step& step) {
    if (!shows_) return;
    const std::int64_t time_ms = now_();
    if (columns_shown_ > 0 && time_ms - shown_ms_ < between_lines_ms) return;
    note(step, time_ms);
    shown_ms_ = time_ms;
    std::string line = line_of(step);
    const std::size_t columns = error_.columns();
    // The last column would wrap the line, and then it could not be erased.
    if (line.size() >= columns) line.resize(columns > 1 ? columns - 1 : 0);
    const std::size_t size = line.size();
    if (size < columns_shown_) line.append(columns_shown_ - size, ' ');
    columns_shown_ = size;
    error_.write("\r" + line);
    error_.flush();
}

void ProgressLine::erase() {
    if (columns_shown_ == 0) return;
    error_.write("\r" + std::string(columns_shown_, ' ') + "\r");
    error_.flush();
    columns_shown_ = 0;
}

std::int64_t ProgressLine::steady_now_ms() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

void ProgressLine::note(const Step& step, std::int64_t time_ms) {
    if (step.phase != phase_) {
        phase_ = step.phase;
        samples_.clear();
    }
    samples_.push_back({time_ms, step.done});
    while (samples_.size() > 2 && samples_.front().time_ms < time_ms - rate_window_ms) {
        samples_.pop_front();
    }
}

std::string ProgressLine::line_of(const Step& step) const {
    std::string line = escape_terminal(step.phase);
    if (step.done == 0) return line;
    line.append(": ").append(grouped(step.done));
    if (step.total > 0) line.append(" of ").append(grouped(step.total));
    line.append(" ").append(step.unit);
    const std::int64_t window_ms = samples_.back().time_ms - samples_.front().time_ms;
    const std::uint64_t gained = step.done - std::min(step.done, samples_.front().done);
    const std::uint64_t rate =
        window_ms > 0 ? gained * 1000 / static_cast<std::uint64_t>(window_ms) : 0;
    const std::string speed = ", " + grouped(rate) + " " + std::string{step.unit} + "/s";
    if (rate > 0) line.append(speed);
    if (step.suspects > 0) line.append(", ").append(grouped(step.suspects)).append(" suspects");
    if (rate > 0 && step.total > step.done) {
        const std::uint64_t left_ms = (step.total - step.done) * 1000 / rate;
        line.append(", ").append(duration_text(static_cast<std::int64_t>(left_ms))).append(" left");
    }
    return line;
}

}  // namespace idxfsck::reports
