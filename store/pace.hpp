// store/pace.hpp
//
// Holds what is spent to a rate, which a file may change while the run goes on.
//
// Shape    A bucket that runs empty: what an answer cost is paid for by waiting, until as much time
//          has passed as the rate gives it. Requests under way are not stopped, so for some moments
//          more may be spent; over a run the rate holds. A rate that changes holds for all that is
//          not paid for yet.
// Units    Read units, and read units a second.
// Threads  All calls may run at once.

#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "store/http/clock.hpp"

namespace idxfsck::store {

// A rate in a text: a whole number of units a second, white space around it. Nothing if it is none.
std::optional<double> rate_in(std::string_view text);

// A file that says how many units a second may be spent. Looked at when something is spent and
// while somebody waits, at most once a second.
struct RateFile {
    std::string path;
    // What is wrong with it, once until it is right again; the old rate goes on.
    std::function<void(const std::string& problem)> say;
};

class Pace {
public:
    // 0: no limit.
    Pace(Clock& clock, double units_a_second) : clock_{clock}, units_a_second_{units_a_second} {}
    // Throws Error (usage) if the file says no rate.
    Pace(Clock& clock, RateFile file);

    bool limited() const { return file_.has_value() || units_a_second_ > 0.0; }

    // So much was spent. Waits until that is paid for, or a stop ends all waits.
    void spend(double units);

private:
    // What is still to wait for `ticket` units to be paid; 0 if they are.
    std::int64_t left_ms(double ticket);
    void advance(std::int64_t now_ms);
    void look(std::int64_t now_ms);

    Clock& clock_;
    std::mutex mutex_;
    std::optional<RateFile> file_;
    double units_a_second_ = 0.0;
    double spent_ = 0.0;
    double paid_ = 0.0;  // of what was spent: what has had its time
    std::int64_t paid_ms_ = 0;  // at this time
    std::int64_t looked_ms_ = 0;
    std::string bad_text_;  // that was complained of
};

}  // namespace idxfsck::store
