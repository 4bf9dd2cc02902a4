// Files of rows (store/json/ndjson_reader.hpp and below). Promised: a bad line is named by file,
// line, column and cause; gzip is read as it is, and damage to it is found; memory is bounded.
// Method: a table of bad lines; files written out, compressed, cut and flipped at every byte.

#include <catch2/catch.hpp>

#include "json_lines.hpp"
#include "store/error.hpp"
#include "store/json/ndjson_reader.hpp"

using namespace idxfsck::store;

namespace {

// The rows of a file as plain lines.
std::vector<Bytes> rows_of(const std::string& file, Shape shape = Shape::plain,
                           std::size_t line_bytes_max = line_bytes_max_default) {
    NdjsonReader reader{file, shape, line_bytes_max};
    std::vector<Bytes> out;
    while (reader.next()) {
        std::vector<NamedValue> attributes;
        for (const ParsedAttribute& attribute : reader.attributes()) {
            attributes.push_back({Bytes{attribute.name}, Value{attribute.value}});
        }
        out.push_back(write_line(Shape::plain, attributes));
    }
    return out;
}

std::string error_of(const std::string& file, Shape shape = Shape::plain,
                     std::size_t line_bytes_max = line_bytes_max_default) {
    try {
        rows_of(file, shape, line_bytes_max);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::string field(const Error& error, std::string_view name) {
    for (const auto& [key, value] : error.fields()) {
        if (key == name) return value;
    }
    return "";
}

struct BadLine {
    Shape shape;
    Bytes line;
    std::string column;
    std::string cause;
    std::string attribute;
};

const std::string wrapper_cause = "a wrapper that holds something else than its name says";
const std::string type_cause = "a type that does not fit what it holds";
const std::string untyped_cause = "a value without its type: {\"S\": …} or the like";
const std::string cut_cause = "the line ends in the middle of its JSON";
const std::string deep_cause = "containers nested too deep";

std::vector<BadLine> bad_json() {
    const Shape plain = Shape::plain;
    return {
        {plain, "[1]", "1", "a row that is no JSON object", ""},
        {plain, "12", "1", "a row that is no JSON object", ""},
        {plain, "\"a\"", "1", "a row that is no JSON object", ""},
        {plain, R"({"a":1)", "7", cut_cause, ""},
        {plain, R"({"a":"x)", "8", cut_cause, ""},
        {plain, R"({"a":[1,{"b":2})", "16", cut_cause, ""},
        {plain, R"({"a":1}})", "8", "bad JSON", ""},
        {plain, R"({"a":1} {"b":2})", "9", "bad JSON", ""},
        {plain, R"({"a":1,})", "8", "bad JSON", ""},
        {plain, R"({"a" 1})", "6", "bad JSON", ""},
        {plain, R"({a:1})", "2", "bad JSON", ""},
        {plain, R"({"a":})", "6", "bad JSON", ""},
        {plain, R"({"a":01})", "7", "bad JSON", ""},
        {plain, R"({"a":1.})", "8", "bad JSON", ""},
        {plain, R"({"a":+1})", "6", "bad JSON", ""},
        {plain, R"({"a":NaN})", "6", "bad JSON", ""},
        {plain, R"({"a":tru})", "9", "bad JSON", ""},
        {plain, R"({"a":nullx})", "10", "bad JSON", ""},
        {plain, R"({"a":[1 2]})", "9", "bad JSON", ""},
        {plain, R"({"a":"\x"})", "8", "bad JSON", ""},
        {plain, R"({"a":"\ud800"})", "13", "bad JSON", ""},
        {plain, "{\"a\":\"\x01\"}", "7", "bad JSON", ""},
        {plain, "{\"a\":\"\t\"}", "7", "bad JSON", ""},
        {plain, "{\"a\":\"x\xff\"}", "8", "bytes that are not UTF-8", ""},
        {plain, "{\"a\":\"\xed\xa0\x80\"}", "7", "bytes that are not UTF-8", ""},
        {plain, "{\"\xc3(\":1}", "3", "bytes that are not UTF-8", ""},
        {plain, R"({"a":1,"b":2,"a":3})", "18", "duplicate member", "a"},
        {plain, R"({"a":{"x":1,"y":2,"x":3}})", "6", "duplicate member", "a"},
        {plain, R"({"b":1,"a":)" + Bytes(65, '[') + Bytes(65, ']') + "}", "76", deep_cause, "a"},
    };
}

std::vector<BadLine> bad_plain() {
    const Shape plain = Shape::plain;
    return {
        {plain, R"({"a":{"$what":1}})", "15", "unknown wrapper", "a"},
        {plain, R"({"a":{"$guid":"no"}})", "15", "not a guid", "a"},
        {plain, R"({"a":{"$guid":7}})", "15", wrapper_cause, "a"},
        {plain, R"({"a":{"$int32":2147483648}})", "16", "not a 32-bit integer", "a"},
        {plain, R"({"a":{"$int32":1.0}})", "16", "not a 32-bit integer", "a"},
        {plain, R"({"a":{"$int64":"x"}})", "16", "not a 64-bit integer", "a"},
        {plain, R"({"a":{"$real":"1e999"}})", "15", "not a 64-bit floating-point number", "a"},
        {plain, R"({"a":{"$number":"one"}})", "17", "bad number", "a"},
        {plain, R"({"a":{"$binary":"A"}})", "17", "bad base64", "a"},
        {plain, R"({"a":{"$absent":true}})", "17", "absent inside a container or a row", "a"},
        {plain, R"({"a":{"$text_set":["x","x"]}})", "19", "a set that holds an element twice", "a"},
        {plain, R"({"a":{"$text_set":[1]}})", "20", wrapper_cause, "a"},
        {plain, R"({"a":{"$number_set":["1",2]}})", "26", wrapper_cause, "a"},
        {plain, R"({"a":{"$members":[["x"]]}})", "19", wrapper_cause, "a"},
        {plain, R"({"a":{"$members":{}}})", "18", wrapper_cause, "a"},
        {plain, R"({"a":{"$map":[]}})", "14", wrapper_cause, "a"},
        {plain, R"({"a":{"$raw":{"kind":"text"}}})", "14", wrapper_cause, "a"},
        {plain, R"({"a":{"$raw":{"kind":"text","payload":"","x":""}}})", "14", wrapper_cause, "a"},
        {plain, R"({"a":{"$date_time":"2026-11-29T22:10:58.12345678Z"}})", "20",
         "date-time with more than seven digits of a second", "a"},
    };
}

std::vector<BadLine> bad_dynamodb() {
    const Shape dynamodb = Shape::dynamodb;
    return {
        {dynamodb, R"({"Item":{"a":"x"}})", "14", untyped_cause, "a"},
        {dynamodb, R"({"Item":{"a":{}}})", "14", untyped_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"X":"x"}}})", "19", "unknown type", "a"},
        {dynamodb, R"({"Item":{"a":{"s":"x"}}})", "19", "unknown type", "a"},
        {dynamodb, R"({"Item":{"a":{"S":"x","N":"1"}}})", "14", "a value with two types", "a"},
        {dynamodb, R"({"Item":{"a":{"S":1}}})", "19", type_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"N":1}}})", "19", type_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"N":"1,5"}}})", "19", "bad number", "a"},
        {dynamodb, R"({"Item":{"a":{"N":""}}})", "19", "bad number", "a"},
        {dynamodb, R"({"Item":{"a":{"N":"NaN"}}})", "19", "bad number", "a"},
        {dynamodb, R"({"Item":{"a":{"B":"AAA"}}})", "19", "bad base64", "a"},
        {dynamodb, R"({"Item":{"a":{"BOOL":"true"}}})", "22", type_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"NULL":false}}})", "22", type_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"L":{}}}})", "19", type_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"M":[]}}})", "19", type_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"L":["x"]}}})", "20", untyped_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"SS":["x","x"]}}})", "20", "a set that holds an element twice",
         "a"},
        {dynamodb, R"({"Item":{"a":{"NS":["x"]}}})", "21", "bad number", "a"},
        {dynamodb, R"({"Item":{"a":{"S":"x"}},"b":{"S":"y"}})", "29", "a member beside Item", ""},
        {dynamodb, R"({"Item":"x"})", "9", type_cause, ""},
        {dynamodb, R"({"a":"x"})", "6", untyped_cause, "a"},
        {dynamodb, R"({"Item":{"a":{"S":"x"}})", "24", cut_cause, ""},
        {dynamodb, R"({"Item":{"a":{"S":"x"},"a":{"S":"x"}}})", "28", "duplicate member", "a"},
    };
}

std::vector<BadLine> bad_azure() {
    const Shape azure = Shape::azure;
    return {
        {azure, R"({"a":[]})", "6", "a property that is no scalar", "a"},
        {azure, R"({"a":{}})", "6", "a property that is no scalar", "a"},
        {azure, R"({"a@odata.type":"Edm.What","a":1})", "17", "unknown type", "a@odata.type"},
        {azure, R"({"a@odata.type":1,"a":1})", "17", "unknown type", "a@odata.type"},
        {azure, R"({"a@odata.type":"Edm.Guid","b":1})", "17",
         "a type for a property that is not there", "a"},
        {azure, R"({"a@odata.type":"Edm.Int64","a":"1","a@odata.type":"Edm.Int64"})", "52",
         "duplicate member", "a"},
        {azure, R"({"a@odata.type":"Edm.Int64","a":"1","a":"2"})", "41", "duplicate member", "a"},
        {azure, R"({"a@odata.type":"Edm.Int64","a":"1.0"})", "33", "not a 64-bit integer", "a"},
        {azure, R"({"a@odata.type":"Edm.Int32","a":"1"})", "33", type_cause, "a"},
        {azure, R"({"a@odata.type":"Edm.Int32","a":2147483648})", "33", "not a 32-bit integer",
         "a"},
        {azure, R"({"a@odata.type":"Edm.Double","a":"1.5"})", "34", type_cause, "a"},
        {azure, R"({"a@odata.type":"Edm.Boolean","a":"true"})", "35", type_cause, "a"},
        {azure, R"({"a@odata.type":"Edm.String","a":1})", "34", type_cause, "a"},
        {azure, R"({"a@odata.type":"Edm.Guid","a":"x"})", "32", "not a guid", "a"},
        {azure, R"({"a@odata.type":"Edm.Binary","a":"x"})", "34", "bad base64", "a"},
        {azure, R"({"a":9223372036854775808})", "6", "not a 64-bit integer", "a"},
        {azure, R"({"a":1e999})", "6", "not a 64-bit floating-point number", "a"},
        {azure, R"({"Timestamp":"yesterday"})", "14",
         "not a date-time: YYYY-MM-DDThh:mm:ss[.fffffff]Z", "Timestamp"},
        {azure, R"({"a@odata.type":"Edm.DateTime","a":"2026-11-29T22:10:58"})", "36",
         "date-time without Z or an offset", "a"},
    };
}

}  // namespace

TEST_CASE("a bad line is named by file, line, column, cause and attribute") {
    const TestFolder folder;
    for (const auto& lines : {bad_json(), bad_plain(), bad_dynamodb(), bad_azure()}) {
        for (const BadLine& bad : lines) {
            const Bytes good = bad.shape == Shape::dynamodb ? R"({"Item":{"g":{"S":"x"}}})"
                                                            : R"({"g":"x"})";
            const std::string file = folder.file("rows", good + "\n\n" + bad.line + "\n" + good);
            NdjsonReader reader{file, bad.shape};
            INFO(shape_name(bad.shape) << ": " << bad.line);
            REQUIRE(reader.next());
            try {
                reader.next();
                FAIL_CHECK("the line was read");
            } catch (const Error& error) {
                CHECK(error.text() == "a line is no row");
                CHECK(field(error, "file") == file);
                CHECK(field(error, "line") == "3");
                CHECK(field(error, "column") == bad.column);
                CHECK(field(error, "cause") == bad.cause);
                CHECK(field(error, "attribute") == bad.attribute);
            }
        }
    }
}

TEST_CASE("details of a bad line are cut to a length that a terminal can hold") {
    const TestFolder folder;
    const Bytes endless(100'000, '7');
    for (const Bytes& line : {R"({"a":{"$guid":")" + endless + "\"}}", R"({"a":)" + endless + "x}",
                              R"({")" + endless + "\":x}"}) {
        CHECK(error_of(folder.file("rows", line)).size() < 1'000);
    }
}

TEST_CASE("byte order mark, CR LF, blank lines and a last line without its end are tolerated") {
    const TestFolder folder;
    const std::vector<Bytes> expected{R"({"a":1})", R"({"b":2})"};
    CHECK(rows_of(folder.file("a", "\xef\xbb\xbf{\"a\":1}\r\n\r\n \t\n{\"b\":2}")) == expected);
    CHECK(rows_of(folder.file("b", "\n\n  { \"a\" : 1 }  \n{\"b\":2}\n\n\n")) == expected);
    CHECK(rows_of(folder.file("c", "")).empty());
    CHECK(rows_of(folder.file("d", "\xef\xbb\xbf")).empty());
    CHECK(rows_of(folder.file("e", "\n \n")).empty());
    CHECK(error_of(folder.file("f", "{\"a\":1}\n\xef\xbb\xbf{\"b\":2}")).find("line=2 column=1 ") !=
          std::string::npos);
}

TEST_CASE("lines of every length around the block size are read whole") {
    const TestFolder folder;
    Bytes file;
    std::vector<Bytes> expected;
    for (const std::size_t size : {input_block_bytes - 9, input_block_bytes - 8, std::size_t{1},
                                   3 * input_block_bytes, input_block_bytes, std::size_t{0}}) {
        expected.push_back("{\"a\":\"" + Bytes(size, 'x') + "\"}");
        file.append(expected.back()).push_back('\n');
    }
    CHECK(rows_of(folder.file("plain", file)) == expected);
    CHECK(rows_of(folder.file("compressed", gzip(file))) == expected);
}

TEST_CASE("a line beyond the limit is refused, with its place") {
    const TestFolder folder;
    const Bytes line = R"({"a":"12345678"})";
    const std::string file = folder.file("rows", "{}\n" + line + "\n");
    CHECK(rows_of(file, Shape::plain, line.size()).size() == 2);
    CHECK(error_of(file, Shape::plain, line.size() - 1) ==
          "a line of rows is too long: file=" + file + " line=2 limit_bytes=15");
    const Bytes zeros(20'000'000, '0');
    const std::string bomb = folder.file("bomb", gzip(zeros));
    CHECK(error_of(bomb, Shape::plain, 1'000'000).find("is too long") != std::string::npos);
}

TEST_CASE("auto finds the shape in the first row") {
    const auto shape_of = [](BytesView line) {
        const Bytes padded = Bytes{line} + Bytes(line_padding, '\n');
        return shape_name(detect_shape(BytesView{padded}.substr(0, line.size())));
    };
    CHECK(shape_of(R"({"Item":{"a":{"S":"x"}}})") == "dynamodb");
    CHECK(shape_of(R"({"a":{"S":"x"},"b":{"L":[]}})") == "dynamodb");
    CHECK(shape_of(R"({"PartitionKey":"a","RowKey":"b"})") == "azure");
    CHECK(shape_of(R"({"odata.etag":"x","a":1})") == "azure");
    CHECK(shape_of(R"({"a@odata.type":"Edm.Int64","a":"1"})") == "azure");
    // A plain dump of rows that came from Azure: properties of Azure are scalars.
    CHECK(shape_of(R"({"PartitionKey":"a","RowKey":"b","n":{"$int32":7},"odata.etag":"x"})") ==
          "plain");
    CHECK(shape_of(R"({"PartitionKey":"a","RowKey":"b","l":[]})") == "plain");
    CHECK(shape_of(R"({"Item":{"S":"x"}})") == "dynamodb");
    CHECK(shape_of(R"({"Item":{"a":{"S":"x"}},"b":{"S":"x"}})") == "plain");
    CHECK(shape_of(R"({"a":{"S":"x","N":"1"}})") == "plain");
    CHECK(shape_of(R"({"a":{"S":"x"},"b":1})") == "plain");
    CHECK(shape_of(R"({"Item":{"a":1}})") == "plain");
    CHECK(shape_of(R"({"Item":"x"})") == "plain");
    CHECK(shape_of("{}") == "plain");
    CHECK(shape_of("nonsense") == "plain");
    Bytes nested;
    for (int level = 0; level < 20'000; ++level) nested.append(R"({"Item":)");
    CHECK(shape_of(nested.append("{}").append(20'000, '}')) == "plain");

    const TestFolder folder;
    const std::string file = folder.file("rows", "\n{\"Item\":{\"a\":{\"N\":\"7\"}}}\n");
    CHECK(rows_of(file, Shape::automatic) == std::vector<Bytes>{R"({"a":7})"});
}

TEST_CASE("gzip of one member and of several is read as the file in it") {
    const TestFolder folder;
    const std::vector<Bytes> expected{R"({"a":1})", R"({"b":2})", R"({"c":3})"};
    const Bytes first = "{\"a\":1}\n{\"b\"";
    const Bytes second = ":2}\n{\"c\":3}\n";
    CHECK(rows_of(folder.file("one", gzip(first + second))) == expected);
    CHECK(rows_of(folder.file("two", gzip(first) + gzip(second))) == expected);
    CHECK(rows_of(folder.file("five", gzip("") + gzip(first) + gzip("") + gzip(second) +
                                          gzip(""))) == expected);
    CHECK(rows_of(folder.file("empty", gzip(""))).empty());
}

TEST_CASE("gzip that is cut, changed in a byte or followed by something is never taken as whole") {
    const TestFolder folder;
    const Bytes whole = gzip("{\"a\":1}\n{\"b\":2}\n");
    for (std::size_t size = 2; size < whole.size(); ++size) {
        const std::string error = error_of(folder.file("cut", whole.substr(0, size)));
        INFO("cut at " << size << ": " << error);
        CHECK(error.find("cause=the compressed data are cut off") != std::string::npos);
        CHECK(error.find("offset=" + std::to_string(size)) != std::string::npos);
    }
    const std::string garbage = folder.file("garbage", whole + "{}\n");
    CHECK(error_of(garbage) == "cannot read compressed rows: file=" + garbage + " offset=" +
                                   std::to_string(whole.size()) +
                                   " cause=something else follows the compressed data");
    CHECK(error_of(folder.file("half", whole + "\x1f")) != "no error");
    CHECK(error_of(folder.file("magic", whole + "\x1f\x8b")) != "no error");
    // The header holds bytes without effect: time, operating system, flags of the compressor.
    constexpr std::size_t header_bytes = 10;
    for (std::size_t place = header_bytes; place < whole.size(); ++place) {
        Bytes changed = whole;
        changed[place] = static_cast<char>(changed[place] ^ 1);
        INFO("changed at " << place);
        CHECK(error_of(folder.file("changed", changed)) != "no error");
    }
}

TEST_CASE("a file that cannot be read says why") {
    const TestFolder folder;
    CHECK(error_of(folder.path("missing")) ==
          "cannot open a file of rows: file=" + folder.path("missing") +
              " cause=No such file or directory");
    CHECK(error_of(folder.path(".")).find("cause=Is a directory") != std::string::npos);
}
