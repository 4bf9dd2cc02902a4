// Values as JSON and back (store/json/value_json.hpp). Promised: from(to(x)) == x for every value,
// damaged ones included; reading refuses, with a reason, what writing never gives, and does not
// throw. Method: the forms written out; then random values, whose seed is printed; then random
// damage to documents.

#include <catch2/catch.hpp>

#include <limits>
#include <random>

#include "json_random_value.hpp"
#include "store/json/value_json.hpp"

using namespace idxfsck::store;

namespace {

std::string text_of(const Value& value) { return value_to_json(value).dump(); }

std::string why_not(const char* text) {
    const Decoded<Value> value = value_from_json(Json::parse(text));
    REQUIRE_FALSE(value);
    return std::string{value.why_not};
}

Value nested_lists(std::size_t depth) {
    Value value = Value::null();
    for (std::size_t level = 0; level < depth; ++level) value = Value::list({value});
    return value;
}

// `count` times `opening`, closed again.
Json nested_json(const std::string& opening, int count) {
    std::string closing;
    for (const char character : opening) {
        if (character == '{') closing.insert(0, 1, '}');
        if (character == '[') closing.insert(0, 1, ']');
    }
    std::string text;
    for (int level = 0; level < count; ++level) text.append(opening);
    text.append("1");
    for (int level = 0; level < count; ++level) text.append(closing);
    return Json::parse(text);
}

struct Form {
    Value value;
    std::string text;
};

std::vector<Form> scalar_forms() {
    const double infinity = std::numeric_limits<double>::infinity();
    return {
        {Value{}, R"({"$absent":true})"},
        {Value::null(), "null"},
        {Value::boolean(true), "true"},
        {Value::boolean(false), "false"},
        {Value::text("Ann \"A\" é"), R"("Ann \"A\" é")"},
        {Value::text(""), R"("")"},
        {Value::text("\xff"), R"({"$text":"/w=="})"},
        {Value::number("12"), "12"},
        {Value::number("-9007199254740992"), "-9007199254740992"},
        {Value::number("9007199254740992"), "9007199254740992"},
        {Value::number("9007199254740993"), R"({"$number":"9007199254740993"})"},
        {Value::number("-0"), R"({"$number":"-0"})"},
        {Value::number("007"), R"({"$number":"007"})"},
        {Value::number("1.0"), R"({"$number":"1.0"})"},
        {Value::number("1e0"), R"({"$number":"1e0"})"},
        {Value::number("12345678901234567890123456789012345678"),
         R"({"$number":"12345678901234567890123456789012345678"})"},
        {Value::int32(-7), R"({"$int32":-7})"},
        {Value::int64(std::numeric_limits<std::int64_t>::min()),
         R"({"$int64":"-9223372036854775808"})"},
        {Value::real(0.1), R"({"$real":"0.1"})"},
        {Value::real(-0.0), R"({"$real":"-0"})"},
        {Value::real(5e-324), R"({"$real":"5e-324"})"},
        {Value::real(infinity), R"({"$real":"Infinity"})"},
        {Value::real(-infinity), R"({"$real":"-Infinity"})"},
        {Value::real(std::numeric_limits<double>::quiet_NaN()), R"({"$real":"NaN"})"},
        {Value::binary(Bytes{"\0\x01\xff", 3}), R"({"$binary":"AAH/"})"},
        {Value::date_time(0), R"({"$date_time":"0001-01-01T00:00:00.0000000Z"})"},
        {Value::date_time(639'000'000'000'000'001),
         R"({"$date_time":"2025-11-29T08:00:00.0000001Z"})"},
        {Value::guid("0123456789abcdef"), R"({"$guid":"30313233-3435-3637-3839-616263646566"})"},
    };
}

std::vector<Form> container_forms() {
    const Value one = Value::number("1");
    return {
        {Value::list({}), "[]"},
        {Value::list({one, Value::text("a"), Value::list({})}), R"([1,"a",[]])"},
        {Value::map({}), "{}"},
        {Value::map({{"b", one}, {"a", Value::null()}}), R"({"a":null,"b":1})"},
        {Value::map({{"$guid", one}}), R"({"$map":{"$guid":1}})"},
        {Value::map({{"$map", one}}), R"({"$map":{"$map":1}})"},
        {Value::map({{"$a", one}, {"$b", one}}), R"({"$a":1,"$b":1})"},
        {Value::map({{"\xff", one}}), R"({"$members":[[{"$text":"/w=="},1]]})"},
        {Value::set(Kind::text_set, {"b", "a"}), R"({"$text_set":["a","b"]})"},
        {Value::set(Kind::number_set, {"10", "9"}), R"({"$number_set":["10","9"]})"},
        {Value::set(Kind::binary_set, {"a", ""}), R"({"$binary_set":["","YQ=="]})"},
    };
}

}  // namespace

TEST_CASE("each kind of value has one JSON form, and comes back from it") {
    for (const std::vector<Form>& forms : {scalar_forms(), container_forms()}) {
        for (const Form& form : forms) {
            INFO(form.text);
            CHECK(text_of(form.value) == form.text);
            const Decoded<Value> back = value_from_json(Json::parse(form.text));
            INFO(back.why_not);
            REQUIRE(back);
            CHECK(*back == form.value);
        }
    }
}

TEST_CASE("random values come back, damaged ones too") {
    const std::uint64_t seed = std::random_device{}();
    CAPTURE(seed);
    RandomValue random{seed};
    for (int round = 0; round < 5'000; ++round) {
        const Value value = round % 4 == 0 ? random.damaged() : random.value();
        const std::string text = text_of(value);
        const Decoded<Value> back = value_from_json(Json::parse(text));
        if (!back || *back != value) {
            CAPTURE(round, text, back.why_not);
            FAIL("the value did not come back");
        }
    }
}

TEST_CASE("values nested deeper than the limit are written raw and refused when read") {
    const Value deepest = nested_lists(value_depth_max);
    CHECK(text_of(deepest).find("$raw") == std::string::npos);
    CHECK(*value_from_json(value_to_json(deepest)) == deepest);

    const Value deeper = nested_lists(value_depth_max + 1);
    CHECK(text_of(deeper).find("$raw") != std::string::npos);
    CHECK(*value_from_json(value_to_json(deeper)) == deeper);

    const std::string brackets(value_depth_max + 1, '[');
    const std::string text = brackets + std::string(brackets.size(), ']');
    CHECK(why_not(text.c_str()) == "containers nested too deep");

    for (const char* opening : {R"({"$text_set":[)", R"({"$members":[["a",)", R"({"$map":{"a":)"}) {
        CHECK_FALSE(value_from_json(nested_json(opening, 20'000)));
    }

    CHECK(*value_from_json(value_to_json(nested_lists(20'000))) == nested_lists(20'000));
}

TEST_CASE("what writing never gives is refused with a reason") {
    CHECK(why_not("1.5").find("must be written as") != std::string::npos);
    CHECK(why_not(R"({"$nothing":1})") == "unknown wrapper");
    CHECK(why_not(R"({"$guid":1})").find("something else") != std::string::npos);
    CHECK(why_not(R"({"$guid":"30313233-3435-3637-3839-61626364656"})") == "not a guid");
    CHECK(why_not(R"({"$guid":"30313233-3435-3637-3839-61626364656g"})") == "not a guid");
    CHECK(why_not(R"({"$int32":2147483648})") == "not a 32-bit integer");
    CHECK(why_not(R"({"$int64":"9223372036854775808"})") == "not a 64-bit integer");
    CHECK(why_not(R"({"$int64":"+1"})") == "not a 64-bit integer");
    CHECK(why_not(R"({"$real":"inf"})").find("floating-point") != std::string::npos);
    CHECK(why_not(R"({"$real":"1e999"})").find("floating-point") != std::string::npos);
    CHECK(why_not(R"({"$number":"1."})") == "bad number");
    CHECK(why_not(R"({"$number":"0x1"})") == "bad number");
    CHECK(why_not(R"({"$number":"1e1234567890"})") == "bad number");
    CHECK(why_not(R"({"$binary":"AAA"})") == "bad base64");
    CHECK(why_not(R"({"$binary":"AAB="})") == "bad base64");
    CHECK(why_not(R"({"$date_time":"2026-02-29T00:00:00Z"})").find("not a date") == 0);
    CHECK(why_not(R"({"$text_set":["a","a"]})") == "a set that holds an element twice");
    CHECK(why_not(R"({"$text_set":[1]})").find("something else") != std::string::npos);
    CHECK(why_not(R"({"$members":[["a",1],["a",2]]})") == "duplicate member");
    CHECK(why_not(R"({"$raw":{"kind":"no","payload":""}})") == "unknown kind of value");
    CHECK(why_not(R"([{"$absent":true}])") == "absent inside a container");
}

TEST_CASE("random damage to a document is refused or read, and never crashes") {
    const std::uint64_t seed = std::random_device{}();
    CAPTURE(seed);
    RandomValue random{seed};
    std::size_t read = 0;
    for (int round = 0; round < 5'000; ++round) {
        std::string text = text_of(random.value());
        text[random.below(text.size())] = static_cast<char>(32 + random.below(96));
        const Json json = Json::parse(text, nullptr, false);
        if (json.is_discarded()) continue;
        const Decoded<Value> value = value_from_json(json);
        CHECK(bool{value} == value.why_not.empty());
        read += value ? 1 : 0;
    }
    CHECK(read > 0);
}

TEST_CASE("keys and rows come back") {
    const Key key{Value::text("user/7"), Value::null(), Value::text(""), Value{}};
    CHECK(key_to_json(key).dump() == R"(["user/7",null,"",{"$absent":true}])");
    CHECK(*key_from_json(key_to_json(key)) == key);

    const Value one = Value::map({{"$odd", Value::number("1")}});
    for (const Bytes& attributes : {Bytes{}, one.payload, Bytes{"\x05no"}}) {
        const Row row{key, attributes, Bytes{"\0\xab", 2}};
        const Decoded<Row> back = row_from_json(row_to_json(row));
        REQUIRE(back);
        CHECK(*back == row);
    }
    CHECK(row_to_json({{Value::text("k")}, {}, "\x01"}).dump() ==
          R"({"key":["k"],"attributes":{},"version":"01"})");
    CHECK_FALSE(row_from_json(Json::parse(R"({"key":[],"attributes":{}})")));
    CHECK_FALSE(row_from_json(Json::parse(R"({"key":[],"attributes":[],"version":""})")));
    CHECK_FALSE(row_from_json(Json::parse(R"({"key":1,"attributes":{},"version":""})")));
    CHECK_FALSE(row_from_json(Json::parse(R"({"key":[],"attributes":{},"version":"0"})")));
    CHECK_FALSE(key_from_json(Json::parse(R"({"a":1})")));
}
