// audit/language/calendar.hpp
//
// Times as people and keys write them: by a format, in a time zone.
//
// Shape    %Y year in four digits, %m month, %d day, %H %M %S hour, minute, second, %L milliseconds
//          in three digits, %f ticks in seven, %j day of the year, %G %V year and week of ISO 8601,
//          %% a percent sign; all else stands for itself.
// Units    Ticks of 100 ns since 0001-01-01T00:00Z, see store/value.hpp.
// Source   Civil dates from day counts: Howard Hinnant, "chrono-Compatible Low-Level Date
//          Algorithms". Time zones: ICU.
// Threads  Pure functions; each thread keeps the zones that it has used.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idxfsck::audit::language {

// "", or what is wrong with it.
std::string check_format(std::string_view format);
// "UTC", "Europe/Berlin", "+05:30": is it known?
bool is_zone(const std::string& name);

// Appends the time in that zone. The format and the zone must have been checked; ticks out of the
// years 0001 to 9999, before or after the zone moved them, give false.
bool append_time(std::string& out, std::int64_t ticks, std::string_view format,
                 const std::string& zone);

}  // namespace idxfsck::audit::language
