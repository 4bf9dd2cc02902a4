// Scalars as text (store/json/scalar_text.hpp, base64.hpp). Promised: exact both ways; text that
// is no such scalar is refused. Method: tables written out, the vectors of RFC 4648, and a calendar
// counted day by day.

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <random>

#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"

using namespace idxfsck::store;

namespace {

std::string why_not(const char* text) { return std::string{date_time_from_text(text).why_not}; }

std::string date_time(std::int64_t ticks, int digits = 7) {
    Bytes out;
    append_date_time(out, ticks, digits);
    return out;
}

std::string real(double value) {
    Bytes out;
    append_real(out, value);
    return out;
}

std::string json_string(BytesView text) {
    Bytes out;
    append_json_string(out, text);
    return out;
}

}  // namespace

TEST_CASE("base64 has the values of the RFC") {
    const std::pair<const char*, const char*> vectors[] = {
        {"", ""},         {"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors) {
        CHECK(to_base64(bytes) == text);
        CHECK(from_base64(text) == Bytes{bytes});
    }
    CHECK(to_base64("\xfb\xff\xfe") == "+//+");
    CHECK(to_base64("\xfb\xff\xfe", {.url = true}) == "-__-");
    CHECK(to_base64("f", {.url = true, .padding = false}) == "Zg");
}

TEST_CASE("base64 takes back exactly what it gives") {
    for (const char* text : {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z", "=", "====", "Zm9v\n",
                             " Zm9v", "-__-", "Zg==Zg==", "Zm=v"}) {
        INFO(text);
        CHECK_FALSE(from_base64(text));
    }
    CHECK_FALSE(from_base64("Zg==", {.url = true, .padding = false}));
    CHECK_FALSE(from_base64("+//+", {.url = true}));
    const std::uint64_t seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    for (int round = 0; round < 2'000; ++round) {
        Bytes bytes(random() % 20, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random());
        for (const Base64Style style : {Base64Style{}, Base64Style{true, true},
                                        Base64Style{false, false}, Base64Style{true, false}}) {
            REQUIRE(from_base64(to_base64(bytes, style), style) == bytes);
        }
    }
}

TEST_CASE("date-times are ticks since the year 1") {
    CHECK(*date_time_from_text("0001-01-01T00:00:00Z") == 0);
    CHECK(*date_time_from_text("0001-01-01T00:00:00.0000001Z") == 1);
    CHECK(*date_time_from_text("1970-01-01T00:00:00Z") == 621'355'968'000'000'000);
    CHECK(*date_time_from_text("9999-12-31T23:59:59.9999999Z") == ticks_end - 1);
    CHECK(*date_time_from_text("2026-11-29T22:10:58.5Z") ==
          *date_time_from_text("2026-11-29T22:10:58.5000000Z"));
    CHECK(*date_time_from_text("2026-11-30T00:40:58+02:30") ==
          *date_time_from_text("2026-11-29T22:10:58Z"));
    CHECK(*date_time_from_text("2026-11-29T12:10:58-10:00") ==
          *date_time_from_text("2026-11-29T22:10:58Z"));
    CHECK(date_time(0) == "0001-01-01T00:00:00.0000000Z");
    CHECK(date_time(ticks_end - 1) == "9999-12-31T23:59:59.9999999Z");
    CHECK(date_time(621'355'968'012'345'678, 3) == "1970-01-01T00:00:01.234Z");
    CHECK(date_time(621'355'968'012'345'678, 0) == "1970-01-01T00:00:01Z");
}

TEST_CASE("every day from the year 1 to 9999 follows the one before") {
    constexpr std::int64_t day_ticks = 864'000'000'000;
    const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    std::int64_t ticks = 0;
    for (int year = 1; year <= 9999; ++year) {
        const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (int month = 1; month <= 12; ++month) {
            const int days = lengths[month - 1] + (leap && month == 2 ? 1 : 0);
            char text[64];
            std::snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00.0000000Z", year, month, days);
            ticks += (days - 1) * day_ticks;
            if (date_time(ticks) != text || *date_time_from_text(text) != ticks) FAIL(text);
            ticks += day_ticks;
            std::snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00Z", year, month, days + 1);
            if (date_time_from_text(text)) FAIL(text);
        }
    }
    CHECK(ticks == ticks_end);
}

TEST_CASE("text that is no date-time is refused with a reason") {
    for (const char* text : {"", "2026-11-29", "2026-11-29 22:10:58Z", "2026-1-29T22:10:58Z",
                             "0000-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
                             "2026-11-29T24:00:00Z", "2026-11-29T22:60:58Z", "2026-11-29T22:10:60Z",
                             "2026-11-29T22:10Z", "2026-11-29T22:10:58.Z",
                             "+026-11-29T22:10:58Z"}) {
        INFO(text);
        CHECK(why_not(text).find("not a date-time") == 0);
    }
    CHECK(why_not("2026-11-29T22:10:58.12345670Z").find("more than seven") != std::string::npos);
    CHECK(why_not("2026-11-29T22:10:58").find("without Z") != std::string::npos);
    for (const char* text : {"2026-11-29T22:10:58z", "2026-11-29T22:10:58+0200",
                             "2026-11-29T22:10:58+02:00:30", "2026-11-29T22:10:58+24:00",
                             "2026-11-29T22:10:58ZZ"}) {
        INFO(text);
        CHECK(why_not(text).find("offset that is not") != std::string::npos);
    }
    CHECK(why_not("0001-01-01T00:00:00+01:00").find("leads out") != std::string::npos);
    CHECK(why_not("9999-12-31T23:59:59-00:01").find("leads out") != std::string::npos);
}

TEST_CASE("numbers, as the value model and as JSON have them") {
    for (const char* text : {"0", "-0", "1.0", "1e5", "1E+05", "-1.25e-3", "1e999999999"}) {
        INFO(text);
        CHECK(is_number(text));
        CHECK(is_json_number(text));
    }
    for (const char* text : {"007", "-00.5", "00"}) {
        INFO(text);
        CHECK(is_number(text));
        CHECK_FALSE(is_json_number(text));
    }
    for (const char* text : {"", "-", "+1", ".5", "1.", "1e", "1e+", "1e1234567890", "0x1", "1 ",
                             " 1", "1,5", "NaN", "--1", "1e5.5", "\xd9\xa1"}) {
        INFO(text);
        CHECK_FALSE(is_number(text));
        CHECK_FALSE(is_json_number(text));
    }
}

TEST_CASE("doubles have their shortest text") {
    for (const double value : {0.0, -0.0, 1.0, 0.1, 1e22, 5e-324, 1.7976931348623157e308, -1.5}) {
        CHECK(*real_from_text(real(value)) == value);
    }
    CHECK(real(0.1) == "0.1");
    CHECK(real(-0.0) == "-0");
    CHECK(std::signbit(*real_from_text("-0")));
    for (const char* text : {"inf", "nan", "1e999", "infinity", "-NaN", "", "1f", "0x1p3"}) {
        INFO(text);
        CHECK_FALSE(real_from_text(text));
    }
}

TEST_CASE("guids, hexadecimal and UTF-8") {
    const char* text = "01234567-89AB-cdef-0123-456789abcdef";
    Bytes out;
    append_guid(out, *guid_from_text(text));
    CHECK(out == "01234567-89ab-cdef-0123-456789abcdef");
    CHECK_FALSE(guid_from_text("0123456789abcdef0123456789abcdef"));
    CHECK_FALSE(guid_from_text("{01234567-89ab-cdef-0123-456789abcde}"));
    CHECK(*from_hex("00fF") == Bytes{"\x00\xff", 2});
    CHECK_FALSE(from_hex("0"));
    CHECK_FALSE(from_hex("0g"));
    CHECK(valid_utf8_size("aé€😀") == 10);
    for (const BytesView bytes : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                                  "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                                  "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xff"}) {
        CHECK(valid_utf8_size(bytes) == 0);
        CHECK_FALSE(is_utf8(bytes));
    }
    for (int code = 0; code < 65'536; ++code) {
        const Bytes bytes{static_cast<char>(code >> 8), static_cast<char>(code & 0xff), 'x'};
        REQUIRE((valid_utf8_size(bytes) == bytes.size()) == is_utf8(bytes));
    }
}

TEST_CASE("JSON strings are harmless on a terminal") {
    CHECK(json_string("a\"\\/\b\f\n\r\t é😀") == R"("a\"\\/\b\f\n\r\t é😀")");
    CHECK(json_string(BytesView{"\0\x1b[31m\x7f\xc2\x9b", 9}) ==
          R"("\u0000\u001b[31m\u007f\u009b")");
    CHECK(json_string("\xc2\xa0") == "\"\xc2\xa0\"");
}
