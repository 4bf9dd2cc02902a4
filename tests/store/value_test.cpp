// Values, their elements and the canonical spelling of numbers (store/value.hpp). Promised: what is
// put in comes out; damaged bytes stop a walk and never a program; numbers that are equal have one
// spelling. Method: tables written out; every truncation; random bytes, whose seed is printed.

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "store/value.hpp"

using namespace idxfsck::store;

namespace {

std::optional<Bytes> canonical(const Value& value) {
    Bytes scratch = "left over from before";
    const auto out = canonical_number(value, scratch);
    if (!out) return std::nullopt;
    return Bytes{*out};
}

// How many elements a walk gives before it ends, whatever the bytes are.
std::size_t walk(const ValueView& container) {
    ElementCursor cursor{container};
    std::size_t count = 0;
    while (cursor.next()) ++count;
    REQUIRE_FALSE(cursor.next());
    return count;
}

}  // namespace

TEST_CASE("scalars come back as they went in") {
    for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40,
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max()}) {
        REQUIRE(Value::int64(number).view().as_integer() == number);
        REQUIRE(Value::date_time(number).view().as_integer() == number);
    }
    for (const std::int32_t number : {0, -1, 70000, std::numeric_limits<std::int32_t>::min(),
                                      std::numeric_limits<std::int32_t>::max()}) {
        REQUIRE(Value::int32(number).view().as_integer() == number);
    }
    REQUIRE(Value::int32(1).payload == Bytes("\x01\0\0\0", 4));
    for (const double number : {0.0, -0.0, 0.1, -1e300, std::numeric_limits<double>::infinity()}) {
        const double back = Value::real(number).view().as_real();
        REQUIRE(back == number);
        REQUIRE(std::signbit(back) == std::signbit(number));
    }
    REQUIRE(std::isnan(Value::real(std::nan("")).view().as_real()));
    REQUIRE(Value::boolean(true).view().as_boolean());
    REQUIRE_FALSE(Value::boolean(false).view().as_boolean());
}

TEST_CASE("an accessor does not read past a payload that is too short") {
    for (const Kind kind : {Kind::boolean, Kind::int32, Kind::int64, Kind::real}) {
        const ValueView empty{kind, {}};
        REQUIRE_FALSE(empty.as_boolean());
        REQUIRE(empty.as_integer() == 0);
        REQUIRE(empty.as_real() == 0.0);
        REQUIRE(ValueView{kind, "abc"}.as_integer() == 0);
        REQUIRE(ValueView{kind, "abc"}.as_real() == 0.0);
    }
}

TEST_CASE("every kind has a name, and what is none is unknown") {
    REQUIRE(kind_name(Kind::absent) == "absent");
    REQUIRE(kind_name(Kind::date_time) == "date_time");
    REQUIRE(kind_name(Kind::binary_set) == "binary_set");
    REQUIRE(kind_name(static_cast<Kind>(16)) == "unknown");
    REQUIRE(kind_name(static_cast<Kind>(255)) == "unknown");
}

TEST_CASE("containers are walked in their order") {
    const Value list = Value::list({Value::text("b"), Value::null(), Value::text("")});
    ElementCursor element{list};
    REQUIRE(element.next());
    REQUIRE(element.value() == Value::text("b").view());
    REQUIRE(element.next());
    REQUIRE(element.value().kind == Kind::null);
    REQUIRE(element.next());
    REQUIRE(element.value() == Value::text("").view());
    REQUIRE_FALSE(element.next());
    REQUIRE_FALSE(element.damaged());

    const Value map = Value::map({{"z", Value::int32(1)}, {"a", Value::null()},
                                  {"z", Value::int32(2)}});
    ElementCursor member{map};
    REQUIRE(member.next());
    REQUIRE(member.name() == "a");
    REQUIRE(member.next());
    REQUIRE(member.name() == "z");
    REQUIRE(member.value().as_integer() == 2);
    REQUIRE_FALSE(member.next());

    const Value set = Value::set(Kind::number_set, {"2", "10", "2"});
    REQUIRE(set == Value::set(Kind::number_set, {"10", "2"}));
    REQUIRE(walk(set) == 2);
}

TEST_CASE("a damaged container ends the walk and says so") {
    const Value inner = Value::map({{"name", Value::text("value")}});
    const Value whole = Value::list({Value::text("abc"), inner, Value::int64(7)});
    std::size_t ends = 0;
    for (std::size_t size = 0; size < whole.payload.size(); ++size) {
        ElementCursor cursor{{Kind::list, BytesView{whole.payload}.substr(0, size)}};
        while (cursor.next()) continue;
        // A cut between two elements is a shorter list: the bytes cannot tell.
        ends += cursor.damaged() ? 0 : 1;
    }
    REQUIRE(ends == 3);
    REQUIRE(walk({Kind::list, BytesView("\x00\x00", 2)}) == 0);
    REQUIRE(walk({Kind::list, "\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"}) == 0);
    REQUIRE(walk({Kind::text_set, "\x08\x01x"}) == 0);
    REQUIRE(walk({Kind::text, "\x07\x01x"}) == 0);
}

TEST_CASE("random bytes are walked without harm") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    for (int round = 0; round < 20000; ++round) {
        Bytes bytes(random() % 24, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random() % 3 ? random() % 20 : random());
        for (const Kind kind : {Kind::list, Kind::map, Kind::text_set}) {
            REQUIRE(walk({kind, bytes}) <= bytes.size());
        }
    }
}

TEST_CASE("numbers that are equal have one spelling") {
    struct Example {
        const char* text;
        const char* spelling;
    };
    const Bytes nines(38, '9');
    for (const auto& [text, spelling] : std::initializer_list<Example>{
             {"0", "0"},
             {"-0", "0"},
             {"0.000", "0"},
             {"0e5", "0"},
             {"1", "1"},
             {"1.0", "1"},
             {"1e0", "1"},
             {"10e-1", "1"},
             {"0001", "1"},
             {"-007.50", "-7.5"},
             {"-1.5e3", "-1500"},
             {"1.5E+3", "1500"},
             {"12.5", "12.5"},
             {"0.5", "0.5"},
             {"-0.5", "-0.5"},
             {"5e-1", "0.5"},
             {"123e-5", "0.00123"},
             {"100", "100"},
             {"1e39", "1000000000000000000000000000000000000000"},
             {"1e40", "1e+40"},
             {"12e40", "1.2e+41"},
             {"-12e-41", "-1.2e-40"},
             {"1e-38", "0.00000000000000000000000000000000000001"},
             {"1e-39", "0.000000000000000000000000000000000000001"},
             {"1e-40", "1e-40"},
             {"99999999999999999999999999999999999999", nines.c_str()},
             {"9.9999999999999999999999999999999999999e37", nines.c_str()},
             {"1e999999999", "1e+999999999"},
         }) {
        CAPTURE(text);
        REQUIRE(canonical(Value::number(text)) == Bytes{spelling});
    }
}

TEST_CASE("what is no number has no spelling") {
    for (const char* const text :
         {"", "-", "+1", ".5", "1.", "1e", "1e+", "e1", "1 ", " 1", "1x", "0x1", "--1", "1e1.0",
          "NaN", "Infinity", "1e9999999999", "1e-9999999999", "1_000", "\xd9\xa1"}) {
        CAPTURE(text);
        REQUIRE_FALSE(canonical(Value::number(text)));
    }
    REQUIRE_FALSE(canonical(Value::text("1")));
    REQUIRE_FALSE(canonical(Value::null()));
    REQUIRE_FALSE(canonical(Value::date_time(1)));
}

TEST_CASE("integers and reals are spelt like decimals") {
    REQUIRE(canonical(Value::int32(-7)) == Bytes{"-7"});
    REQUIRE(canonical(Value::int64(std::numeric_limits<std::int64_t>::min())) ==
            Bytes{"-9223372036854775808"});
    struct Example {
        double real;
        const char* spelling;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [real, spelling] : std::initializer_list<Example>{
             {0.0, "0"},
             {-0.0, "0"},
             {1.0, "1"},
             {-2.5, "-2.5"},
             {0.1, "0.1"},
             {1e23, "100000000000000000000000"},
             {9007199254740993.0, "9007199254740992"},
             {1e300, "1e+300"},
             {5e-324, "5e-324"},
             {1.7976931348623157e308, "1.7976931348623157e+308"},
             {infinity, "Infinity"},
             {-infinity, "-Infinity"},
         }) {
        CAPTURE(spelling);
        REQUIRE(canonical(Value::real(real)) == Bytes{spelling});
    }
    REQUIRE(canonical(Value::real(std::nan(""))) == Bytes{"NaN"});
    REQUIRE(canonical(Value::real(-std::nan(""))) == Bytes{"NaN"});
}

TEST_CASE("a canonical spelling is its own") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    for (int round = 0; round < 20000; ++round) {
        Bytes text = random() % 2 ? "-" : "";
        for (auto digits = 1 + random() % 45; digits > 0; --digits) {
            text.push_back(static_cast<char>('0' + (random() % 3 ? 0 : random() % 10)));
        }
        if (random() % 2) text.append(".").append(std::to_string(random() % 1000));
        const int exponent = static_cast<int>(random() % 99) - 50;
        if (random() % 2) text.append("e").append(std::to_string(exponent));
        CAPTURE(text);
        const std::optional<Bytes> once = canonical(Value::number(text));
        REQUIRE(once);
        REQUIRE(canonical(Value::number(*once)) == once);
    }
}
