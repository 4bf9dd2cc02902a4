#include <array>

#include "audit/language/calendar.hpp"
#include "audit/language/transforms.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::ValueView;

constexpr std::int64_t unix_epoch_ticks = 621'355'968'000'000'000;

bool give_ticks(Scratch& scratch, ValueView& value, std::int64_t ticks) {
    if (ticks < 0 || ticks >= store::ticks_end) return refuse(scratch, Damage::key_wrong_type);
    value = time_view(scratch, ticks);
    return true;
}

bool give_number(Scratch& scratch, ValueView& value, std::int64_t number) {
    value = {Kind::number, scratch.arena.copy(std::to_string(number))};
    return true;
}

// So many units since 1970; numbers with a fraction are cut to whole ticks.
template <std::int64_t TicksPerUnit>
bool from_unix(const Arguments&, Scratch& scratch, ValueView& value) {
    const auto units = store::integer_from_text<std::int64_t>(value.payload);
    constexpr std::int64_t units_max = store::ticks_end / TicksPerUnit;
    if (!units || *units < -units_max || *units > units_max) {
        return refuse(scratch, Damage::key_wrong_type);
    }
    return give_ticks(scratch, value, unix_epoch_ticks + *units * TicksPerUnit);
}

template <std::int64_t TicksPerUnit>
bool invert_from_unix(const Arguments&, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::date_time) return false;
    const std::int64_t ticks = value.as_integer() - unix_epoch_ticks;
    return ticks % TicksPerUnit == 0 && give_number(scratch, value, ticks / TicksPerUnit);
}

// Down to the whole unit, before 1970 too.
template <std::int64_t TicksPerUnit>
bool to_unix(const Arguments&, Scratch& scratch, ValueView& value) {
    const std::int64_t ticks = value.as_integer() - unix_epoch_ticks;
    const bool down = ticks < 0 && ticks % TicksPerUnit != 0;
    return give_number(scratch, value, ticks / TicksPerUnit - (down ? 1 : 0));
}

bool to_ticks(const Arguments&, Scratch& scratch, ValueView& value) {
    return give_number(scratch, value, value.as_integer());
}

bool from_ticks(const Arguments&, Scratch& scratch, ValueView& value) {
    const auto ticks = store::integer_from_text<std::int64_t>(value.payload);
    return ticks ? give_ticks(scratch, value, *ticks) : refuse(scratch, Damage::key_wrong_type);
}

bool invert_to_ticks(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (!store::is_numeric(value.kind)) return false;
    return make_fit(Takes::number, scratch, value) && from_ticks(arguments, scratch, value);
}

bool date(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    static const std::string utc = "UTC";
    const std::string& zone = arguments.size() > 1 ? arguments.texts[1] : utc;
    scratch.number.clear();
    if (!append_time(scratch.number, value.as_integer(), arguments.texts[0], zone)) {
        return refuse(scratch, Damage::key_wrong_type);
    }
    return give_text(value, scratch.arena.copy(scratch.number));
}

std::string check_date(const Arguments& arguments) {
    std::string wrong = check_format(arguments.texts[0]);
    if (!wrong.empty() || arguments.size() < 2 || is_zone(arguments.texts[1])) return wrong;
    return "unknown time zone";
}

bool iso(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const std::int64_t ticks = value.as_integer();
    if (ticks < 0 || ticks >= store::ticks_end) return refuse(scratch, Damage::key_wrong_type);
    scratch.number.clear();
    store::append_date_time(scratch.number, ticks, static_cast<int>(arguments.numbers[0]));
    return give_text(value, scratch.arena.copy(scratch.number));
}

// Seven digits keep every tick; fewer lose some.
bool invert_iso(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::text || arguments.numbers[0] != 7) return false;
    const auto ticks = store::date_time_from_text(value.payload);
    if (!ticks) return false;
    const BytesView written = value.payload;
    value = time_view(scratch, *ticks);
    ValueView again = value;
    return iso(arguments, scratch, again) && again.payload == written;
}

std::string check_iso(const Arguments& arguments) {
    const bool fits = arguments.numbers[0] >= 0 && arguments.numbers[0] <= 7;
    return fits ? "" : "out of range: 0 to 7 digits";
}

constexpr std::int64_t second = 10'000'000;
constexpr std::int64_t millisecond = 10'000;
constexpr std::int64_t microsecond = 10;

const std::array<TransformInfo, 10> table{{
    {"from_seconds", "", "The time that many seconds after 1970.", Takes::number, Gives::time, "",
     from_unix<second>, invert_from_unix<second>},
    {"from_milliseconds", "", "The time that many milliseconds after 1970.", Takes::number,
     Gives::time, "", from_unix<millisecond>, invert_from_unix<millisecond>},
    {"from_microseconds", "", "The time that many microseconds after 1970.", Takes::number,
     Gives::time, "", from_unix<microsecond>, invert_from_unix<microsecond>},
    {"from_ticks", "", "The time that many 100 ns after the year 1 began (.NET).", Takes::number,
     Gives::time, "", from_ticks},
    {"to_seconds", "", "Whole seconds since 1970.", Takes::time, Gives::number, "",
     to_unix<second>},
    {"to_milliseconds", "", "Whole milliseconds since 1970.", Takes::time, Gives::number, "",
     to_unix<millisecond>},
    {"to_microseconds", "", "Whole microseconds since 1970.", Takes::time, Gives::number, "",
     to_unix<microsecond>},
    {"to_ticks", "", "Steps of 100 ns since the year 1 began (.NET).", Takes::time, Gives::number,
     "", to_ticks, invert_to_ticks},
    {"iso", "(digits)",
     "2026-11-29T22:10:58.920Z, with 0 to 7 digits after the point; what is finer is cut off.",
     Takes::time, Gives::text, "n", iso, invert_iso, check_iso},
    {"date", "('format'[, 'zone'])",
     "The time by a format, in a time zone (UTC, Europe/Berlin, +05:30): %Y %m %d %H %M %S, %L "
     "milliseconds, %f ticks, %j day of the year, %G %V ISO week.",
     Takes::time, Gives::text, "tT", date, nullptr, check_date},
}};

}  // namespace

std::span<const TransformInfo> time_transforms() {
    return table;
}

}  // namespace idxfsck::audit::language
