// What a table service may do to a reader, played by scripts: pages that are empty or cut, half a
// continuation, one that comes twice, busy servers, wrong clocks, rows that were not asked for.

#include <catch2/catch.hpp>

#include "azure_tables_world.hpp"
#include "conformance.hpp"
#include "store/azure_tables/key_model.hpp"
#include "store/azure_tables/table_place.hpp"

using namespace idxfsck::store;
using conformance::Collector;

namespace {

// Answers in order, what looks for the table aside.
AzureTablesWorld::Script in_order(std::vector<HttpResult> results) {
    return [results = std::move(results),
            next = std::size_t{0}](const HttpRequest& request) mutable {
        if (AzureTablesWorld::looks(request)) return page_of({});
        return next < results.size() ? results[next++] : failure_of("the script has ended", false);
    };
}

std::vector<Bytes> keys_of(const Collector& seen) {
    std::vector<Bytes> out;
    for (const Row& row : seen.rows) out.push_back(row.key[0].payload + "/" + row.key[1].payload);
    return out;
}

struct Scan {
    explicit Scan(std::vector<HttpResult> results) : world{in_order(std::move(results))} {}

    ScanEnd run(const PlaceRange& range = {}, const ScanOptions& options = {}) {
        const AzureTablesReader reader{{}, world.around()};
        return reader.scan("users", range_partition(range), options, seen);
    }

    // The message of the error that it ends with.
    std::string failure(const PlaceRange& range = {}) {
        try {
            run(range);
        } catch (const Error& error) {
            const std::string text = std::string{error.what()} + " | " + error.hint();
            REQUIRE(text.find("secret") == std::string::npos);
            return text;
        }
        return "no failure";
    }

    AzureTablesWorld world;
    Collector seen;
};

void check_holds(const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    REQUIRE(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("a scan of a table goes on through empty pages and half a continuation") {
    Scan scan{{page_of({}, "1!4!YQ--"), page_of({entity_json("a", "1")}, "tok en+/=", "r&w"),
               page_of({}, "", "only-row"),
               page_of({entity_json("a", "2"), entity_json("b", "")})}};
    REQUIRE(scan.run() == ScanEnd::complete);
    REQUIRE(keys_of(scan.seen) == std::vector<Bytes>{"a/1", "a/2", "b/"});
    const std::string base = "GET https://shop.table.core.windows.net/users()";
    REQUIRE(scan.world.asked() ==
            std::vector<Bytes>{base, base + "?NextPartitionKey=1%214%21YQ--",
                               base + "?NextPartitionKey=tok%20en%2B%2F%3D&NextRowKey=r%26w",
                               base + "?NextRowKey=only-row"});
}

TEST_CASE("a part of a continuation that is there is sent back even if it is empty") {
    HttpResult page = page_of({entity_json("", "1")});
    page.headers = {{"x-ms-continuation-nextpartitionkey", ""},
                    {"x-ms-continuation-nextrowkey", "Mg=="}};
    Scan scan{{page, page_of({entity_json("", "2")}, "bmV4dA=="), page_of({})}};
    REQUIRE(scan.run() == ScanEnd::complete);
    const std::vector<Bytes> asked = scan.world.asked();
    const Bytes where = "GET https://shop.table.core.windows.net/users()";
    REQUIRE(asked == std::vector<Bytes>{where, where + "?NextPartitionKey=&NextRowKey=Mg%3D%3D",
                                        where + "?NextPartitionKey=bmV4dA%3D%3D"});
    // It stays so where a scan goes on from a position.
    const Continuation next{"", "Mg==", std::nullopt};
    REQUIRE(parse_position(range_partition({}), page_position(0, next)).next == next);
    REQUIRE_FALSE(Continuation{"", "", std::nullopt}.more());
}

TEST_CASE("a continuation that comes twice is an error with its place") {
    Scan scan{{page_of({entity_json("a", "1")}, "p", "r"), page_of({}, "q"),
               page_of({}, "p", "r")}};
    const std::string text = scan.failure();
    check_holds(text, "a scan does not advance");
    check_holds(text, "key=a/1");
    check_holds(text, "table=users");
    check_holds(text, "partition=from the start");
}

TEST_CASE("a busy service is asked again, with waits, until the deadline") {
    const std::vector<HttpResult> busy{table_fault(503, "ServerBusy"),
                                       table_fault(500, "OperationTimedOut"),
                                       failure_of("the connection was reset"),
                                       answer_of(200, R"({"value":[{"PartitionKey":"a","Ro)"),
                                       answer_of(200, "<html>busy</html>"),
                                       answer_of(200, "{}")};
    std::vector<HttpResult> results = busy;
    results.push_back(page_of({entity_json("a", "1")}));
    Scan scan{results};
    REQUIRE(scan.run() == ScanEnd::complete);
    REQUIRE(keys_of(scan.seen) == std::vector<Bytes>{"a/1"});
    REQUIRE(scan.world.clock.slept.size() == busy.size());

    Scan hopeless{std::vector<HttpResult>(100, table_fault(503, "ServerBusy"))};
    const std::int64_t begin_ms = hopeless.world.clock.now_ms;
    check_holds(hopeless.failure(), "the table service cannot answer for now");
    REQUIRE(hopeless.world.clock.now_ms - begin_ms <= 120'000);
}

TEST_CASE("a page of what stands between is asked for again, whatever its status") {
    const Bytes page = "<html>Gateway</html>";
    for (const int status : {200, 302, 400, 404, 409, 502}) {
        CAPTURE(status);
        int asked = 0;
        AzureTablesWorld world{[&](const HttpRequest& request) {
            if (++asked % 2 == 1) return answer_of(status, page);
            if (AzureTablesWorld::looks(request)) return page_of({});
            return table_fault(404, "ResourceNotFound");
        }};
        const AzureTablesReader reader{{}, world.around()};
        // It is no row, and not the lack of one; no table, and not the lack of one.
        const Key key{Value::text("p"), Value::text("r")};
        REQUIRE(reader.read("users", {&key, 1}) == std::vector<std::optional<Row>>{std::nullopt});
        REQUIRE(asked == 4);
        REQUIRE(world.clock.slept.size() == 2);
    }
    AzureTablesWorld gone{[](const HttpRequest&) { return table_fault(404, "TableNotFound"); }};
    REQUIRE_FALSE(AzureTablesReader{{}, gone.around()}.table("users"));
    REQUIRE(gone.transport.requests.size() == 1);
}

TEST_CASE("rows out of order, or that were not asked for, are errors") {
    check_holds(Scan{{page_of({entity_json("b", "1"), entity_json("a", "1")})}}.failure(),
                "out of order");
    check_holds(Scan{{page_of({entity_json("a", "1"), entity_json("a", "1")})}}.failure(),
                "out of order");
    const PlaceRange middle{{"b", std::nullopt, false}, TablePlace{"d", std::nullopt, false}};
    check_holds(Scan{{page_of({entity_json("a", "1")})}}.failure(middle), "not asked for");
    check_holds(Scan{{page_of({entity_json("d", "1")})}}.failure(middle), "not asked for");
    // U+FFEE comes before U+1F600 by bytes, and behind it there.
    Scan units{{page_of({entity_json("\xf0\x9f\x98\x80", "1"), entity_json("\xef\xbf\xae", "1")})}};
    REQUIRE(units.run() == ScanEnd::complete);
    REQUIRE(units.seen.rows.size() == 2);
}

TEST_CASE("a row without keys is told as damaged, and the scan goes on") {
    Scan scan{{page_of({R"({"PartitionKey":"a"})", entity_json("a", "1"), R"({"RowKey":"1"})"})}};
    REQUIRE(scan.run() == ScanEnd::complete);
    REQUIRE(scan.seen.damaged_keys.size() == 2);
    REQUIRE(scan.seen.rows.size() == 1);
}

TEST_CASE("a wrong clock is put right once by the answer's, a wrong key ends the scan") {
    HttpResult late = table_fault(403, "AuthenticationFailed", "sig-secret");
    late.headers.push_back({"date", "Tue, 14 Nov 2023 23:13:20 GMT"});
    Scan scan{{late, page_of({})}};
    REQUIRE(scan.run() == ScanEnd::complete);
    const auto date_of = [](const HttpRequest& request) {
        for (const HttpHeader& header : request.headers) {
            if (header.name == "x-ms-date") return header.value;
        }
        return Bytes{};
    };
    REQUIRE(date_of(scan.world.transport.requests.back()) == "Tue, 14 Nov 2023 23:13:20 GMT");
    const std::string text = Scan{{late, late, late}}.failure();
    check_holds(text, "refuses this request");
    check_holds(text, "credentials=AZURE_STORAGE_KEY");
}

TEST_CASE("a shared access signature goes into the address and into no message") {
    AzureTablesWorld world{
        in_order({table_fault(403, "AuthorizationPermissionMismatch", "no role")})};
    world.environment = {{"AZURE_STORAGE_ACCOUNT", "shop"},
                         {"AZURE_STORAGE_SAS_TOKEN", "sv=1&sig=sas-secret"}};
    Collector seen;
    const AzureTablesReader reader{{}, world.around()};
    try {
        reader.scan("users", range_partition({}), {}, seen);
        FAIL("it may not");
    } catch (const Error& error) {
        const std::string text = std::string{error.what()} + error.hint();
        REQUIRE(text.find("sas-secret") == std::string::npos);
        check_holds(text, "lacks a role");
    }
    REQUIRE(world.transport.requests.back().url ==
            "https://shop.table.core.windows.net/users()?sv=1&sig=sas-secret");
}

// The value was worked out with openssl: printf 'DATE\n/shop/users()' | openssl dgst -sha256 -hmac.
TEST_CASE("SharedKeyLite signs the date and the path as it is sent") {
    AzureAccess access;
    access.account = "shop";
    access.secret = "key-secret";
    REQUIRE(shared_key_lite(access, "Mon, 30 Nov 2026 10:14:32 GMT", "/users()") ==
            "SharedKeyLite shop:R34G7xrs/AnSt0TtRv/EgCEXrdIZTa8Sf8PwiA41v5Q=");
}

TEST_CASE("only what the spec needs is asked for, and all where a name is none") {
    const auto query = [](std::vector<Bytes> names, bool all) {
        Scan scan{{page_of({})}};
        const Projection projection{std::move(names), all};
        ScanOptions options;
        options.projection = &projection;
        REQUIRE(scan.run({}, options) == ScanEnd::complete);
        const Bytes url = scan.world.asked().at(0);
        return url.substr(std::min(url.find('?'), url.size()));
    };
    REQUIRE(query({"Email", "RowKey", "\xc3\xa9"}, false) ==
            "?$select=PartitionKey,RowKey,Email,%C3%A9");
    REQUIRE(query({"Email"}, true).empty());
    REQUIRE(query({"no,name"}, false).empty());
}

TEST_CASE("a range becomes conditions without `or`, which would read the table from its start") {
    const TablePlace row{"it's", "r", false};
    const TablePlace behind{"it's", "r", true};
    const TablePlace partition{"m", std::nullopt, false};
    const TablePlace last{"m", "z", false};
    REQUIRE(legs_of({}) == std::vector<Bytes>{""});
    REQUIRE(legs_of({{}, partition}) == std::vector<Bytes>{"PartitionKey lt 'm'"});
    REQUIRE(legs_of({row, last}) ==
            std::vector<Bytes>{"PartitionKey eq 'it''s' and RowKey ge 'r'",
                               "PartitionKey gt 'it''s' and PartitionKey lt 'm'",
                               "PartitionKey eq 'm' and RowKey lt 'z'"});
    REQUIRE(legs_of({behind, TablePlace{"it's", "t", false}}) ==
            std::vector<Bytes>{"PartitionKey eq 'it''s' and RowKey gt 'r' and RowKey lt 't'"});
    REQUIRE(legs_of({partition, last}) ==
            std::vector<Bytes>{"PartitionKey eq 'm' and RowKey lt 'z'"});
    REQUIRE(legs_of({last, row}).empty());
}

TEST_CASE("places sort by UTF-16 code units, as a sort of units has them") {
    const std::vector<Bytes> texts{"", "a", "a\xc3\xa9", "b", "\xed\x9f\xbf", "\xf0\x9f\x98\x80",
                                   "\xf4\x8f\xbf\xbf", "\xee\x80\x80", "\xef\xbf\xae"};
    for (std::size_t a = 0; a < texts.size(); ++a) {
        for (std::size_t b = 0; b < texts.size(); ++b) {
            CAPTURE(a, b);
            REQUIRE((compare_utf16(texts[a], texts[b]) < 0) == (a < b));
            REQUIRE((compare_utf16(texts[a], texts[b]) == 0) == (a == b));
        }
    }
}

TEST_CASE("points between two keys lie between them, in order") {
    const std::vector<std::pair<TablePlace, std::optional<TablePlace>>> gaps{
        {{}, std::nullopt},
        {{"user", "00000001", true}, std::nullopt},
        {{"user", "00000001", true}, TablePlace{"user", "00000999", false}},
        {{"a", std::nullopt, false}, TablePlace{"b", std::nullopt, false}},
        {{"a", "x", true}, TablePlace{"a", "y", false}},
        {{"\xf0\x9f\x98\x80", "1", true}, TablePlace{"\xef\xbf\xae", std::nullopt, false}}};
    for (const auto& [low, high] : gaps) {
        const auto points = places_between(low, high, 16);
        CAPTURE(low.partition_key, points.size());
        REQUIRE(points.size() > 4);
        for (std::size_t point = 0; point < points.size(); ++point) {
            REQUIRE((compare_places(low, points[point]) < 0));
            REQUIRE((!high || compare_places(points[point], *high) < 0));
            REQUIRE((point == 0 || compare_places(points[point - 1], points[point]) < 0));
        }
    }
    for (const TablePlace& place : places_behind_prefixes({"user", "0001", true}, 64)) {
        REQUIRE((compare_places({"user", "0001", true}, place) < 0));
    }
}

TEST_CASE("rows of Cosmos DB come in no order, and are resumed by the page") {
    AzureTablesWorld world{in_order({page_of({entity_json("b", "1"), entity_json("a", "1")}, "x"),
                                     page_of({entity_json("a", "0")}),
                                     page_of({entity_json("a", "0")})})};
    AzureTablesSettings settings;
    settings.place.endpoint = "https://shop.table.cosmos.azure.com";
    const AzureTablesReader reader{settings, world.around()};
    REQUIRE(reader.capabilities().order == ScanOrder::none);
    Collector first{1};
    REQUIRE(reader.scan("users", range_partition({}), {}, first) == ScanEnd::stopped);
    REQUIRE(first.rows.size() == 2);
    Collector rest;
    ScanOptions options;
    options.resume = first.pages[0].position;
    REQUIRE(reader.scan("users", range_partition({}), options, rest) == ScanEnd::complete);
    REQUIRE(keys_of(rest) == std::vector<Bytes>{"a/0"});
    REQUIRE(world.asked().back().ends_with("NextPartitionKey=x"));
    const auto left = reader.split_rest("users", range_partition({}), first.pages[0].position);
    REQUIRE(left.size() == 1);
    REQUIRE(parse_position(left[0], std::nullopt).next.partition == "x");
}

TEST_CASE("every type of a table is kept, and the Timestamp is no attribute") {
    const Row row{{Value::text("p"), Value::text("r")},
                  encode_attributes({{"a", Value::real(2.0)},
                                     {"b", Value::int64(9'007'199'254'740'993)},
                                     {"c", Value::date_time(637'000'000'000'000'001)},
                                     {"d", Value::guid("0123456789abcdef")},
                                     {"e", Value::binary(Bytes("\0\xff", 2))},
                                     {"f", Value::boolean(true)},
                                     {"g", Value::int32(-1)},
                                     {"h", Value::real(-std::numeric_limits<double>::infinity())},
                                     {"i", Value::real(std::nan(""))},
                                     {"j", Value::text("it's \xf0\x9f\x98\x80")}}),
                  {}};
    const HeldRow held = held_row(row);
    REQUIRE(held.row == row);
    Bytes json = entity_text(row);
    json.insert(1, R"("odata.etag":"W/\"7\"","Timestamp":"2026-01-01T00:00:00Z",)");
    json.reserve(json.size() + line_padding);
    EntityReader reader;
    REQUIRE(reader.read(json).empty());
    REQUIRE(reader.row().attributes == row.attributes);
    REQUIRE(reader.row().version == "W/\"7\"");
}

TEST_CASE("what a table cannot hold is refused by name, before anything is sent") {
    const auto why = [](Key key, std::vector<NamedValue> attributes) {
        const HeldRow held =
            held_row({std::move(key), encode_attributes(std::move(attributes)), {}});
        return held.row ? "held" : Bytes{held.why_not} + " " + held.attribute;
    };
    const Key key{Value::text("p"), Value::text("")};
    REQUIRE(why(key, {{"n", Value::null()}}) == "held");
    REQUIRE(why(key, {{"n", Value::number("1234567890123456789012")}}) ==
            "a kind that tables have no type for n");
    REQUIRE(why(key, {{"ids", Value::text(Bytes(32'768, 'x'))}}) == "held");
    REQUIRE(why(key, {{"ids", Value::text(Bytes(32'769, 'x'))}}) ==
            "larger than a property may be: 64 KiB ids");
    REQUIRE(why(key, {{"ids", Value::binary(Bytes(65'537, 'x'))}}) ==
            "larger than a property may be: 64 KiB ids");
    REQUIRE(why(key, {{"Timestamp", Value::text("x")}}) ==
            "Timestamp is the service's own Timestamp");
    std::vector<NamedValue> full;
    for (int number = 0; number < 17; ++number) {
        full.push_back({"p" + std::to_string(number), Value::binary(Bytes(65'000, 'x'))});
    }
    REQUIRE(why(key, full) == "larger than a row may be: 1 MiB ");
    for (const Bytes text : {"a/b", "a\\b", "a#b", "a?b", "a\x01", "a\xc2\x85", "\xff"}) {
        REQUIRE(why({Value::text(text), Value::text("")}, {}) == "a key that no row can have ");
    }
    REQUIRE(why({Value::text(Bytes(513, 'x')), Value::text("")}, {}) ==
            "a key that no row can have ");
}

TEST_CASE("tokens of a table's partitions that were not made here are refused") {
    const Partition whole = range_partition({});
    REQUIRE_THROWS_AS(parse_position({"x", ""}, std::nullopt), Error);
    REQUIRE_THROWS_AS(parse_position(whole, Position{"P"}), Error);
    REQUIRE_THROWS_AS(parse_position(whole, end_position(range_partition({{"a", {}, false}, {}}))),
                      Error);
    const PlaceRange range{{"b", "1", true}, TablePlace{"d", std::nullopt, false}};
    REQUIRE(parse_position(range_partition(range), std::nullopt).range == range);
    const Partition part = range_partition(range);
    REQUIRE_THROWS_AS(parse_position(part, row_position({"a", "1", true})), Error);
    REQUIRE(parse_position(part, row_position({"c", "1", true})).range.begin ==
            TablePlace{"c", "1", true});
}
