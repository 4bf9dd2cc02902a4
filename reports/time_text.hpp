// reports/time_text.hpp
//
// Moments and durations as people and scripts write them, whatever the machine's locale and zone.
//
// Units    Unix time in milliseconds.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idxfsck::reports {

// RFC 3339 with a zone: 2026-11-29T22:12:00Z, 2026-11-29T22:12:00.250+01:00. Nothing if it is not.
std::optional<std::int64_t> parse_time(std::string_view text);

// 2026-11-29T22:12:00.000Z; years 0000 to 9999.
std::string time_text(std::int64_t time_ms);

// "42 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(std::int64_t duration_ms);

}  // namespace idxfsck::reports
