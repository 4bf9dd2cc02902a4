// The three shapes of a row (store/json/FORMATS.md). Promised: every type survives the way there
// and back in every shape that can say it, what a shape cannot say is refused by name, and reading
// agrees with an independent JSON parser on what is JSON. Method: lines written out next to their
// values; random rows and random damage, with the seed printed.

#include <catch2/catch.hpp>

#include <limits>
#include <random>

#include <nlohmann/json.hpp>

#include "json_lines.hpp"
#include "json_random_value.hpp"
#include "store/error.hpp"
#include "store/json/row_writer.hpp"
#include "store/json/scalar_text.hpp"

using namespace idxfsck::store;

namespace {

using Attributes = std::vector<NamedValue>;

const double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::int64_t ticks(const char* text) { return *date_time_from_text(text); }

struct Example {
    Bytes line;
    Attributes attributes;
};

// Reads each line, and checks that writing gives it again.
void check_both_ways(Shape shape, const std::vector<Example>& examples) {
    for (const Example& example : examples) {
        INFO(example.line);
        const ParsedLine parsed = parse_line(shape, example.line);
        INFO((parsed.problem ? parsed.problem->cause : ""));
        REQUIRE_FALSE(parsed.problem);
        CHECK(parsed.attributes == example.attributes);
        CHECK(write_line(shape, example.attributes) == example.line);
    }
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

Value read_one(Shape shape, const char* line) {
    const ParsedLine parsed = parse_line(shape, line);
    INFO(line << ": " << (parsed.problem ? parsed.problem->cause : ""));
    REQUIRE_FALSE(parsed.problem);
    REQUIRE(parsed.attributes.size() == 1);
    return parsed.attributes[0].value;
}

}  // namespace

TEST_CASE("plain: JSON types are themselves, and numbers keep their spelling") {
    const Value one = Value::number("1");
    check_both_ways(
        Shape::plain,
        {{"{}", {}},
         {R"({"":"","a":"é\"\n","b":null,"c":true,"d":false})",
          {{"", Value::text("")},
           {"a", Value::text("é\"\n")},
           {"b", Value::null()},
           {"c", Value::boolean(true)},
           {"d", Value::boolean(false)}}},
         {R"({"a":1.0,"b":-0,"c":1e+5,"d":12345678901234567890123456789012345678.9,"e":1E400})",
          {{"a", Value::number("1.0")},
           {"b", Value::number("-0")},
           {"c", Value::number("1e+5")},
           {"d", Value::number("12345678901234567890123456789012345678.9")},
           {"e", Value::number("1E400")}}},
         {R"({"a":[1,[],{"b":[null]}],"m":{"$a":1,"b":{}}})",
          {{"a", Value::list({one, Value::list({}),
                              Value::map({{"b", Value::list({Value::null()})}})})},
           {"m", Value::map({{"$a", one}, {"b", Value::map({})}})}}},
         {R"({"$guid":1,"m":{"$map":{"$guid":1}}})",
          {{"$guid", one}, {"m", Value::map({{"$guid", one}})}}}});
}

TEST_CASE("plain: types that JSON lacks are wrapped") {
    check_both_ways(
        Shape::plain,
        {{R"({"a":{"$int32":-2147483648},"b":{"$int64":"9223372036854775807"}})",
          {{"a", Value::int32(std::numeric_limits<std::int32_t>::min())},
           {"b", Value::int64(std::numeric_limits<std::int64_t>::max())}}},
         {R"({"a":{"$real":"0.1"},"b":{"$real":"NaN"},"c":{"$real":"-Infinity"}})",
          {{"a", Value::real(0.1)}, {"b", Value::real(not_a_number)},
           {"c", Value::real(-infinity)}}},
         {R"({"a":{"$number":"007"},"b":{"$text":"/w=="},"c":{"$binary":""}})",
          {{"a", Value::number("007")}, {"b", Value::text("\xff")}, {"c", Value::binary("")}}},
         {R"({"a":{"$date_time":"2026-11-29T22:10:58.9202938Z"}})",
          {{"a", Value::date_time(ticks("2026-11-29T22:10:58.9202938Z"))}}},
         {R"({"a":{"$guid":"30313233-3435-3637-3839-616263646566"}})",
          {{"a", Value::guid("0123456789abcdef")}}},
         {R"({"a":{"$text_set":["x","y",{"$text":"/w=="}]},"b":{"$number_set":["1","2.0"]}})",
          {{"a", Value::set(Kind::text_set, {"x", "y", "\xff"})},
           {"b", Value::set(Kind::number_set, {"1", "2.0"})}}},
         {R"({"a":{"$binary_set":["YQ=="]},"b":{"$members":[[{"$text":"/w=="},1.0]]}})",
          {{"a", Value::set(Kind::binary_set, {"a"})},
           {"b", Value::map({{"\xff", Value::number("1.0")}})}}},
         {R"({"a":{"$raw":{"kind":"int32","payload":"AAA="}}})",
          {{"a", Value{Kind::int32, Bytes(2, '\0')}}}}});
    CHECK(read_one(Shape::plain, R"({"a":{"\u0024binary":"YQ=="}})") == Value::binary("a"));
}

TEST_CASE("dynamodb: every type, with and without Item") {
    const Value one = Value::number("1");
    const std::vector<Example> examples{
        {R"({"Item":{}})", {}},
        {R"({"Item":{"b":{"B":"AAH/"},"n":{"N":"-1.50E+3"},"s":{"S":""}}})",
         {{"b", Value::binary(Bytes{"\0\x01\xff", 3})},
          {"n", Value::number("-1.50E+3")},
          {"s", Value::text("")}}},
        {R"({"Item":{"f":{"BOOL":false},"t":{"BOOL":true},"u":{"NULL":true}}})",
         {{"f", Value::boolean(false)}, {"t", Value::boolean(true)}, {"u", Value::null()}}},
        {R"({"Item":{"l":{"L":[{"N":"1"},{"L":[]}]},"m":{"M":{"M":{"M":{}},"S":{"S":"x"}}}}})",
         {{"l", Value::list({one, Value::list({})})},
          {"m", Value::map({{"M", Value::map({})}, {"S", Value::text("x")}})}}},
        {R"({"Item":{"b":{"BS":["","YQ=="]},"n":{"NS":["1","1.0"]},"s":{"SS":["a","b"]}}})",
         {{"b", Value::set(Kind::binary_set, {"", "a"})},
          {"n", Value::set(Kind::number_set, {"1", "1.0"})},
          {"s", Value::set(Kind::text_set, {"a", "b"})}}},
    };
    check_both_ways(Shape::dynamodb, examples);
    for (const Example& example : examples) {
        const Bytes bare = example.line.substr(8, example.line.size() - 9);
        INFO(bare);
        CHECK(parse_line(Shape::dynamodb, bare).attributes == example.attributes);
    }
    CHECK(read_one(Shape::dynamodb, R"({"Item":{"S":"x"}})") == Value::text("x"));
    const ParsedLine both =
        parse_line(Shape::dynamodb, R"({"Item":{"S":"x"},"pk":{"S":"y"}})");
    CHECK(both.attributes == Attributes{{"Item", Value::text("x")}, {"pk", Value::text("y")}});
}

TEST_CASE("azure: every type, annotated where it does not show") {
    check_both_ways(
        Shape::azure,
        {{R"({"PartitionKey":"p","RowKey":"","b":true,"i":-7,"n":null,"odata.etag":"W/\"x\""})",
          {{"PartitionKey", Value::text("p")},
           {"RowKey", Value::text("")},
           {"b", Value::boolean(true)},
           {"i", Value::int32(-7)},
           {"n", Value::null()},
           {"odata.etag", Value::text("W/\"x\"")}}},
         {R"({"a":1.0,"b":-0.0,"c":0.1,"d":1e+22})",
          {{"a", Value::real(1)}, {"b", Value::real(-0.0)}, {"c", Value::real(0.1)},
           {"d", Value::real(1e22)}}},
         {R"({"a@odata.type":"Edm.Double","a":"NaN","b@odata.type":"Edm.Double","b":"Infinity"})",
          {{"a", Value::real(not_a_number)}, {"b", Value::real(infinity)}}},
         {R"({"a@odata.type":"Edm.Int64","a":"-9223372036854775808"})",
          {{"a", Value::int64(std::numeric_limits<std::int64_t>::min())}}},
         {R"({"a@odata.type":"Edm.Guid","a":"30313233-3435-3637-3839-616263646566"})",
          {{"a", Value::guid("0123456789abcdef")}}},
         {R"({"a@odata.type":"Edm.Binary","a":"AAH/"})",
          {{"a", Value::binary(Bytes{"\0\x01\xff", 3})}}},
         {R"({"Timestamp":"2026-11-29T22:10:58.9200000Z"})",
          {{"Timestamp", Value::date_time(ticks("2026-11-29T22:10:58.92Z"))}}},
         {R"({"Timestamp@odata.type":"Edm.String","Timestamp":"soon"})",
          {{"Timestamp", Value::text("soon")}}},
         {R"({"a@odata.type":"Edm.DateTime","a":"2026-11-30T22:11:02.442Z"})",
          {{"a", Value::date_time(ticks("2026-11-30T22:11:02.442Z"))}}},
         {R"({"a@odata.type":"Edm.DateTime","a":"2026-11-30T22:11:02.4420001Z"})",
          {{"a", Value::date_time(ticks("2026-11-30T22:11:02.442Z") + 1)}}}});
}

TEST_CASE("azure: annotations before or after, and numbers in other spellings, read the same") {
    CHECK(read_one(Shape::azure, R"({"a":"5","a@odata.type":"Edm.Int64"})") == Value::int64(5));
    CHECK(read_one(Shape::azure, R"({"a":5,"a@odata.type":"Edm.Int64"})") == Value::int64(5));
    CHECK(read_one(Shape::azure, R"({"a":5,"a@odata.type":"Edm.Int32"})") == Value::int32(5));
    CHECK(read_one(Shape::azure, R"({"a":5,"a@odata.type":"Edm.Double"})") == Value::real(5));
    CHECK(read_one(Shape::azure, R"({"a":2147483648})") == Value::int64(2147483648));
    CHECK(read_one(Shape::azure, R"({"a":1e2})") == Value::real(100));
    CHECK(read_one(Shape::azure, R"({"a":"x","a@odata.type":"Edm.String"})") == Value::text("x"));
    CHECK(read_one(Shape::azure, R"({"a":true,"a@odata.type":"Edm.Boolean"})") ==
          Value::boolean(true));
    CHECK(read_one(Shape::azure, R"({"a":null,"a@odata.type":"Edm.Guid"})") == Value::null());
}

TEST_CASE("endless nesting is refused, whatever it is made of") {
    constexpr int levels = 20'000;
    for (const BytesView opening :
         {"[", "{\"a\":", "{\"$text_set\":[", "{\"$members\":[[\"a\",", "{\"$map\":{\"a\":",
          "{\"L\":[", "{\"M\":{\"a\":", "{\"SS\":[", "{\"$raw\":"}) {
        Bytes line = "{\"x\":";
        for (int level = 0; level < levels; ++level) line.append(opening);
        Bytes closed = line + "1";
        for (int level = 0; level < levels; ++level) {
            for (std::size_t index = opening.size(); index-- > 0;) {
                if (opening[index] == '{') closed.push_back('}');
                if (opening[index] == '[') closed.push_back(']');
            }
        }
        closed.push_back('}');
        for (const Shape shape : {Shape::plain, Shape::dynamodb, Shape::azure}) {
            INFO(shape_name(shape) << " " << opening);
            CHECK(parse_line(shape, closed).problem);
        }
    }
}

TEST_CASE("what a shape cannot say is refused, with row, attribute and kind") {
    const auto refusal = [](Shape shape, const Value& value) {
        const std::vector<Bytes> key_names{"id"};
        const Value id = Value::text("user/7");
        const ValueView key[] = {id};
        Bytes out = "before";
        try {
            RowWriter{shape, key_names}.append(out, key, encode_attributes({{"x", value}}));
        } catch (const Error& error) {
            CHECK(out == "before");
            return std::string{error.what()};
        }
        return std::string{};
    };
    const std::string start = "a row cannot be written in this shape: shape=";
    CHECK(refusal(Shape::dynamodb, Value::guid("0123456789abcdef")) ==
          start + "dynamodb key=[\"user/7\"] attribute=x kind=guid "
                  "cause=the shape has no such type");
    CHECK(refusal(Shape::azure, Value::list({})) ==
          start + "azure key=[\"user/7\"] attribute=x kind=list cause=the shape has no such type");
    for (const Value& value : {Value::int32(1), Value::int64(1), Value::real(1),
                               Value::date_time(1), Value::text("\xff"),
                               Value::list({Value::int32(1)}),
                               Value::map({{"\xff", Value::null()}}), Value::number("x"),
                               Value{Kind::list, "\x01"}}) {
        CHECK_FALSE(refusal(Shape::dynamodb, value).empty());
    }
    for (const Value& value : {Value::number("1"), Value::map({}), Value::text("\xff"),
                               Value::set(Kind::text_set, {"a"}), Value{Kind::int32, "1"},
                               Value::date_time(-1)}) {
        CHECK_FALSE(refusal(Shape::azure, value).empty());
    }
    CHECK_THROWS_AS(write_line(Shape::azure, {{"a@odata.type", Value::text("Edm.Guid")}}), Error);
    CHECK_THROWS_AS(write_line(Shape::plain, {{"\xff", Value::null()}}), Error);
}

TEST_CASE("random rows come back from every shape that takes them") {
    const std::uint64_t seed = std::random_device{}();
    CAPTURE(seed);
    RandomValue random{seed};
    for (const Shape shape : {Shape::plain, Shape::dynamodb, Shape::azure}) {
        std::size_t written = 0;
        for (int round = 0; round < 10'000; ++round) {
            Attributes attributes;
            for (std::size_t count = random.below(4); count > 0; --count) {
                const bool damaged = shape == Shape::plain && random.below(8) == 0;
                const Value value = damaged ? random.damaged() : random.value();
                if (value.view().present()) attributes.push_back({random.utf8(), value});
            }
            attributes = decode_attributes(encode_attributes(attributes));
            Bytes line;
            try {
                line = write_line(shape, attributes);
            } catch (const Error&) {
                REQUIRE(shape != Shape::plain);
                continue;
            }
            ++written;
            const ParsedLine parsed = parse_line(shape, line);
            if (parsed.problem || parsed.attributes != attributes) {
                CAPTURE(shape_name(shape), line);
                FAIL((parsed.problem ? parsed.problem->cause : "other values"));
            }
        }
        CHECK(written > 1'000);
    }
}

TEST_CASE("a damaged line is read exactly if it is JSON, and never crashes") {
    const std::uint64_t seed = std::random_device{}();
    CAPTURE(seed);
    RandomValue random{seed};
    std::size_t read = 0;
    for (int round = 0; round < 10'000; ++round) {
        Bytes line = write_line(Shape::plain,
                                {{"a", random.value()}, {random.utf8(), random.value()}});
        for (std::size_t count = 1 + random.below(2); count > 0; --count) {
            const std::size_t place = random.below(line.size());
            constexpr std::string_view bytes = "{}[]\",:\\0-1e.tn \xff\x01";
            switch (random.below(3)) {
                case 0: line[place] = bytes[random.below(bytes.size())]; break;
                case 1: line.erase(place, 1 + random.below(4)); break;
                default: line.insert(place, 1, bytes[random.below(bytes.size())]);
            }
            if (line.empty()) line = "{";
        }
        for (const Shape shape : {Shape::automatic, Shape::plain, Shape::dynamodb, Shape::azure}) {
            const ParsedLine parsed = parse_line(shape, line);
            read += parsed.problem ? 0 : 1;
            // The other parser checks the range of numbers too, which is not a matter of JSON.
            if (line.find_first_of("eE") != Bytes::npos) continue;
            const std::string_view cause = parsed.problem ? parsed.problem->cause : "";
            const bool refused = cause == "bad JSON" || contains(cause, "the line ends") ||
                                 contains(cause, "that are not UTF-8");
            const bool json = nlohmann::json::accept(line);
            CAPTURE(line, json);
            if (json ? refused : !parsed.problem) FAIL("the parsers disagree on what is JSON");
        }
    }
    CHECK(read > 100);
}
