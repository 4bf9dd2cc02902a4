#include "audit/language/calendar.hpp"

#include <map>
#include <memory>

#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

constexpr std::int64_t ticks_per_ms = 10'000;
constexpr std::int64_t ticks_per_second = 10'000'000;
constexpr std::int64_t ticks_per_day = 86'400 * ticks_per_second;
constexpr std::int64_t unix_epoch_ms = 62'135'596'800'000;

struct Date {
    std::int64_t year = 0;
    unsigned month = 0;
    unsigned day = 0;
};

// Days are counted from 0001-01-01.
Date civil(std::int64_t days) {
    // Eras of 400 years that begin in March, so that the leap day is the last of its year.
    const std::int64_t shifted = days + 306;
    const std::int64_t era = shifted / 146'097;
    const auto day_of_era = static_cast<unsigned>(shifted % 146'097);
    const unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const unsigned day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned month = (5 * day_of_year + 2) / 153;
    Date date;
    date.day = day_of_year - (153 * month + 2) / 5 + 1;
    date.month = month < 10 ? month + 3 : month - 9;
    date.year = era * 400 + year_of_era + (date.month <= 2 ? 1 : 0);
    return date;
}

bool is_leap(std::int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// From 0 on.
std::int64_t day_of_year(const Date& date) {
    constexpr int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    const bool leap_day = date.month > 2 && is_leap(date.year);
    return before[date.month - 1] + static_cast<std::int64_t>(date.day) - 1 + (leap_day ? 1 : 0);
}

struct Week {
    std::int64_t year = 0;
    std::int64_t week = 0;
};

// The week belongs to the year of its Thursday.
Week iso_week(std::int64_t days) {
    const std::int64_t weekday = days % 7;  // 0001-01-01 was a Monday
    const Date thursday = civil(days - weekday + 3);
    return {thursday.year, day_of_year(thursday) / 7 + 1};
}

void append_digits(std::string& out, std::int64_t number, std::size_t width) {
    const std::string digits = std::to_string(number);
    if (digits.size() < width) out.append(width - digits.size(), '0');
    out += digits;
}

// "+05:30", "-0800".
std::optional<std::int64_t> offset_ms(std::string_view name) {
    if (name.size() < 5 || (name[0] != '+' && name[0] != '-')) return std::nullopt;
    std::string digits{name.substr(1)};
    if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
    if (digits.size() != 4) return std::nullopt;
    int number = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '9') return std::nullopt;
        number = number * 10 + (digit - '0');
    }
    if (number / 100 > 18 || number % 100 > 59) return std::nullopt;
    const std::int64_t ms = (number / 100 * 60 + number % 100) * std::int64_t{60'000};
    return name[0] == '-' ? -ms : ms;
}

const icu::TimeZone* named_zone(const std::string& name) {
    thread_local std::map<std::string, std::unique_ptr<icu::TimeZone>> zones;
    const auto found = zones.find(name);
    if (found != zones.end()) return found->second.get();
    std::unique_ptr<icu::TimeZone> zone{
        icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(name))};
    if (zone != nullptr && *zone == icu::TimeZone::getUnknown()) zone.reset();
    return zones.emplace(name, std::move(zone)).first->second.get();
}

std::int64_t zone_ms(std::int64_t ticks, const std::string& zone) {
    if (zone == "UTC") return 0;
    if (const auto fixed = offset_ms(zone)) return *fixed;
    const icu::TimeZone* const named = named_zone(zone);
    if (named == nullptr) return 0;
    std::int32_t raw = 0;
    std::int32_t saving = 0;
    UErrorCode error = U_ZERO_ERROR;
    const auto unix_ms = static_cast<UDate>(ticks / ticks_per_ms - unix_epoch_ms);
    named->getOffset(unix_ms, 0, raw, saving, error);
    return U_SUCCESS(error) ? std::int64_t{raw} + saving : 0;
}

void append_field(std::string& out, char field, std::int64_t ticks) {
    const std::int64_t days = ticks / ticks_per_day;
    const std::int64_t of_day = ticks % ticks_per_day;
    const std::int64_t seconds = of_day / ticks_per_second;
    switch (field) {
        case 'Y': append_digits(out, civil(days).year, 4); break;
        case 'm': append_digits(out, civil(days).month, 2); break;
        case 'd': append_digits(out, civil(days).day, 2); break;
        case 'H': append_digits(out, seconds / 3600, 2); break;
        case 'M': append_digits(out, seconds / 60 % 60, 2); break;
        case 'S': append_digits(out, seconds % 60, 2); break;
        case 'L': append_digits(out, of_day % ticks_per_second / ticks_per_ms, 3); break;
        case 'f': append_digits(out, of_day % ticks_per_second, 7); break;
        case 'j': append_digits(out, day_of_year(civil(days)) + 1, 3); break;
        case 'G': append_digits(out, iso_week(days).year, 4); break;
        case 'V': append_digits(out, iso_week(days).week, 2); break;
        default: out.push_back('%'); break;
    }
}

}  // namespace

std::string check_format(std::string_view format) {
    constexpr std::string_view fields = "YmdHMSLfjGV%";
    if (format.empty()) return "the format is empty";
    for (std::size_t index = 0; index < format.size(); ++index) {
        if (format[index] != '%') continue;
        ++index;
        if (index == format.size() || fields.find(format[index]) == std::string_view::npos) {
            return "unknown field in the format: use %Y %m %d %H %M %S %L %f %j %G %V or %%";
        }
    }
    return {};
}

bool is_zone(const std::string& name) {
    return name == "UTC" || offset_ms(name) || named_zone(name) != nullptr;
}

bool append_time(std::string& out, std::int64_t ticks, std::string_view format,
                 const std::string& zone) {
    if (ticks < 0 || ticks >= store::ticks_end) return false;
    ticks += zone_ms(ticks, zone) * ticks_per_ms;
    if (ticks < 0 || ticks >= store::ticks_end) return false;
    for (std::size_t index = 0; index < format.size(); ++index) {
        if (format[index] == '%' && index + 1 < format.size()) {
            append_field(out, format[++index], ticks);
        } else {
            out.push_back(format[index]);
        }
    }
    return true;
}

}  // namespace idxfsck::audit::language
