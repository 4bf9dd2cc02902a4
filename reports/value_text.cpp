#include "reports/value_text.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "reports/escape.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t binary_bytes_max = 32;
constexpr std::size_t elements_max = 8;
// Containers may nest as deep as their writer likes; deeper ones are only hinted at.
constexpr int depth_max = 4;

std::string binary_text(store::BytesView bytes) {
    std::string text = "0x" + store::to_hex(bytes.substr(0, binary_bytes_max));
    if (bytes.size() <= binary_bytes_max) return text;
    return text + fmt::format("...({} bytes)", grouped(bytes.size()));
}

// Ticks of 100 ns since 0001-01-01T00:00Z, which is what the Azure tables write.
std::string date_time_text(std::int64_t ticks) {
    constexpr std::int64_t ticks_a_second = 10'000'000;
    constexpr std::int64_t seconds_a_day = 86'400;
    constexpr std::int64_t last_tick = 3'155'378'975'999'999'999;  // of the year 9999
    if (ticks < 0 || ticks > last_tick) return fmt::format("date_time({})", ticks);
    const std::int64_t seconds = ticks / ticks_a_second;
    // Days to a civil date: eras of 400 years that begin on 1 March of the year 0.
    const std::int64_t day = seconds / seconds_a_day + 306;
    const std::int64_t era = day / 146'097;
    const std::int64_t of_era = day % 146'097;
    const std::int64_t year = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
    const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const std::int64_t month = (5 * of_year + 2) / 153;
    const std::int64_t of_day = seconds % seconds_a_day;
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:07}Z",
                       year + era * 400 + (month >= 10 ? 1 : 0),
                       month < 10 ? month + 3 : month - 9, of_year - (153 * month + 2) / 5 + 1,
                       of_day / 3600, of_day / 60 % 60, of_day % 60, ticks % ticks_a_second);
}

std::string guid_text(store::BytesView bytes) {
    if (bytes.size() != 16) return binary_text(bytes);
    std::string text = store::to_hex(bytes);
    for (const std::size_t at : {20, 16, 12, 8}) text.insert(at, 1, '-');
    return text;
}

std::string text_of(const store::ValueView& value, int depth);

std::string container_text(const store::ValueView& container, int depth) {
    const bool map = container.kind == store::Kind::map;
    std::string text{map ? '{' : '['};
    if (depth >= depth_max) return text.append(map ? "...}" : "...]");
    store::ElementCursor cursor{container};
    for (std::size_t count = 0; cursor.next(); ++count) {
        if (count > 0) text.append(", ");
        if (count == elements_max) {
            text.append("...");
            break;
        }
        if (map) text.append(quote_terminal(cursor.name(), shown_bytes_max)).append(": ");
        text.append(text_of(cursor.value(), depth + 1));
    }
    return text.append(map ? "}" : "]");
}

std::string text_of(const store::ValueView& value, int depth) {
    using store::Kind;
    switch (value.kind) {
        case Kind::absent: return "absent";
        case Kind::null: return "null";
        case Kind::boolean: return value.as_boolean() ? "true" : "false";
        case Kind::int32:
        case Kind::int64: return std::to_string(value.as_integer());
        case Kind::real: return fmt::format("{}", value.as_real());
        case Kind::number: return escape_terminal(value.payload.substr(0, shown_bytes_max));
        case Kind::text: return quote_terminal(value.payload, shown_bytes_max);
        case Kind::binary: return binary_text(value.payload);
        case Kind::date_time: return date_time_text(value.as_integer());
        case Kind::guid: return guid_text(value.payload);
        default: return container_text(value, depth);
    }
}

}  // namespace

std::string value_text(const store::ValueView& value) {
    return text_of(value, 0);
}

std::string key_text(std::span<const store::Value> key) {
    if (key.size() == 1) return value_text(key.front());
    std::string text{'('};
    for (std::size_t index = 0; index < key.size(); ++index) {
        if (index > 0) text.append(", ");
        text.append(value_text(key[index]));
    }
    return text.append(")");
}

}  // namespace idxfsck::reports
