// Promised: a line that matches the pattern of earlier ones has the values that the parser gives,
// and a line that the parser refuses never matches.
// Method: lines written out, and random lines made of the pieces from which damage is made, each
// read both ways.

#include <catch2/catch.hpp>

#include <random>

#include "json_lines.hpp"
#include "store/json/line_pattern.hpp"

using namespace idxfsck::store;

namespace {

const std::vector<Bytes> names{"id", "email", "age", "on", "gone", "a\xc3\xa9"};

// A pattern and the parser that teaches it.
class Reader {
public:
    explicit Reader(Shape shape)
        : parser_{shape}, pattern_{shape, [](BytesView name) {
              for (std::size_t place = 0; place < names.size(); ++place) {
                  if (names[place] == name) return place;
              }
              return LinePattern::no_place;
          }} {}

    // Does the line match, with the values of the parser? Then the pattern learns it.
    bool read(const Bytes& line) {
        CAPTURE(line);
        Bytes text = line + "\n";
        const std::size_t size = text.size();
        text.append(line_padding, '"');
        const BytesView seen{text.data(), size};
        std::vector<ValueView> values(names.size());
        const std::size_t matched = pattern_.match(seen, values);
        const bool parsed = !parser_.parse(seen.substr(0, size - 1));
        if (matched > 0) {
            REQUIRE(matched == size);
            REQUIRE(parsed);
            std::vector<ValueView> expected(names.size());
            for (const ParsedAttribute& attribute : parser_.attributes()) {
                for (std::size_t place = 0; place < names.size(); ++place) {
                    if (names[place] == attribute.name) expected[place] = attribute.value;
                }
            }
            REQUIRE(values == expected);
        }
        if (parsed) pattern_.learn(seen, parser_.attributes());
        return matched > 0;
    }

private:
    RowParser parser_;
    LinePattern pattern_;
};

}  // namespace

TEST_CASE("a line like an earlier one is read by its pattern") {
    Reader typed{Shape::dynamodb};
    CHECK_FALSE(typed.read(R"({"Item":{"id":{"S":"u1"},"age":{"N":"41"},"on":{"BOOL":true}}})"));
    CHECK(typed.read(R"({"Item":{"id":{"S":""},"age":{"N":"-1.5e3"},"on":{"BOOL":true}}})"));
    CHECK(typed.read("{\"Item\":{\"id\":{\"S\":\"\xc3\xa9 longer than sixteen bytes\"},"
                     "\"age\":{\"N\":\"1\"},\"on\":{\"BOOL\":true}}}"));
    // Another order is another pattern; the pieces of both may then be mixed.
    CHECK_FALSE(typed.read(R"({"Item":{"age":{"N":"41"},"id":{"S":"u1"}}})"));
    CHECK(typed.read(R"({"Item":{"age":{"N":"4"},"id":{"S":"u2"}}})"));
    CHECK(typed.read(R"({"Item":{"age":{"N":"4"},"on":{"BOOL":true}}})"));

    // Containers that nobody wants to see are stepped over.
    CHECK_FALSE(typed.read(R"({"Item":{"id":{"S":"u1"},"tags":{"L":[{"S":"a"}]}}})"));
    CHECK(typed.read(R"({"Item":{"id":{"S":"u2"},"tags":{"L":[{"M":{"x":{"N":"1"}}}]}}})"));
    CHECK_FALSE(typed.read(R"({"Item":{"id":{"S":"u2"},"tags":{"L":[{"N":"x"}]}}})"));
    CHECK_FALSE(typed.read(R"({"Item":{"id":{"L":[]},"tags":{"L":[]}}})"));

    Reader plain{Shape::plain};
    CHECK_FALSE(plain.read(R"({ "id" : "u1", "age" : 41, "gone" : null, "other" : "x" })"));
    CHECK(plain.read(R"({ "id" : "u2", "age" : -0, "gone" : null, "other" : "y" })"));
}

TEST_CASE("where few values are wanted, a line is read as far as they go") {
    LinePattern pattern{Shape::plain, [](BytesView name) {
        return name == "id" ? std::size_t{0} : LinePattern::no_place;
    }};
    const auto matched = [&](Bytes line, std::size_t values_max) {
        const std::size_t size = line.size();
        line.append(line_padding, ' ');
        std::vector<ValueView> values(1);
        const std::size_t end = pattern.match({line.data(), size}, values, values_max);
        return std::pair{end, Bytes{values[0].payload}};
    };
    Bytes first = "{\"id\":\"a\",\"n\":1}\n";
    const std::size_t size = first.size();
    first.append(line_padding, ' ');
    RowParser parser{Shape::plain};
    REQUIRE_FALSE(parser.parse({first.data(), size - 1}));
    pattern.learn({first.data(), size}, parser.attributes());
    const Bytes damaged = "{\"id\":\"b\",\"n\":oops}\n";
    CHECK(matched(damaged + "{}\n", 1) == std::pair{damaged.size(), Bytes{"b"}});
    CHECK(matched(damaged, 2).first == 0);
    CHECK(matched("{\"id\":\"b\",\"n\":2", 1).first == 0);
    CHECK(matched("{\"id\":\"b\",\"n\":2}\n", 2) == std::pair{size, Bytes{"b"}});
}

TEST_CASE("a line that is no row does not match, however like one it is") {
    Reader typed{Shape::dynamodb};
    typed.read(R"({"Item":{"id":{"S":"u1"},"age":{"N":"41"}}})");
    typed.read(R"({"Item":{"age":{"N":"41"},"id":{"S":"u1"}}})");
    for (const char* line :
         {R"({"Item":{"id":{"S":"u1"},"age":{"N":"4x"}}})",
          R"({"Item":{"id":{"S":"u1"},"age":{"N":""}}})",
          R"({"Item":{"id":{"S":"u1"},"age":{"N":"1"},"id":{"S":"u1"}}})",
          R"({"Item":{"id":{"S":"u1"},"age":{"N":"41"}})", R"({"id":{"S":"u1"},"age":{"N":"41"}}})",
          "{\"Item\":{\"id\":{\"S\":\"\xe9\"},\"age\":{\"N\":\"41\"}}}",
          "{\"Item\":{\"id\":{\"S\":\"u\t1\"},\"age\":{\"N\":\"41\"}}}",
          R"({"Item":{"id":{"S":"u\q"},"age":{"N":"41"}}})", R"({"Item":{"id":{"S":"u1"}}} )"}) {
        CHECK_FALSE(typed.read(line));
    }
    // With escapes it is a row, but one for the parser.
    CHECK_FALSE(typed.read(R"({"Item":{"id":{"S":"u\n1"},"age":{"N":"41"}}})"));

    Reader bare{Shape::dynamodb};
    bare.read(R"({"id":{"S":"u1"}})");
    CHECK_FALSE(bare.read(R"({"Item":{"id":{"S":"u1"}}})"));
    CHECK_FALSE(bare.read(R"({"id":{"S":"u1"}}})"));
    CHECK(bare.read(R"({"id":{"S":"u2"}})"));

    Reader plain{Shape::plain};
    plain.read(R"({"id":"u1","age":41})");
    for (const char* line : {R"({"id":"u1","age":041})", R"({"id":"u1","age":4-1})",
                             R"({"id":"u1","age":})", R"({"id":"u1","age":1.})"}) {
        CHECK_FALSE(plain.read(line));
    }
}

TEST_CASE("lines put together at random are read by pattern as by the parser") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    const std::vector<Bytes> typed{R"({"S":"u1"})", R"({"S":""})", R"({"S":"\u0041"})",
                                   R"({"N":"1.0"})", R"({"N":"1.0e"})", R"({"BOOL":true})",
                                   R"({"BOOL":false})", R"({"NULL":true})", R"({"SS":["a","b"]})",
                                   R"({"M":{"id":{"S":"x"}}})", "{\"S\":\"\xff\"}", R"({"S":"a"})",
                                   R"({"L":[]})", R"({"L":[{"N":"1"},{"L":[{"NULL":true}]}]})",
                                   R"({"M":{"a":{"N":"x"}}})", R"({"SS":["a","a"]})",
                                   R"({"NS":["1","1.0"]})", R"({"L":[{"S":"x"},]})",
                                   R"({"M":{"a":{"S":"1"},"a":{"S":"2"}}})", R"({"M":{}})",
                                   R"({ "S" : "spaced" })", R"({"S":"}}"})"};
    const std::vector<Bytes> plain{R"("u1")", R"("")",   "1.0",  "01",   "true",  "false",
                                   "null",    R"("\n")", "[1]",  "{}",   "\"\xff\"", "-",
                                   R"("}")",  R"("\")",  "1e5 ", " \"x\""};
    // Some have a place, some do not.
    std::vector<Bytes> named = names;
    named.insert(named.begin() + 1, "unseen");
    named.push_back("tags");
    std::size_t matched = 0;
    for (const Shape shape : {Shape::dynamodb, Shape::plain}) {
        Reader reader{shape};
        const std::vector<Bytes>& values = shape == Shape::plain ? plain : typed;
        for (int round = 0; round < 4000; ++round) {
            Bytes line = "{";
            for (std::size_t count = random() % 4; count > 0; --count) {
                if (line.size() > 1) line += ',';
                line += '"' + named[random() % (round % 2 == 0 ? 2 : named.size())] + "\":";
                line += values[random() % values.size()];
            }
            line += '}';
            if (shape == Shape::dynamodb && random() % 2 == 0) line = "{\"Item\":" + line + "}";
            if (random() % 8 == 0) line[random() % line.size()] = "\"{}:,\\ xS"[random() % 9];
            if (reader.read(line)) ++matched;
        }
    }
    CHECK(matched > 100);
}
