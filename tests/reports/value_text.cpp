// Typed values as people read them; expected texts are written out.

#include <catch2/catch.hpp>

#include "reports/value_text.hpp"

#include <limits>

namespace idxfsck::reports {
namespace {

using store::Value;

TEST_CASE("each kind of value has a readable text") {
    CHECK(value_text(Value::text("ann@x.org")) == "\"ann@x.org\"");
    CHECK(value_text(Value::text("")) == "\"\"");
    CHECK(value_text(Value::null()) == "null");
    CHECK(value_text(Value{}) == "absent");
    CHECK(value_text(Value::boolean(true)) == "true");
    CHECK(value_text(Value::int32(-7)) == "-7");
    CHECK(value_text(Value::int64(std::numeric_limits<std::int64_t>::min())) ==
          "-9223372036854775808");
    CHECK(value_text(Value::number("12345678901234567890123456789012345678")) ==
          "12345678901234567890123456789012345678");
    CHECK(value_text(Value::real(0.1)) == "0.1");
    CHECK(value_text(Value::real(std::numeric_limits<double>::infinity())) == "inf");
    CHECK(value_text(Value::binary(std::string("\x00\xff", 2))) == "0x00ff");
    CHECK(value_text(Value::guid("0123456789abcdef")) == "30313233-3435-3637-3839-616263646566");
    CHECK(value_text(Value::list({Value::int32(1), Value::text("a")})) == "[1, \"a\"]");
    CHECK(value_text(Value::map({{"k", Value::null()}})) == "{\"k\": null}");
    CHECK(value_text(Value::set(store::Kind::text_set, {"b", "a"})) == "[\"a\", \"b\"]");
}

TEST_CASE("moments of seven digits keep them, on both sides of leap days") {
    struct Moment {
        std::int64_t ticks;
        const char* text;
    };
    const std::vector<Moment> moments{
        {0, "0001-01-01T00:00:00.0000000Z"},
        {621355968000000000, "1970-01-01T00:00:00.0000000Z"},
        {630873792001234567, "2000-02-29T00:00:00.1234567Z"},
        {630874656000000000, "2000-03-01T00:00:00.0000000Z"},
        {599266079999999999, "1899-12-31T23:59:59.9999999Z"},
        {3155378975999999999, "9999-12-31T23:59:59.9999999Z"},
        {-1, "date_time(-1)"},
        {3155378976000000000, "date_time(3155378976000000000)"}};
    for (const Moment& moment : moments) {
        CHECK(value_text(Value::date_time(moment.ticks)) == moment.text);
    }
}

TEST_CASE("a key of one component stands alone, others in brackets") {
    CHECK(key_text(std::vector<Value>{Value::text("u1")}) == "\"u1\"");
    CHECK(key_text(std::vector<Value>{Value::text("user"), Value::int32(7)}) == "(\"user\", 7)");
    CHECK(key_text(std::vector<Value>{}) == "()");
}

TEST_CASE("hostile values are short, on one line and harmless") {
    Value deep = Value::text("\x1b[2J\n");
    for (int depth = 0; depth < 1000; ++depth) deep = Value::list({deep});
    CHECK(value_text(deep) == "[[[[[...]]]]]");
    CHECK(value_text(Value::binary(std::string(1000, '\x1b'))).size() < 100);
    CHECK(value_text(Value::text(std::string(1 << 20, 'k'))).size() < 200);
    CHECK(value_text(Value::number(std::string(1 << 20, '1'))).size() < 200);
    CHECK(value_text(Value{store::Kind::number, "\x1b[2J"}) == "\\x1b[2J");
    CHECK(value_text(Value{store::Kind::guid, "short"}) == "0x73686f7274");
    CHECK(value_text(Value{store::Kind::list, "\xff\xff\xff"}).size() < 20);
    std::vector<Value> many(1000, Value::int32(1));
    CHECK(value_text(Value::list(many)) == "[1, 1, 1, 1, 1, 1, 1, 1, ...]");
}

}  // namespace
}  // namespace idxfsck::reports
