// Promised: conditions have three truth values, numbers compare as numbers and text as bytes, and
// absent, null and empty are three things.
// Method: one row of values, a table of conditions with their truth.

#include <catch2/catch.hpp>

#include <limits>
#include <random>

#include "audit/language/functions.hpp"
#include "tests/audit/language_templates.hpp"

using namespace idxfsck;
using store::Value;
using tests::holds;

namespace {

tests::Named row() {
    return {{"status", Value::text("open")},
            {"Name", Value::text("Ann")},
            {"empty", Value::text("")},
            {"nothing", Value::null()},
            {"one", Value::number("1.0")},
            {"int", Value::int32(7)},
            {"big", Value::number("12345678901234567890.5")},
            {"real", Value::real(0.1)},
            {"nan", Value::real(std::numeric_limits<double>::quiet_NaN())},
            {"infinite", Value::real(-std::numeric_limits<double>::infinity())},
            {"yes", Value::boolean(true)},
            {"no", Value::boolean(false)},
            {"tags", Value::list({Value::text("cat"), Value::number("5")})},
            {"bare", Value::list({})},
            {"profile", Value::map({{"mail", Value::text("a@x")}})},
            {"bytes", Value::binary("\x01\x02")},
            {"at", Value::date_time(639'315'870'589'202'938)},
            {"id", Value::guid(std::string(15, '\0') + "\x01")},
            {"odd.name", Value::text("odd")},
            {"and", Value::text("word")}};
}

struct Case {
    const char* condition;
    const char* truth;
};

const std::vector<Case> cases{
    {"status == \"open\"", "yes"},
    {"status == 'open'", "yes"},
    {"status != 'open'", "no"},
    {"'open' == status", "yes"},
    {"status == 'Open'", "no"},
    {"status|upper == 'OPEN'", "yes"},
    {"{status|upper} == 'OPEN'", "yes"},
    {"upper(status) == 'OPEN'", "yes"},
    {"replace(status, 'o', 'u') == 'upen'", "yes"},
    {"status < 'p' and status > 'o'", "yes"},
    {"status <= 'open' and status >= 'open'", "yes"},
    {"status == 1", "no"},
    {"status != 1", "yes"},
    {"status < 1", "unknown"},
    {"missed == 'x'", "unknown"},
    {"missed != 'x'", "unknown"},
    {"not missed == 'x'", "unknown"},
    {"missed == null", "unknown"},

    // Three values: the least of `and`, the greatest of `or`.
    {"missed == 1 and status == 'open'", "unknown"},
    {"missed == 1 and status == 'shut'", "no"},
    {"missed == 1 or status == 'open'", "yes"},
    {"missed == 1 or status == 'shut'", "unknown"},
    {"not (missed == 1 or status == 'open')", "no"},
    {"status == 'open' or status == 'a' and status == 'b'", "yes"},
    {"(status == 'open' or status == 'a') and status == 'b'", "no"},
    {"not status == 'a' and yes", "yes"},

    // Absent, null, empty.
    {"exists(status)", "yes"},
    {"exists(nothing)", "yes"},
    {"exists(missed)", "no"},
    {"missing(missed)", "yes"},
    {"missing(nothing)", "no"},
    {"is_null(nothing)", "yes"},
    {"is_null(missed)", "no"},
    {"nothing == null", "yes"},
    {"nothing != null", "no"},
    {"status == null", "no"},
    {"nothing == ''", "no"},
    {"nothing < 1", "unknown"},
    {"is_empty(empty)", "yes"},
    {"is_empty(bare)", "yes"},
    {"is_empty(nothing)", "no"},
    {"is_empty(missed)", "no"},
    {"is_empty(status)", "no"},
    {"has_value(status)", "yes"},
    {"has_value(empty)", "no"},
    {"has_value(nothing)", "no"},
    {"has_value(missed)", "no"},
    {"empty == ''", "yes"},
    {"missed|default('x') == 'x'", "yes"},

    // Numbers.
    {"one == 1", "yes"},
    {"one == 1e0", "yes"},
    {"one == '1'", "no"},
    {"int == 7.0", "yes"},
    {"int > 6.5 and int < 10", "yes"},
    {"int >= 7 and int <= 7", "yes"},
    {"int > one", "yes"},
    {"big > 12345678901234567890", "yes"},
    {"big == 12345678901234567890.50", "yes"},
    {"big < 1e20 and big > -1e30", "yes"},
    {"real == 0.1", "yes"},
    {"real > -5", "yes"},
    {"real < 0.11", "yes"},
    {"-3 < -2", "yes"},
    {"-3 > -20", "yes"},
    {"0.5 < 0.51", "yes"},
    {"nan == nan", "no"},
    {"nan != 1", "yes"},
    {"nan < 1", "unknown"},
    {"infinite < -1e300", "yes"},
    {"infinite == infinite", "yes"},

    // Other kinds.
    {"yes", "yes"},
    {"no", "no"},
    {"not no", "yes"},
    {"status", "unknown"},
    {"missed", "unknown"},
    {"yes == true", "yes"},
    {"yes < no", "unknown"},
    {"true", "yes"},
    {"at == '2026-11-29T22:10:58.9202938Z'", "yes"},
    {"at == '2026-11-29T23:10:58.9202938+01:00'", "yes"},
    {"at > '2026-11-29T22:10:58Z' and at < '2027-01-01T00:00:00Z'", "yes"},
    {"at == 'yesterday'", "no"},
    {"at < 'yesterday'", "unknown"},
    {"at > now()", "yes"},
    {"now() == '1970-01-01T00:00:01Z'", "yes"},
    {"id == '00000000-0000-0000-0000-000000000001'", "yes"},
    {"bytes == bytes", "yes"},
    {"bytes == status", "no"},
    {"tags == tags", "yes"},
    {"tags < tags", "unknown"},

    // Functions.
    {"status in ('shut', 'open')", "yes"},
    {"status in ('shut')", "no"},
    {"status not in ('shut', 'open')", "no"},
    {"int in (6, 7.0)", "yes"},
    {"missed in ('a')", "unknown"},
    {"status in (missed, 'open')", "yes"},
    {"status in (missed, 'shut')", "unknown"},
    {"starts_with(status, 'op')", "yes"},
    {"starts_with(status, 'pe')", "no"},
    {"starts_with(missed, 'pe')", "unknown"},
    {"starts_with(int, '7')", "yes"},
    {"starts_with(nothing, '7')", "no"},
    {"ends_with(status, 'en')", "yes"},
    {"contains(status, 'pe')", "yes"},
    {"contains(tags, 'cat')", "yes"},
    {"contains(tags, 5.0)", "yes"},
    {"contains(tags, 'dog')", "no"},
    {"contains(profile, 'mail')", "yes"},
    {"matches(status, '^[a-z]{4}$')", "yes"},
    {"matches(status, 'pe')", "yes"},
    {"matches(status, '^pe')", "no"},
    {"matches(missed, '.')", "unknown"},
    {"matches(bytes, '^..$')", "yes"},
    {"kind(tags) == 'list'", "yes"},
    {"kind(int) == 'number'", "yes"},
    {"kind(missed) == 'text'", "unknown"},
    {"int|kind in ('number', 'text')", "yes"},

    // Names and paths.
    {"profile.mail == 'a@x'", "yes"},
    {"profile.phone == 'a@x'", "unknown"},
    {"tags[0] == 'cat'", "yes"},
    {"tags[9] == 'cat'", "unknown"},
    {"status.mail == 'cat'", "unknown"},
    {"`odd.name` == 'odd'", "yes"},
    {"{\"odd.name\"} == 'odd'", "yes"},
    {"{`odd.name`} == 'odd'", "yes"},
    {"`and` == 'word'", "yes"},
    {"status == 'it''s'", "no"},
    {"status|base64|from_hex == 'x'", "unknown"},

    // What makes no sense.
    {"", "@0 expected an attribute or a value: end of text"},
    {"status = 'open'", "@7 expected a comparison: = (equality is written ==)"},
    {"status == ", "@10 expected an attribute or a value: end of text"},
    {"status == 'open", "@10 text without its closing quote: 'open "
                        "(a quote within the text is written twice)"},
    {"status == 'open' status", "@17 expected `and`, `or` or the end of the condition: status"},
    {"(status == 'open'", "@17 expected `)` after the condition: end of text"},
    {"exist(status)", "@0 unknown function: exist (did you mean `exists`?)"},
    {"starts_with(status)", "@0 wrong arguments of a function: starts_with "
                            "(write starts_with(a, 'text'))"},
    {"starts_with(status, status)", "@0 wrong arguments of a function: starts_with "
                                    "(write starts_with(a, 'text'))"},
    {"exists(status", "@13 expected `)` at the end of the list: end of text"},
    {"status|uper == 'x'", "@7 unknown transform: uper (did you mean `upper`?)"},
    {"status not ('x')", "@11 expected `in` after `not`: ("},
    {"status in 'x'", "@10 expected `(` after `in`: x"},
    {"and status", "@0 expected a condition: and "
                   "(an attribute of that name stands between `back quotes`)"},
    {"tags[x] == 1",
     "@5 expected the number of an element after `[`: x (the first element is [0])"},
    {"a. == 1", "@3 expected the name of a member after `.`: == "
                "(a name with odd characters stands between `back quotes`)"},
    {"status ~ 'x'", "@7 expected `and`, `or` or the end of the condition: ~"},
    {"@thing == 1", "@0 unknown element: @thing (one of: @item, @key, @value)"},
};

}  // namespace

TEST_CASE("conditions are true, false or unknown, as the manual says") {
    for (const Case& one : cases) {
        INFO(one.condition);
        CHECK(holds(one.condition, row()) == one.truth);
    }
}

TEST_CASE("no function of the conditions is without a case") {
    for (const auto& info : audit::language::functions()) {
        INFO(info.name);
        const bool used = std::any_of(cases.begin(), cases.end(), [&](const Case& one) {
            return std::string{one.condition}.find(std::string{info.name} + "(") !=
                   std::string::npos;
        });
        CHECK(used);
    }
}

TEST_CASE("a hostile condition is refused, not followed to its bottom") {
    const auto many = [](const std::string& piece, int times) {
        std::string all;
        for (int time = 0; time < times; ++time) all += piece;
        return all;
    };
    REQUIRE(holds(many("(", 20'000) + "yes" + many(")", 20'000), row()).find("too deeply") !=
            std::string::npos);
    REQUIRE(holds(many("not ", 15'000) + "yes", row()).find("too deeply") != std::string::npos);
    REQUIRE(holds(many("not ", 60) + "yes", row()) == "yes");
    REQUIRE(holds("yes" + many(" and yes", 7'000), row()) == "yes");
    REQUIRE(holds("yes" + many(" and yes", 70'000), row()) ==
            "@0 the condition is too long (at most 64 KiB)");
    REQUIRE(holds("a" + many(".a", 1'000) + " == 1", row()).find("too long") != std::string::npos);
    REQUIRE(holds("a" + many("|trim", 1'000) + " == 1", row()).find("too many") !=
            std::string::npos);
}

TEST_CASE("any bytes are a condition or a fault, and templates likewise") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random{seed};
    const std::vector<std::string> pieces{
        "a",  "'b'", "(",     ")", " and ", "not ", "==",   "|", "{",   "}",      "in",    "1e9",
        "@item", ".", "[0]", "trim", "\xff", "`", "\"x", ",", "exists", "now()", "-1", "\n"};
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (auto count = random() % 12; count > 0; --count) {
            text += pieces[random() % pieces.size()];
        }
        const std::string truth = holds(text, row());
        REQUIRE(!truth.empty());
        tests::made(text, "x");
    }
}
