// Promised: each transform does what the manual says of it, and those that can be inverted give
// back the one value that they were given.
// Method: a table of inputs and outputs; digests and encodings were computed with Python's standard
// library, not with the code under test.

#include <catch2/catch.hpp>

#include <random>
#include <set>

#include "audit/language/calendar.hpp"
#include "tests/audit/language_templates.hpp"

using namespace idxfsck;
using audit::language::Solution;
using store::Value;
using tests::made;

namespace {

struct Case {
    const char* transforms;
    Value input;
    const char* output;
};

Value number(const char* text) { return Value::number(text); }
Value text(const char* bytes) { return Value::text(bytes); }

// 2026-11-29T22:10:58.9202938Z
constexpr std::int64_t moment = 639'315'870'589'202'938;

const std::vector<Case> cases{
    {"trim", text(" \t a b\u00a0\n"), "a b"},
    {"trim('-')", text("--a-b-"), "a-b"},
    {"ltrim", text("  a "), "a "},
    {"rtrim", text("  a "), "  a"},
    {"rtrim(' ')", text("e  "), "e"},
    {"trim", text(""), ""},
    {"lower", text("ANN@X.Org"), "ann@x.org"},
    {"lower", text("\u00c9\u0130"), "\u00e9i\u0307"},
    {"upper", text("stra\u00dfe"), "STRASSE"},
    {"upper_simple", text("stra\u00dfe"), "STRA\u00dfE"},
    {"lower_simple", text("\u00c9K"), "\u00e9k"},
    {"lower_ascii", text("\u00c9K"), "\u00c9k"},
    {"upper_ascii", text("\u00e9k{"), "\u00e9K{"},
    {"fold", text("Stra\u00dfe"), "strasse"},
    {"nfc", text("ju\u0308rgen"), "j\u00fcrgen"},
    {"nfd", text("j\u00fcrgen"), "ju\u0308rgen"},
    {"nfkc", text("\ufb01x\u2075"), "fix5"},
    {"nfkd", text("\u00e9\ufb01"), "e\u0301fi"},
    {"replace('/','-')", text("a/b/c"), "a-b-c"},
    {"replace('aa','')", text("aaa"), "a"},
    {"replace('a','aa')", text("aba"), "aabaa"},
    {"replace('}','{')", text("a}b"), "a{b"},
    {"replace('''','\"')", text("it's"), "it\"s"},
    {"strip_prefix('USER#')", text("USER#7"), "7"},
    {"strip_prefix('USER#')", text("7"), "7"},
    {"after('USER#')", text("USER#7"), "7"},
    {"after('USER#')", text("USER#USER#"), "USER#"},
    {"truncate(3)", text("abcd"), "abc"},
    {"truncate(3)", text("ab\u00e9"), "ab"},
    {"truncate(4)", text("ab\u00e9"), "ab\u00e9"},
    {"first(1)", text("cat"), "c"},
    {"first(2)", text("\u00e9\u00e8a"), "\u00e9\u00e8"},
    {"last(2)", text("a\u00e9\u00e8"), "\u00e9\u00e8"},
    {"map('a','1','b','2')", text("b"), "2"},
    {"map('a','1','b','2')", text("c"), "!key_wrong_type"},
    {"map('a','1','other')", text("c"), "other"},
    {"split(',')", text("a,b,,c"), "[a b  c]"},
    {"split(', ')", text(""), "[]"},
    {"kind", number("1"), "number"},
    {"kind", Value::int64(1), "number"},
    {"kind", Value::null(), "null"},
    {"kind", Value::list({}), "list"},
    {"text", number("1.50"), "1.5"},
    {"text", Value::real(1e21), "1000000000000000000000"},
    {"text", Value::boolean(false), "false"},
    {"text", Value::guid(std::string(15, '\0') + "\x01"), "00000000-0000-0000-0000-000000000001"},
    {"text", Value::date_time(moment), "2026-11-29T22:10:58.9202938Z"},
    {"text", Value::list({}), "!key_wrong_type"},
    {"default('x')", Value{}, "x"},
    {"default('x')", Value::null(), "x"},
    {"default('x')", text(""), ""},

    {"base64", text("???@example.com"), "Pz8/QGV4YW1wbGUuY29t"},
    {"base64", text("ab"), "YWI="},
    {"base64_bare", text("ab"), "YWI"},
    {"base64url", text("???@a"), "Pz8_QGE="},
    {"base64url_bare", text("???@a"), "Pz8_QGE"},
    {"base64|replace('/','-')", text("???@example.com"), "Pz8-QGV4YW1wbGUuY29t"},
    {"from_base64", text("YWI="), "ab"},
    {"from_base64", text("YWI"), "!key_characters"},
    {"from_base64url", text("Pz8_QGE"), "???@a"},
    {"hex", text("az\u00e9"), "617ac3a9"},
    {"hex_upper", text("az\u00e9"), "617AC3A9"},
    {"from_hex", text("617a"), "az"},
    {"from_hex", text("617A"), "!key_characters"},
    {"from_hex_upper", text("FF"), "0xff"},
    {"url_escape", text("a b/c@d-._~!"), "a%20b%2Fc%40d-._~%21"},
    {"url_escape('!''()*')", text("a!b'(*)\u00e9"), "a!b'(*)%C3%A9"},
    {"url_unescape", text("a%20b%2F"), "a b/"},
    {"url_unescape", text("a%2"), "!key_characters"},

    {"md5|hex", text("abc"), "900150983cd24fb0d6963f7d28e17f72"},
    {"sha1|hex", text("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"upper|sha1(utf16le)|hex", text("Ann@Example.com"),
     "670c17ffd1d048ac8f957037659c7cd6b2a464f4"},
    {"upper|sha256|hex", text("bob@example.com"),
     "838c80bdd95e4f7334e69c884bbb6b7acd5f190dae42f740486e4e3bc4993ded"},
    {"sha384|first(0)", text("abc"),
     "@16 out of range: 1 to 1000000000: 0 (write first(characters))"},
    {"sha384|hex|first(8)", text("abc"), "cb00753f"},
    {"sha512|hex|first(8)", text("abc"), "ddaf35a1"},
    {"md5(utf16be)|hex", text("a\u00e9\U0001F600"), "6876eeecb994d155b9ce7f26564f12f1"},
    {"xxhash64|hex", text("abc"), "44bc2cf5ad770999"},
    {"vitess_hash|hex", number("0"), "8ca64de9c1b123a7"},
    {"vitess_hash|hex", number("1"), "166b40b44aba4bd6"},
    {"vitess_hash|hex", text("2"), "06e7ea22ce92708f"},
    {"vitess_hash|hex", number("18446744073709551615"), "355550b2150e2451"},
    {"vitess_hash|hex", number("-1"), "355550b2150e2451"},
    {"vitess_hash|hex", number("18446744073709551616"), "!key_wrong_type"},
    {"md5|bucket(16)", text("abc"), "#0"},
    {"sha1('latin1')", text("abc"),
     "@8 unknown text encoding: utf8, utf16le or utf16be: latin1 "
     "(write sha1[(utf8 | utf16le | utf16be)])"},

    {"plus(1)", number("41"), "#42"},
    {"plus(-2)", number("1"), "#-1"},
    {"plus(1)", text("41"), "#42"},
    {"plus(1)", text("x"), "!key_wrong_type"},
    {"plus(1)", number("1.5"), "!key_wrong_type"},
    {"minus(1)", number("99999999999999999999999999999999999999"),
     "#99999999999999999999999999999999999998"},
    {"max_minus(9999)", number("1"), "#9998"},
    {"round_down(60)", number("119"), "#60"},
    {"round_down(60)", number("-1"), "#-60"},
    {"mod(16)", number("35"), "#3"},
    {"mod(16)", number("-1"), "#15"},
    {"pad(5)", number("42"), "00042"},
    {"pad(2)", number("421"), "421"},
    {"pad(5)", text("0042"), "00042"},
    {"pad(5)", number("-1"), "!key_wrong_type"},
    {"pad(5)", Value::int32(7), "00007"},
    {"big_endian(4)|hex", number("258"), "00000102"},
    {"big_endian(8)|complement|hex", number("1"), "fffffffffffffffe"},
    {"big_endian(1)", number("256"), "!key_too_long"},
    {"big_endian(1)", number("-1"), "!key_too_long"},
    {"big_endian_signed(2)|hex", number("-1"), "7fff"},
    {"big_endian_signed(2)|hex", number("0"), "8000"},
    {"big_endian_signed(16)|hex", number("-1"), "7fffffffffffffffffffffffffffffff"},
    {"little_endian(4)|hex", number("258"), "02010000"},
    {"from_big_endian(2)", Value::binary("\x01\x02"), "#258"},
    {"from_big_endian(2)", Value::binary("\x01"), "!key_wrong_type"},
    {"from_big_endian(2)", text("ab"), "!key_wrong_type"},
    {"from_little_endian(2)", Value::binary("\x01\x02"), "#513"},
    {"bytes(1, 2)|hex", Value::binary("\x01\x02\x03"), "0203"},
    {"bytes(1, 2)|hex", text("abc"), "6263"},
    {"bytes(2, 2)|hex", Value::binary("\x01\x02\x03"), "!key_wrong_type"},
    {"from_json|member('a')|element(1)", text(R"({"a":[1,"x"]})"), "x"},
    {"from_json|element(0)", text("[1.50]"), "#1.5"},
    {"from_json|member('b')|default('none')", text(R"({"a":1})"), "none"},
    {"from_json", text("{"), "!key_wrong_type"},
    {"from_json|member('a')", text("[1]"), "!key_wrong_type"},
    {"from_json|element(0)", text("7"), "!key_wrong_type"},

    {"from_seconds", number("1700000000"), "0x0000e4e85ee5db08"},
    {"from_seconds|iso(0)", number("1700000000"), "2023-11-14T22:13:20Z"},
    {"from_milliseconds|iso(3)", number("-1"), "1969-12-31T23:59:59.999Z"},
    {"from_microseconds|iso(6)", number("1"), "1970-01-01T00:00:00.000001Z"},
    {"from_ticks|iso(7)", number("639315870589202938"), "2026-11-29T22:10:58.9202938Z"},
    {"from_seconds", number("99999999999999"), "!key_wrong_type"},
    {"to_seconds", text("1969-12-31T23:59:59.5Z"), "#-1"},
    {"to_milliseconds", text("2023-11-14T22:13:20.001Z"), "#1700000000001"},
    {"to_microseconds", text("1970-01-01T01:00:00+01:00"), "#0"},
    {"to_ticks", Value::date_time(moment), "#639315870589202938"},
    {"date('%Y-%m-%d')", Value::date_time(moment), "2026-11-29"},
    {"date('%H:%M:%S.%L %f %j %%')", Value::date_time(moment), "22:10:58.920 9202938 333 %"},
    {"date('%G-W%V')", text("2027-01-03T12:00:00Z"), "2026-W53"},
    {"date('%Y-%m-%d', 'Europe/Berlin')", text("2026-06-30T22:30:00Z"), "2026-07-01"},
    {"date('%H', '-03:30')", text("2026-06-30T22:30:00Z"), "19"},
    {"date('%Q')", text("2026-06-30T22:30:00Z"),
     "@8 unknown field in the format: use %Y %m %d %H %M %S %L %f %j %G %V or %%: %Q "
     "(write date('format'[, 'zone']))"},
    {"date('%Y')", text("yesterday"), "!key_wrong_type"},
};

}  // namespace

TEST_CASE("each transform does what the manual says of it") {
    for (const Case& one : cases) {
        INFO(one.transforms);
        CHECK(made("{a|" + std::string{one.transforms} + "}", tests::Named{{"a", one.input}}) ==
              one.output);
    }
}

TEST_CASE("no transform is without a case, a description and a usage") {
    for (const auto& info : audit::language::transforms()) {
        INFO(info.name);
        bool used = false;
        for (const Case& one : cases) {
            const std::string chain = "|" + std::string{one.transforms};
            const std::size_t at = chain.find("|" + std::string{info.name});
            if (at == std::string::npos) continue;
            const std::size_t end = at + 1 + info.name.size();
            used = used || end == chain.size() || chain[end] == '(' || chain[end] == '|';
        }
        CHECK(used);
        CHECK(info.description.ends_with('.'));
        CHECK(info.apply != nullptr);
        CHECK(audit::language::find_transform(info.name) == &info);
    }
}

TEST_CASE("what is no UTF-8 is refused where characters are changed, and passed on where not") {
    const std::string broken = "Ab\xff";
    for (const char* transform :
         {"lower", "upper", "fold", "nfc", "lower_simple", "sha1(utf16le)|hex"}) {
        INFO(transform);
        REQUIRE(made("{a|" + std::string{transform} + "}", broken) == "!key_characters");
    }
    REQUIRE(made("{a|lower_ascii}", broken) == "ab\xff");
    REQUIRE(made("{a|trim}", broken) == "Ab\xff");
    REQUIRE(made("{a|truncate(2)|hex}", broken) == "4162");
    REQUIRE(made("x{a}", broken) == "xAb\xff");
}

TEST_CASE("a transform that can be inverted gives back what it was given") {
    const std::vector<std::pair<const char*, std::vector<Value>>> chains{
        {"base64", {text("???@a"), text(""), Value::binary("\xff\x01")}},
        {"base64_bare", {text("ab"), text("abc")}},
        {"base64url", {text("???@a")}},
        {"base64url_bare", {text("???@a")}},
        {"from_base64", {text("YWI=")}},
        {"from_base64url", {text("Pz8_QGE")}},
        {"hex", {text("az\u00e9"), Value::binary("\xff\xfe")}},
        {"hex_upper", {text("az\u00e9")}},
        {"from_hex", {text("617a"), text("ff00")}},
        {"from_hex_upper", {text("617A")}},
        {"url_escape", {text("a b/\u00e9%"), text("")}},
        {"url_escape('!')", {text("a b!")}},
        {"url_unescape", {text("a%20b")}},
        {"plus(7)", {number("1"), number("-8"), number("0")}},
        {"minus(7)", {number("1")}},
        {"max_minus(100)", {number("1"), number("101")}},
        {"pad(4)", {number("0"), number("7"), number("12345")}},
        {"big_endian(8)", {number("0"), number("18446744073709551615")}},
        {"big_endian_signed(8)", {number("-9223372036854775808"), number("9223372036854775807")}},
        {"big_endian_signed(16)", {number("-5"), number("5")}},
        {"little_endian(3)", {number("66051")}},
        {"from_big_endian(2)", {Value::binary("\x01\x02"), Value::binary(std::string(2, '\0'))}},
        {"from_little_endian(2)", {Value::binary("\x01\x02")}},
        {"big_endian(8)|complement|hex", {number("1700000000")}},
        {"max_minus(9999999999)|pad(10)", {number("1700000000")}},
        {"from_seconds|iso(7)", {number("1700000000"), number("-1")}},
        {"from_milliseconds", {number("1700000000001")}},
        {"from_microseconds", {number("1")}},
        {"to_ticks", {Value::date_time(moment)}},
        {"map('a','1','b','2')", {text("a"), text("b")}},
        {"text", {text("a")}},
        {"vitess_hash|hex", {number("1"), number("0"), number("18446744073709551615")}},
        {"after('app:')", {text("app:7"), text("app:"), text("app:app:")}},
    };
    std::set<std::string_view> inverted;
    for (const auto& [chain, values] : chains) {
        audit::language::Faults faults;
        const auto parsed =
            audit::language::parse_template("{a|" + std::string{chain} + "}", faults);
        REQUIRE(parsed);
        for (const auto& call : parsed->parts[0].operand->transforms) {
            inverted.insert(call.info->name);
        }
        store::Projection projection;
        audit::language::RowBinder binder{projection, 0};
        const audit::language::BoundTemplate bound{*parsed, {}, binder};
        for (const Value& value : values) {
            INFO(chain << " of " << tests::word(value.view()));
            audit::Scratch scratch;
            const std::vector<store::ValueView> slots{value.view()};
            store::ValueView out;
            REQUIRE(bound.evaluate({slots, scratch}, out));
            Solution solution;
            REQUIRE(audit::language::invert_template(*parsed, out, {}, scratch, solution));
            REQUIRE(solution.at("a") == value);
        }
    }
    for (const auto& info : audit::language::transforms()) {
        INFO(info.name);
        CHECK((info.invert != nullptr) == inverted.contains(info.name));
    }
}

TEST_CASE("an inversion refuses what the transform never gives") {
    const auto refuses = [](const char* chain, const Value& value) {
        audit::language::Faults faults;
        const auto parsed =
            audit::language::parse_template("{a|" + std::string{chain} + "}", faults);
        audit::Scratch scratch;
        Solution solution;
        return !audit::language::invert_template(*parsed, value, {}, scratch, solution) &&
               solution.empty();
    };
    REQUIRE(refuses("hex", text("6A")));
    REQUIRE(refuses("hex", text("abc")));
    REQUIRE(refuses("hex", number("61")));
    REQUIRE(refuses("base64", text("YWI")));
    REQUIRE(refuses("url_escape", text("%41")));
    REQUIRE(refuses("url_escape", text("a b")));
    REQUIRE(refuses("url_escape", text("%4")));
    REQUIRE(refuses("url_escape", text("%2f")));
    REQUIRE(refuses("pad(4)", text("42")));
    REQUIRE(refuses("pad(4)", text("004x")));
    REQUIRE(refuses("pad(4)", text("00042")));
    REQUIRE(refuses("big_endian(2)", Value::binary("\x01")));
    REQUIRE(refuses("big_endian(16)", Value::binary(std::string(16, '\xff'))));
    REQUIRE(refuses("plus(1)", text("2")));
    REQUIRE(refuses("map('a','1','b','1')", text("1")));
    REQUIRE(refuses("map('a','1','other')", text("1")));
    REQUIRE(refuses("lower", text("a")));
    REQUIRE(refuses("iso(3)", text("2026-11-29T22:10:58.920Z")));
}

TEST_CASE("any bytes through any transform neither crash nor change what they are a view of") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random{seed};
    const auto random_value = [&] {
        std::string bytes(random() % 24, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random());
        const auto kind = static_cast<store::Kind>(random() % 16);
        return Value{kind, bytes};
    };
    for (const Case& one : cases) {
        for (int round = 0; round < 40; ++round) {
            const Value value = random_value();
            const Value before = value;
            made("x{a|" + std::string{one.transforms} + "}y", tests::Named{{"a", value}});
            made("{a|" + std::string{one.transforms} + "}", tests::Named{{"a", value}});
            REQUIRE(value == before);
        }
    }
}

TEST_CASE("every day of four centuries has its date") {
    // The plainest calendar there is: day after day.
    int year = 1;
    int month = 1;
    int day = 1;
    const auto days_in = [&] {
        constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return days[month - 1] + (month == 2 && leap ? 1 : 0);
    };
    for (std::int64_t number = 0; number < 146'097; ++number) {
        std::string made;
        REQUIRE(audit::language::append_time(made, number * 864'000'000'000, "%Y%m%d", "UTC"));
        char expected[32];
        std::snprintf(expected, sizeof expected, "%04d%02d%02d", year, month, day);
        if (made != expected) REQUIRE(made == expected);
        if (++day > days_in()) {
            day = 1;
            if (++month > 12) {
                month = 1;
                ++year;
            }
        }
    }
}
