// store/value.hpp
//
// One value of an attribute or of a key, with its type, owned (Value) or borrowed (ValueView).
//
// Shape    A kind and a payload. The payload of each kind, which is also how it lies on disk:
//            absent, null          empty
//            boolean               1 byte, 0 or 1
//            int32, int64          4 or 8 bytes, two's complement, little-endian
//            real                  8 bytes, IEEE 754 binary64, little-endian (NaN, infinities kept)
//            number                decimal text as it came: [-]digits[.digits][(e|E)[+-]digits]
//            text                  the bytes as they came; UTF-8 if the writer kept to it
//            binary                the bytes
//            date_time             8 bytes, little-endian, ticks of 100 ns since 0001-01-01T00:00Z
//            guid                  16 bytes, in the order of the text form
//            list, *_set           elements: kind byte, varint size, payload; and so on
//            map                   members: varint size, name, then an element; sorted by name
//          Sets hold elements of the one kind, sorted by payload, each once.
// Errors   A payload that does not fit its kind is the concern of whoever decoded it; accessors
//          return a neutral value (0, false, empty) rather than read past the end.
// Threads  Plain values.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "store/bytes.hpp"

namespace idxfsck::store {

// The numbers are on disk: never renumber, only append.
enum class Kind : std::uint8_t {
    absent = 0,  // only in views and projections: the row has no such attribute
    null = 1,
    boolean = 2,
    int32 = 3,
    int64 = 4,
    real = 5,
    number = 6,
    text = 7,
    binary = 8,
    date_time = 9,
    guid = 10,
    list = 11,
    map = 12,
    text_set = 13,
    number_set = 14,
    binary_set = 15,
};

// The word for a kind in specs, reports and messages: "text", "date_time".
BytesView kind_name(Kind kind);

constexpr bool is_numeric(Kind kind) { return kind >= Kind::int32 && kind <= Kind::number; }
constexpr bool is_set(Kind kind) { return kind >= Kind::text_set && kind <= Kind::binary_set; }
constexpr bool is_container(Kind kind) { return kind >= Kind::list && kind <= Kind::binary_set; }

// A borrowed value: valid as long as the bytes that it was taken from.
struct ValueView {
    Kind kind = Kind::absent;
    BytesView payload;

    bool present() const { return kind != Kind::absent; }
    bool as_boolean() const { return !payload.empty() && payload[0] != 0; }
    // int32, int64 and date_time ticks.
    std::int64_t as_integer() const;
    double as_real() const;

    // Same kind, same payload: 1 and 1.0 differ here; canonical entry bytes make them one.
    friend bool operator==(const ValueView&, const ValueView&) = default;
};

// An owned value.
struct Value {
    Kind kind = Kind::absent;
    Bytes payload;

    Value() = default;
    Value(Kind of_kind, Bytes bytes) : kind{of_kind}, payload{std::move(bytes)} {}
    explicit Value(const ValueView& view) : kind{view.kind}, payload{view.payload} {}

    static Value null() { return {Kind::null, {}}; }
    static Value boolean(bool value) { return {Kind::boolean, Bytes(1, value ? '\1' : '\0')}; }
    static Value int32(std::int32_t value);
    static Value int64(std::int64_t value);
    static Value real(double value);
    static Value number(Bytes text) { return {Kind::number, std::move(text)}; }
    static Value text(Bytes text) { return {Kind::text, std::move(text)}; }
    static Value binary(Bytes bytes) { return {Kind::binary, std::move(bytes)}; }
    static Value date_time(std::int64_t ticks);
    static Value guid(Bytes sixteen) { return {Kind::guid, std::move(sixteen)}; }
    static Value list(const std::vector<Value>& elements);
    // Sorts by name; the last of two equal names wins.
    static Value map(std::vector<std::pair<Bytes, Value>> members);
    // `kind` is one of the set kinds; sorts and drops doubles.
    static Value set(Kind kind, std::vector<Bytes> payloads);

    ValueView view() const { return {kind, payload}; }
    operator ValueView() const { return view(); }

    friend bool operator==(const Value&, const Value&) = default;
};

// Walks the elements of a list or set, or the members of a map (then `name` is set). Stops early,
// with `damaged()`, at bytes that are no element.
class ElementCursor {
public:
    explicit ElementCursor(const ValueView& container);

    // Moves to the next element; false at the end.
    bool next();

    BytesView name() const { return name_; }
    const ValueView& value() const { return value_; }
    bool damaged() const { return damaged_; }

private:
    BytesView rest_;
    Kind container_;
    BytesView name_;
    ValueView value_;
    bool damaged_ = false;
};

// Appends kind byte, varint size and payload: the form of an element.
void append_element(Bytes& out, const ValueView& value);

// Takes an element off the front of `in`; false, with `in` as it was, if it is cut or of no kind.
// In line: a scan does it for every attribute of every row.
inline bool take_element(BytesView& in, ValueView& value) {
    BytesView rest = in;
    if (rest.empty()) return false;
    const auto kind = static_cast<std::uint8_t>(rest[0]);
    if (kind == 0 || kind > static_cast<std::uint8_t>(Kind::binary_set)) return false;
    rest.remove_prefix(1);
    std::uint64_t size = 0;
    if (!take_varint(rest, size) || !take_bytes(rest, size, value.payload)) return false;
    value.kind = static_cast<Kind>(kind);
    in = rest;
    return true;
}

// The element type of a set kind: text for text_set.
Kind set_element_kind(Kind set_kind);

// The one spelling of a numeric value: "-1.5e3" becomes "-1500", 1e0 "1", int32 7 "7", and a real
// its shortest text that reads back as itself. Digits only, no exponent, unless it would be longer
// than 40 digits; then d.ddde±x. NaN and infinities: "NaN", "Infinity", "-Infinity". Nothing if
// `value` is not numeric, its text is no number, or its exponent is out of bounds (number.hpp).
// `scratch` is overwritten; the result views it or the value's payload, or is a constant.
std::optional<BytesView> canonical_number(const ValueView& value, Bytes& scratch);

}  // namespace idxfsck::store
