#include "reports/time_text.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace idxfsck::reports {

namespace {

// Takes `digits` decimal digits and then `after` (a zero: nothing) off the front of `text`.
bool take_number(std::string_view& text, std::size_t digits, char after, int& number) {
    if (text.size() < digits + (after == '\0' ? 0 : 1)) return false;
    const auto read = std::from_chars(text.data(), text.data() + digits, number);
    if (read.ec != std::errc{} || read.ptr != text.data() + digits || number < 0) return false;
    text.remove_prefix(digits);
    if (after == '\0') return true;
    const bool same = (text.front() | (after == 't' ? 0x20 : 0)) == after;
    text.remove_prefix(1);
    return same;
}

// ".25" is 250 ms; finer digits are dropped.
bool take_fraction(std::string_view& text, int& fraction_ms) {
    fraction_ms = 0;
    if (text.empty() || text.front() != '.') return true;
    text.remove_prefix(1);
    std::size_t count = 0;
    for (int unit = 100; count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count) {
        fraction_ms += (text[count] - '0') * unit;
        unit /= 10;
    }
    text.remove_prefix(count);
    return count > 0;
}

bool take_zone(std::string_view text, std::chrono::minutes& offset) {
    if (text == "Z" || text == "z") return true;
    if (text.size() != 6 || (text.front() != '+' && text.front() != '-')) return false;
    const int sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
    int hours = 0;
    int minutes = 0;
    if (!take_number(text, 2, ':', hours) || !take_number(text, 2, '\0', minutes)) return false;
    offset = std::chrono::minutes{sign * (hours * 60 + minutes)};
    return hours < 24 && minutes < 60;
}

}  // namespace

std::optional<std::int64_t> parse_time(std::string_view text) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, fraction_ms = 0;
    std::chrono::minutes offset{0};
    const bool parsed = take_number(text, 4, '-', year) && take_number(text, 2, '-', month) &&
                        take_number(text, 2, 't', day) && take_number(text, 2, ':', hour) &&
                        take_number(text, 2, ':', minute) && take_number(text, 2, '\0', second) &&
                        take_fraction(text, fraction_ms) && take_zone(text, offset);
    if (!parsed || hour > 23 || minute > 59 || second > 59) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok()) return std::nullopt;
    const auto time = std::chrono::sys_days{date} + std::chrono::hours{hour} +
                      std::chrono::minutes{minute} - offset + std::chrono::seconds{second} +
                      std::chrono::milliseconds{fraction_ms};
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string time_text(std::int64_t time_ms) {
    constexpr std::int64_t first_ms = -62167219200000;  // 0000-01-01T00:00:00Z
    constexpr std::int64_t last_ms = 253402300799999;   // 9999-12-31T23:59:59.999Z
    const std::chrono::milliseconds since{std::clamp(time_ms, first_ms, last_ms)};
    const std::chrono::sys_time<std::chrono::milliseconds> time{since};
    const auto midnight = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{midnight};
    const std::chrono::hh_mm_ss clock{time - midnight};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

std::string duration_text(std::int64_t duration_ms) {
    const std::int64_t seconds = std::max<std::int64_t>(0, duration_ms) / 1000;
    if (seconds < 60) return fmt::format("{} s", seconds);
    if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
    return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace idxfsck::reports
