// The date-time half of store/json/scalar_text.hpp. The calendar is the proleptic Gregorian one,
// as std::chrono has it.

#include "store/json/scalar_text.hpp"

#include <chrono>

namespace idxfsck::store {

namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::int64_t ticks_per_second = 10'000'000;
constexpr std::int64_t ticks_per_minute = 60 * ticks_per_second;
constexpr std::int64_t ticks_per_day = 24 * 60 * ticks_per_minute;
constexpr sys_days first_day{std::chrono::year{1} / 1 / 1};
constexpr std::size_t fraction_digits_max = 7;

constexpr std::string_view not_a_date_time = "not a date-time: YYYY-MM-DDThh:mm:ss[.fffffff]Z";

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Takes `width` digits and then `end` (unless it is zero) off the front; -1 if they are not there.
int take_field(BytesView& text, std::size_t width, char end) {
    const std::size_t size = width + (end == '\0' ? 0 : 1);
    if (text.size() < size || (end != '\0' && text[width] != end)) return -1;
    int value = 0;
    for (const char character : text.substr(0, width)) {
        if (!is_digit(character)) return -1;
        value = value * 10 + (character - '0');
    }
    text.remove_prefix(size);
    return value;
}

// The ticks of the part before the fraction; -1 if it is none.
std::int64_t take_seconds(BytesView& text) {
    const int year = take_field(text, 4, '-');
    const int month = take_field(text, 2, '-');
    const int day = take_field(text, 2, 'T');
    const int hour = take_field(text, 2, ':');
    const int minute = take_field(text, 2, ':');
    const int second = take_field(text, 2, '\0');
    if (year < 1 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0) return -1;
    const std::chrono::year_month_day date{
        std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
        std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok() || hour > 23 || minute > 59 || second > 59) return -1;
    const std::int64_t day_count = (sys_days{date} - first_day).count();
    return day_count * ticks_per_day + (hour * 60 + minute) * ticks_per_minute +
           second * ticks_per_second;
}

// The ticks of the fraction, if there is one; -1 if it has no digits, -2 if it has too many.
std::int64_t take_fraction(BytesView& text) {
    if (!text.starts_with('.')) return 0;
    text.remove_prefix(1);
    std::int64_t ticks = 0;
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) {
        if (count < fraction_digits_max) ticks = ticks * 10 + (text[count] - '0');
        ++count;
    }
    text.remove_prefix(count);
    if (count == 0) return -1;
    if (count > fraction_digits_max) return -2;
    for (; count < fraction_digits_max; ++count) ticks *= 10;
    return ticks;
}

// The ticks that local time is ahead of UTC; nothing if `text` is no offset.
std::optional<std::int64_t> offset_ticks(BytesView text) {
    if (text == "Z") return 0;
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
    const bool west = text[0] == '-';
    text.remove_prefix(1);
    const int hour = take_field(text, 2, ':');
    const int minute = take_field(text, 2, '\0');
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
    const std::int64_t ticks = (hour * 60 + minute) * ticks_per_minute;
    return west ? -ticks : ticks;
}

void append_field(Bytes& out, std::int64_t value, int width) {
    char buffer[8];
    for (int index = width; index-- > 0; value /= 10) {
        buffer[index] = static_cast<char>('0' + value % 10);
    }
    out.append(buffer, static_cast<std::size_t>(width));
}

}  // namespace

Decoded<std::int64_t> date_time_from_text(BytesView text) {
    using Result = Decoded<std::int64_t>;
    const std::int64_t seconds = take_seconds(text);
    if (seconds < 0) return Result::failed(not_a_date_time);
    const std::int64_t fraction = take_fraction(text);
    if (fraction == -1) return Result::failed(not_a_date_time);
    if (fraction == -2) return Result::failed("date-time with more than seven digits of a second");
    if (text.empty()) return Result::failed("date-time without Z or an offset");
    const std::optional<std::int64_t> offset = offset_ticks(text);
    if (!offset) return Result::failed("date-time with an offset that is not Z, +hh:mm or -hh:mm");
    const std::int64_t ticks = seconds + fraction - *offset;
    if (ticks < 0 || ticks >= ticks_end) {
        return Result::failed("date-time whose offset leads out of the years 0001 to 9999");
    }
    return ticks;
}

void append_date_time(Bytes& out, std::int64_t ticks, int digits) {
    const std::chrono::year_month_day date{first_day + days{ticks / ticks_per_day}};
    const std::int64_t time = ticks % ticks_per_day;
    append_field(out, static_cast<int>(date.year()), 4);
    out.push_back('-');
    append_field(out, static_cast<unsigned>(date.month()), 2);
    out.push_back('-');
    append_field(out, static_cast<unsigned>(date.day()), 2);
    out.push_back('T');
    append_field(out, time / (60 * ticks_per_minute), 2);
    out.push_back(':');
    append_field(out, time / ticks_per_minute % 60, 2);
    out.push_back(':');
    append_field(out, time / ticks_per_second % 60, 2);
    if (digits > 0) {
        std::int64_t fraction = time % ticks_per_second;
        for (int cut = digits; cut < 7; ++cut) fraction /= 10;
        out.push_back('.');
        append_field(out, fraction, digits);
    }
    out.push_back('Z');
}

}  // namespace idxfsck::store
