// store/json/scalar_text.hpp
//
// Scalars as text and back: what the NDJSON shapes and the JSON form of values share.
//
// Shape    real       the shortest decimal that reads back as the same double; "NaN", "Infinity",
//                     "-Infinity"
//          date-time  2026-11-29T22:10:58.9202938Z: RFC 3339 with at most seven digits after the
//                     point. An offset is converted; years are 0001 to 9999
//          guid       36 characters, lower case on writing, either case on reading
// Errors   Readers give nothing, or why not, for text that is no such scalar. They do not throw.

#pragma once

#include <charconv>
#include <optional>

#include "store/bytes.hpp"
#include "store/json/decoded.hpp"

namespace idxfsck::store {

// Is `text` a decimal number as value.hpp has it: [-]digits[.digits][(e|E)[+-]digits], with an
// exponent of at most nine digits?
bool is_number(BytesView text);

// Is `text` such a number that JSON too allows: without leading zeros?
bool is_json_number(BytesView text);

// An integer without sign '+' and without anything around it, if it fits.
template <typename Integer>
std::optional<Integer> integer_from_text(BytesView text) {
    Integer value = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return value;
}

// The size of the longest prefix of `bytes` that is UTF-8: all of it if there is nothing wrong.
std::size_t valid_utf8_size(BytesView bytes);
bool is_utf8(BytesView bytes);

void append_real(Bytes& out, double value);
// Nothing for text that is no number, and for a finite number that overflows.
std::optional<double> real_from_text(BytesView text);

// Ticks of 100 ns since 0001-01-01T00:00Z, below ticks_end.
constexpr std::int64_t ticks_end = 3'155'378'976'000'000'000;

// `digits`: how many follow the point, 0 to 7; what is cut off is lost. `ticks` must be in range.
void append_date_time(Bytes& out, std::int64_t ticks, int digits = 7);
Decoded<std::int64_t> date_time_from_text(BytesView text);

void append_guid(Bytes& out, BytesView sixteen);
// Sixteen bytes in the order of the text.
std::optional<Bytes> guid_from_text(BytesView text);

std::optional<Bytes> from_hex(BytesView text);

// Appends `text`, which must be UTF-8, as a JSON string. Control characters (C0, DEL, C1) are
// escaped, so that the line is harmless on a terminal.
void append_json_string(Bytes& out, BytesView text);

}  // namespace idxfsck::store
