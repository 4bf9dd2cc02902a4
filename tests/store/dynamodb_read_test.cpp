// Reading DynamoDB, where the service does what dynalite never does: it throttles, fails, cuts
// answers, leaves keys unprocessed, gives empty pages, repeats itself.
//
// Method: a service played by a script, on a clock that moves only by waiting. What is handed over
// is written out in each test.

#include <catch2/catch.hpp>

#include "conformance.hpp"
#include "dynamodb_world.hpp"

using namespace idxfsck::store;
using conformance::Collector;

namespace {

HttpResult page_of(const std::vector<Bytes>& items, const Bytes& last = {}) {
    Bytes body = "{\"Count\":" + std::to_string(items.size()) + ",\"Items\":[";
    for (std::size_t place = 0; place < items.size(); ++place) {
        body.append(place > 0 ? "," : "").append(items[place]);
    }
    body.append("],\"ConsumedCapacity\":{\"TableName\":\"Users\",\"CapacityUnits\":1.5}");
    if (!last.empty()) body.append(",\"LastEvaluatedKey\":").append(last);
    return answer_of(200, body + "}");
}

const Bytes key_a = R"({"id":{"S":"a"}})";
const Bytes key_b = R"({"id":{"S":"b"}})";

// A scan of all of Users. `answers` come one after the other.
struct Scan {
    explicit Scan(std::vector<HttpResult> answers, const ScanOptions& options = {})
        : world{[this, answers = std::move(answers)](const Bytes&, const Bytes&) {
              REQUIRE(next < answers.size());
              return answers[next++];
          }} {
        DynamodbReader reader{world.settings(), world.around()};
        try {
            end = reader.scan("Users", reader.split("Users", 1).at(0), options, rows);
        } catch (const Error& thrown) {
            error = std::string{thrown.what()} + " | " + thrown.hint();
            REQUIRE(error.find("secret") == std::string::npos);
        }
        units = reader.units();
    }

    std::size_t next = 0;
    DynamodbWorld world;
    Collector rows;
    std::optional<ScanEnd> end;
    std::string error;
    double units = 0.0;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a scan goes on through empty pages, and ends at an empty key or none") {
    for (const Bytes last : {"", "{}", "null"}) {
        const Scan scan{{page_of({user_json("a", "1")}, key_a), page_of({}, key_b),
                         page_of({user_json("c", "1.0"), user_json("d", "2e1")}, last)}};
        REQUIRE(scan.error.empty());
        REQUIRE(scan.end == ScanEnd::complete);
        REQUIRE(scan.rows.rows == std::vector<Row>{user_row("a", "1"), user_row("c", "1"),
                                                   user_row("d", "20")});
        REQUIRE(scan.rows.pages.size() == 3);
        REQUIRE(scan.units == 4.5);
        REQUIRE(has(scan.world.asked[1].second, "\"ExclusiveStartKey\":" + key_a));
        REQUIRE(has(scan.world.asked[2].second, "\"ExclusiveStartKey\":" + key_b));
        REQUIRE_FALSE(has(scan.world.asked[0].second, "ConsistentRead"));
        REQUIRE_FALSE(has(scan.world.asked[0].second, "Segment"));
    }
}

TEST_CASE("a scan whose key to go on from comes twice is an error, also after others") {
    const Scan twice{{page_of({}, key_a), page_of({}, key_a)}};
    REQUIRE(has(twice.error, "does not advance"));
    REQUIRE(has(twice.error, "table=Users"));
    REQUIRE(has(twice.error, "partition=segment 1 of 1"));
    const Scan round{{page_of({}, key_a), page_of({}, key_b), page_of({}, key_a)}};
    REQUIRE(has(round.error, "does not advance"));
}

TEST_CASE("an answer that is no whole page is no end of a scan") {
    for (const Bytes body :
         {"{}", "{\"Items\":{}}", "{\"Items\":[1]}", "{\"Items\":[],\"Count\":1}",
          "{\"Items\":[],\"Count\":\"0\"}", "{\"Items\":[],\"LastEvaluatedKey\":[]}",
          "{\"Items\":[],\"LastEvaluatedKey\":{\"x\":{\"S\":\"a\"}}}",
          "{\"Items\":[],\"LastEvaluatedKey\":{\"id\":{\"N\":\"1\"}}}"}) {
        CAPTURE(body);
        const Scan scan{{answer_of(200, body)}};
        REQUIRE_FALSE(scan.end);
        REQUIRE(has(scan.error, "makes no sense") + has(scan.error, "no key of the table") == 1);
        REQUIRE(scan.rows.pages.empty());
    }
}

TEST_CASE("an item that is no row is told as damaged, and the scan goes on") {
    const Scan scan{{page_of({user_json("a", "1"), R"({"v":{"N":"1"}})", R"({"id":{"X":"a"}})",
                              R"({"id":{"S":"b"},"v":{"N":"one"}})", R"({"id":{"L":[]}})",
                              R"({"id":{"S":"c"},"v":{"SS":[]}})",
                              R"({"id":{"S":"d"},"id":{"S":"e"}})", user_json("z", "2")})}};
    REQUIRE(scan.end == ScanEnd::complete);
    REQUIRE(scan.rows.rows == std::vector<Row>{user_row("a", "1"), user_row("z", "2")});
    REQUIRE(scan.rows.damaged_keys.size() == 6);
    REQUIRE(scan.rows.damaged_keys[0] == R"({"v":{"N":"1"}})");
}

TEST_CASE("an attribute may be called Item, or like a type") {
    const Scan scan{{page_of({R"({"id":{"S":"a"},"Item":{"M":{"S":{"S":"x"}}},"S":{"S":"y"}})"})}};
    REQUIRE(scan.rows.rows.size() == 1);
    const Row& row = scan.rows.rows[0];
    REQUIRE(row.attribute("Item") == Value::map({{"S", Value::text("x")}}).view());
    REQUIRE(row.attribute("S") == Value::text("y").view());
}

TEST_CASE("throttling, failures and cut answers are tried again, with waits") {
    const HttpResult good = page_of({user_json("a", "1")});
    HttpResult wrong_sum = good;
    wrong_sum.headers = {{"x-amz-crc32", "12345"}};
    const Scan scan{{fault_of("ProvisionedThroughputExceededException"),
                     fault_of("ThrottlingException"), answer_of(500, "oops"),
                     answer_of(503, ""), fault_of("InternalServerError", "", 500),
                     failure_of("the connection was reset"), wrong_sum, good}};
    REQUIRE(scan.error.empty());
    REQUIRE(scan.rows.rows.size() == 1);
    REQUIRE(scan.world.clock.slept == std::vector<std::int64_t>{25, 50, 100, 200, 400, 800, 1600});
    // Asked with the same words each time.
    for (const auto& [operation, body] : scan.world.asked) {
        REQUIRE(body == scan.world.asked[0].second);
    }
}

TEST_CASE("a right checksum is taken") {
    // The CRC-32 of these bytes, as zlib has it.
    HttpResult good = answer_of(200, "{\"Count\":0,\"Items\":[]}");
    good.headers = {{"x-amz-crc32", "3733796073"}};
    const Scan scan{{good, good, good, good, good, good, good, good, good, good, good}};
    REQUIRE(scan.end == ScanEnd::complete);
    REQUIRE(scan.next == 1);
}

TEST_CASE("a service that throttles to the end is an error that says so") {
    const Scan scan{std::vector<HttpResult>(
        100, fault_of("ProvisionedThroughputExceededException", ",\"message\":\"too fast\""))};
    REQUIRE(has(scan.error, "DynamoDB cannot answer for now"));
    REQUIRE(has(scan.error, "code=ProvisionedThroughputExceededException"));
    REQUIRE(has(scan.error, "cause=too fast"));
    REQUIRE(has(scan.error, "operation=Scan"));
    std::int64_t waited_ms = 0;
    for (const std::int64_t wait_ms : scan.world.clock.slept) waited_ms += wait_ms;
    REQUIRE(waited_ms <= RetryLimits{}.deadline_ms);
    REQUIRE(waited_ms > RetryLimits{}.deadline_ms / 2);
    REQUIRE(scan.next < 30);
}

TEST_CASE("a refusal is told at once, with the permission that is missing and no secret") {
    const Scan denied{{fault_of(
        "AccessDeniedException",
        ",\"Message\":\"User: arn:aws:iam::1:user/me is not authorized to perform: "
        "dynamodb:Scan on resource: arn:aws:dynamodb:eu-west-1:1:table/Users\"")}};
    REQUIRE(has(denied.error, "not authorized to perform: dynamodb:Scan"));
    REQUIRE(has(denied.error, "credentials=environment"));
    REQUIRE(has(denied.error, "README"));
    REQUIRE(denied.world.clock.slept.empty());
    // A signature's message repeats what was signed.
    const Scan signature{{fault_of("InvalidSignatureException",
                                   ",\"message\":\"x-amz-security-token:token-secret\"")}};
    REQUIRE(has(signature.error, "code=InvalidSignatureException"));
    const Scan unknown{{fault_of("UnrecognizedClientException", ",\"message\":\"my-secret\"")}};
    REQUIRE(has(unknown.error, "aws sts get-caller-identity"));
    const Scan gone{{failure_of("a certificate is not trusted", false)}};
    REQUIRE(has(gone.error, "DynamoDB does not answer"));
    REQUIRE(has(gone.error, "cause=a certificate is not trusted"));
}

TEST_CASE("credentials that have run out are fetched anew, once") {
    const HttpResult expired = fault_of("ExpiredTokenException", ",\"message\":\"token-secret\"");
    const Scan scan{{expired, page_of({})}};
    REQUIRE(scan.end == ScanEnd::complete);
    REQUIRE(scan.world.clock.slept.empty());
    const Scan still{{expired, expired}};
    REQUIRE(has(still.error, "aws sso login"));
}

TEST_CASE("a wrong clock is put right by the time in the answer") {
    HttpResult skewed = fault_of("InvalidSignatureException", ",\"message\":\"Signature expired\"");
    // Ten minutes after the clock of the script.
    skewed.headers = {{"date", "Tue, 14 Nov 2023 22:23:20 GMT"}};
    Scan scan{{skewed, page_of({}, key_a), page_of({})}};
    REQUIRE(scan.end == ScanEnd::complete);
    const std::vector<HttpRequest>& sent = scan.world.transport.requests;
    REQUIRE(sent.size() == 4);
    REQUIRE(sent[1].signing->time_ms == 1'700'000'000'000);
    REQUIRE(sent[2].signing->time_ms == 1'700'000'600'000);
    REQUIRE(sent[3].signing->time_ms == 1'700'000'600'000);
    REQUIRE(sent[3].signing->session_token == "token-secret");
    skewed.headers = {{"date", "Tue, 14 Nov 2023 22:13:21 GMT"}};
    const Scan right{{skewed}};
    REQUIRE(has(right.error, "InvalidSignatureException"));
}

TEST_CASE("a projection asks for names behind placeholders, and for the key") {
    const Projection projection{{"name", "a.b c", "id", "\xff", ""}, false};
    ScanOptions options;
    options.projection = &projection;
    const Scan scan{{page_of({user_json("a", "1")})}, options};
    REQUIRE(has(scan.world.asked[0].second,
                R"("ProjectionExpression":"#0,#1,#2","ExpressionAttributeNames":)"
                R"({"#0":"a.b c","#1":"id","#2":"name"})"));
    REQUIRE(scan.rows.rows[0].attributes.empty());
    // More names than an expression holds: then all is asked for.
    Projection many;
    for (int number = 0; number < 2000; ++number) many.names.push_back(std::to_string(number));
    options.projection = &many;
    const Scan wide{{page_of({user_json("a", "1")})}, options};
    REQUIRE_FALSE(has(wide.world.asked[0].second, "ProjectionExpression"));
    REQUIRE(wide.rows.rows.size() == 1);
}

TEST_CASE("a consistent scan says so, and segments are told") {
    DynamodbWorld world{[](const Bytes&, const Bytes&) { return page_of({}); }};
    DynamodbSettings settings = world.settings();
    settings.consistent = true;
    const DynamodbReader reader{settings, world.around()};
    Collector rows;
    reader.scan("Users", reader.split("Users", 3).at(1), {}, rows);
    REQUIRE(has(world.asked[0].second, "\"ConsistentRead\":true"));
    REQUIRE(has(world.asked[0].second, "\"Segment\":1,\"TotalSegments\":3"));
    REQUIRE(reader.rows_estimate("Users") == 7);
    REQUIRE(reader.capabilities().metered);
    REQUIRE(reader.capabilities().guard == GuardReach::store);
}

TEST_CASE("reads are held to a rate by what they cost") {
    int page = 0;
    DynamodbWorld world{[&](const Bytes& operation, const Bytes&) {
        if (operation == "BatchGetItem") {
            return answer_of(200, "{\"Responses\":{},"
                                  "\"ConsumedCapacity\":[{\"CapacityUnits\":2}]}");
        }
        ++page;
        return page_of({}, page == 1 ? key_a : page == 2 ? key_b : "");
    }};
    DynamodbSettings settings = world.settings();
    settings.units_a_second = 10.0;
    DynamodbReader reader{settings, world.around()};
    Collector rows;
    reader.scan("Users", reader.split("Users", 1).at(0), {}, rows);
    // One and a half units each, at ten a second.
    REQUIRE(world.clock.slept == std::vector<std::int64_t>{150, 150, 150});
    const std::vector<Key> keys{{Value::text("a")}};
    world.clock.now_ms += 60'000;
    reader.read("Users", keys);
    REQUIRE(world.clock.slept.back() == 200);
    REQUIRE(reader.units() == 6.5);
}

TEST_CASE("a table is cut by what is wanted and by what there is") {
    DynamodbWorld world{[](const Bytes&, const Bytes&) { return page_of({}); }};
    DynamodbReader reader{world.settings(), world.around()};
    const auto parts = [&](const Bytes& size, std::size_t target) {
        world.size = size;
        reader.refresh();
        return reader.split("Users", target).size();
    };
    // A table of no size was made in the last hours.
    REQUIRE(parts("0", 16) == 16);
    REQUIRE(parts("9", 16) == 4);
    REQUIRE(parts("8388608", 16) == 8);
    REQUIRE(parts("2147483648", 16) == 32);
    REQUIRE(parts("2147483648", 1) == 1);
    REQUIRE(parts("2147483648", 0) == 1);
    REQUIRE(parts("99999999999999", 100'000'000) == 1'000'000);
}

TEST_CASE("keys left unprocessed are asked for again, and only these") {
    int calls = 0;
    DynamodbWorld world{[&](const Bytes& operation, const Bytes& body) {
        REQUIRE(operation == "BatchGetItem");
        REQUIRE(has(body, "\"ConsistentRead\":true"));
        if (++calls == 1) {
            return answer_of(200, "{\"Responses\":{\"Users\":[" + user_json("b", "2") +
                                      "]},\"UnprocessedKeys\":{\"Users\":{\"Keys\":[" + key_a +
                                      "]}},\"ConsumedCapacity\":[{\"CapacityUnits\":2.0}]}");
        }
        REQUIRE_FALSE(has(body, key_b));
        return answer_of(200, "{\"Responses\":{\"Users\":[" + user_json("a", "1") +
                                  "]},\"UnprocessedKeys\":{}}");
    }};
    DynamodbReader reader{world.settings(), world.around()};
    const std::vector<Key> keys{{Value::text("a")},   {Value::text("b")}, {Value::text("c")},
                                {Value::number("1")}, {Value::text("")},  {Value::text("a")},
                                {Value::text(Bytes(2049, 'x'))}};
    const std::vector<std::optional<Row>> rows = reader.read("Users", keys);
    REQUIRE(rows == std::vector<std::optional<Row>>{user_row("a", "1"), user_row("b", "2"),
                                                    std::nullopt, std::nullopt, std::nullopt,
                                                    user_row("a", "1"), std::nullopt});
    REQUIRE(calls == 2);
    REQUIRE(world.clock.slept.size() == 1);
    REQUIRE(reader.units() == 2.0);
}

TEST_CASE("a read of many keys asks for a hundred at a time, and an endless rest is an error") {
    DynamodbWorld world{[&](const Bytes&, const Bytes& body) {
        std::size_t count = 0;
        for (std::size_t at = 0; (at = body.find("{\"id\":", at)) != Bytes::npos; ++at) ++count;
        REQUIRE(count <= 100);
        return answer_of(200, "{\"Responses\":{},\"UnprocessedKeys\":{}}");
    }};
    std::vector<Key> keys;
    for (int number = 0; number < 250; ++number) {
        keys.push_back({Value::text(std::to_string(number))});
    }
    DynamodbReader reader{world.settings(), world.around()};
    REQUIRE(reader.read("Users", keys) == std::vector<std::optional<Row>>(250));
    REQUIRE(world.asked.size() == 3);
    world.answer = [](const Bytes&, const Bytes& body) {
        const std::size_t at = body.find("\"Keys\"");
        return answer_of(200, "{\"Responses\":{},\"UnprocessedKeys\":{\"Users\":{" +
                                  body.substr(at, body.size() - at - 2) + "}}");
    };
    keys.resize(1);
    REQUIRE_THROWS_WITH(reader.read("Users", keys), Catch::Contains("unprocessed to the end"));
}

TEST_CASE("answers to a read that were not asked for are refused") {
    const std::vector<Key> keys{{Value::text("a")}};
    for (const Bytes& body :
         {Bytes{"{}"}, Bytes{"{\"Responses\":[]}"},
          "{\"Responses\":{\"Users\":[" + user_json("b", "1") + "]}}",
          "{\"Responses\":{\"Other\":[" + user_json("a", "1") + "]}}",
          Bytes{"{\"Responses\":{\"Users\":[{\"id\":{\"S\":\"a\"},\"v\":{\"N\":\"x\"}}]}}"},
          "{\"Responses\":{},\"UnprocessedKeys\":{\"Users\":{\"Keys\":[" + key_b + "]}}}",
          "{\"Responses\":{},\"UnprocessedKeys\":{\"Users\":{\"Keys\":[" + key_a + "," + key_a +
              "]}}}",
          "{\"Responses\":{},\"UnprocessedKeys\":{\"Other\":{\"Keys\":[" + key_a + "]}}}"}) {
        CAPTURE(body);
        DynamodbWorld world{[&](const Bytes&, const Bytes&) { return answer_of(200, body); }};
        DynamodbReader reader{world.settings(), world.around()};
        REQUIRE_THROWS_WITH(reader.read("Users", keys), Catch::Contains("makes no sense"));
    }
}

TEST_CASE("a table that is not ready, or is none, says what to do") {
    DynamodbWorld world{[](const Bytes&, const Bytes&) { return page_of({}); }};
    DynamodbReader reader{world.settings(), world.around()};
    REQUIRE(reader.table("Parts") == TableSchema{"Parts", {"id", "n"}, {Kind::text, Kind::number}});
    REQUIRE_THROWS_WITH(reader.split("Nobody", 1), Catch::Contains("no such table"));
    for (const Bytes status : {"CREATING", "DELETING", "ARCHIVED", ""}) {
        world.status = status;
        reader.refresh();
        REQUIRE_THROWS_WITH(reader.table("Users"),
                            Catch::Contains("not ready") && Catch::Contains("status=" + status));
    }
}

TEST_CASE("a store is told by its region and account, by whichever way that is known") {
    int asked = 0;
    DynamodbWorld world{[&](const Bytes&, const Bytes& body) {
        ++asked;
        REQUIRE(has(body, "GetCallerIdentity"));
        return answer_of(200, "<R><Account>123456789012</Account></R>");
    }};
    DynamodbReader described{world.settings(), world.around()};
    described.table("Users");
    REQUIRE(described.identity() == "dynamodb/eu-west-1/123456789012");
    REQUIRE(asked == 0);
    DynamodbReader fresh{world.settings(), world.around()};
    REQUIRE(fresh.identity() == described.identity());
    REQUIRE(fresh.identity() == described.identity());
    REQUIRE(asked == 1);
    REQUIRE(world.transport.requests.back().url == "https://sts.eu-west-1.amazonaws.com/");
}

TEST_CASE("a server that only a spec names gets no credentials and may have no transactions") {
    DynamodbWorld world{[](const Bytes& operation, const Bytes&) {
        REQUIRE(operation == "TransactWriteItems");
        return fault_of("UnknownOperationException");
    }};
    DynamodbSettings settings = world.settings();
    settings.place.endpoint = "http://localhost:4567";
    const DynamodbReader reader{settings, world.around()};
    REQUIRE(reader.capabilities().guard == GuardReach::row);
    // Whoever only reads sends nothing that looks like a write.
    REQUIRE(world.asked.empty());
    REQUIRE(std::pair{reader.guard(), reader.guard()} ==
            std::pair{GuardReach::row, GuardReach::row});
    REQUIRE(world.asked.size() == 1);
    REQUIRE(reader.identity() == "dynamodb/eu-west-1/http://localhost:4567");
    const HttpRequest& sent = world.transport.requests.at(0);
    REQUIRE(sent.url == "http://localhost:4567/");
    REQUIRE(sent.signing->key_id == "local");
    REQUIRE(sent.signing->session_token.empty());
}
