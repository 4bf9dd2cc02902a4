// Writing to DynamoDB: what is sent, and what becomes of each answer. dynalite has no transactions,
// so here the service is a script.
//
// Method: a service that answers reads from two rows in memory and writes by the test's word. The
// requests are compared with what the API Reference asks for, written out.

#include <catch2/catch.hpp>

#include <cmath>

#include <nlohmann/json.hpp>

#include "dynamodb_world.hpp"

using namespace idxfsck::store;
using Json = nlohmann::json;

namespace {

const Key part_key{Value::text("k"), Value::number("7")};

// Rows of Users and Parts as they are now, as JSON, and the answers to writes.
struct Service {
    Service()
        : world{[this](const Bytes& operation, const Bytes& body) {
              if (operation == "BatchGetItem") return read(body);
              writes.emplace_back(operation, body);
              REQUIRE(next < answers.size());
              const auto& [result, then] = answers[next++];
              if (then) then();
              return result;
          }} {}

    WriteOutcome write(const GuardedWrite& write) {
        DynamodbStore store{world.settings(), world.around()};
        return store.write(write);
    }

    HttpResult read(const Bytes& body) {
        ++reads;
        Bytes lists;
        for (const auto& [table, row] : {std::pair{"\"Users\":", user}, {"\"Parts\":", part}}) {
            if (body.find(Bytes{table} + "{") == Bytes::npos) continue;
            lists.append(lists.empty() ? "" : ",").append(table).append("[" + row + "]");
        }
        return answer_of(200, "{\"Responses\":{" + lists + "},\"UnprocessedKeys\":{}}");
    }

    Bytes user;
    Bytes part;
    int reads = 0;
    std::vector<std::pair<HttpResult, std::function<void()>>> answers;
    std::size_t next = 0;
    std::vector<std::pair<Bytes, Bytes>> writes;
    DynamodbWorld world;
};

const HttpResult fine = answer_of(200, "{}");

HttpResult cancelled(const std::vector<Bytes>& codes) {
    Bytes reasons;
    for (const Bytes& code : codes) {
        reasons += (reasons.empty() ? "{\"Code\":\"" : ",{\"Code\":\"") + code + "\"}";
    }
    return fault_of("TransactionCanceledException", ",\"CancellationReasons\":[" + reasons + "]");
}

Row part_row(std::vector<NamedValue> attributes) {
    return {part_key, encode_attributes(std::move(attributes)), {}};
}

// Puts a row of Parts where none is, if user a says v = 1.
GuardedWrite guarded_put() {
    return {"Parts", part_key, ExpectAbsent{}, part_row({{"x", Value::text("y")}}),
            {{"Users", {Value::text("a")}, ExpectAttributes{{{"v", Value::number("1")}}}}}};
}

// The request, with the random token taken out, and that it asks for its cost.
Json request_of(const std::pair<Bytes, Bytes>& write) {
    Json json = Json::parse(write.second);
    REQUIRE(json["ReturnConsumedCapacity"] == "TOTAL");
    json.erase("ReturnConsumedCapacity");
    if (json.contains("ClientRequestToken")) {
        REQUIRE(json["ClientRequestToken"].get<std::string>().size() == 32);
        json.erase("ClientRequestToken");
    }
    return json;
}

}  // namespace

TEST_CASE("a write with a guard on another row is one transaction with a check of it") {
    Service service;
    service.user = user_json("a", "1");
    service.answers = {{fine, {}}};
    REQUIRE(service.write(guarded_put()) == WriteOutcome::applied);
    REQUIRE(service.writes.size() == 1);
    REQUIRE(service.writes[0].first == "TransactWriteItems");
    REQUIRE(request_of(service.writes[0]) == Json::parse(R"j({"TransactItems":[
        {"Put":{"TableName":"Parts","Item":{"id":{"S":"k"},"n":{"N":"7"},"x":{"S":"y"}},
                "ConditionExpression":"attribute_not_exists(#0)",
                "ExpressionAttributeNames":{"#0":"id"}}},
        {"ConditionCheck":{"TableName":"Users","Key":{"id":{"S":"a"}},
                "ConditionExpression":"attribute_exists(#0) AND #1=:0",
                "ExpressionAttributeNames":{"#0":"id","#1":"v"},
                "ExpressionAttributeValues":{":0":{"N":"1"}}}}]})j"));
}

TEST_CASE("a write of one row alone is one request with a condition on all that was seen") {
    Service service;
    service.part = R"({"id":{"S":"k"},"n":{"N":"7"},"a b":{"S":"1"},"gone":{"SS":["p","q"]}})";
    service.answers = {{fine, {}}, {fine, {}}};
    GuardedWrite write{"Parts", part_key, ExpectAttributes{{{"a b", Value::text("1")}}},
                       part_row({{"a b", Value::text("2")}, {"new", Value::null()}}), {}};
    REQUIRE(service.write(write) == WriteOutcome::applied);
    REQUIRE(service.writes[0].first == "UpdateItem");
    REQUIRE(request_of(service.writes[0]) == Json::parse(R"j({"TableName":"Parts",
        "Key":{"id":{"S":"k"},"n":{"N":"7"}},
        "ConditionExpression":"attribute_exists(#0) AND #1=:0 AND #2=:1",
        "UpdateExpression":"SET #1=:2,#3=:3 REMOVE #2",
        "ExpressionAttributeNames":{"#0":"id","#1":"a b","#2":"gone","#3":"new"},
        "ExpressionAttributeValues":{":0":{"S":"1"},":1":{"SS":["p","q"]},":2":{"S":"2"},
                                     ":3":{"NULL":true}}})j"));
    write.after.reset();
    REQUIRE(service.write(write) == WriteOutcome::applied);
    REQUIRE(service.writes[1].first == "DeleteItem");
    REQUIRE(request_of(service.writes[1])["ConditionExpression"] ==
            "attribute_exists(#0) AND #1=:0 AND #2=:1");
}

TEST_CASE("what writes cost is counted for each table, and told in dollars at their price") {
    Service service;
    service.user = user_json("a", "1");
    const auto of_tables = answer_of(
        200, R"({"ConsumedCapacity":[{"TableName":"Parts","CapacityUnits":4},)"
             R"({"TableName":"Users","CapacityUnits":2}]})");
    const auto of_one = answer_of(200, R"({"ConsumedCapacity":{"CapacityUnits":1.5}})");
    service.answers = {{cancelled({"ConditionalCheckFailed", "None"}), {}},
                       {of_tables, {}},
                       {of_one, {}},
                       {of_tables, {}}};
    DynamodbSettings settings = service.world.settings();
    settings.dollars_per_million_writes = 1.25;
    DynamodbStore store{settings, service.world.around()};
    REQUIRE(store.write(guarded_put()) == WriteOutcome::applied);
    GuardedWrite alone = guarded_put();
    alone.guards.clear();
    REQUIRE(store.write(alone) == WriteOutcome::applied);
    CHECK(store.cost("Parts")->write_units == 5.5);
    CHECK(store.cost("Users")->write_units == 2.0);
    // The script's reads cost nothing: of these there need be no price.
    CHECK(store.cost("Parts")->dollars == 5.5 * 1.25 / 1e6);
    settings.dollars_per_million_writes.reset();
    settings.dollars_per_million = 0.25;
    DynamodbStore unpriced{settings, service.world.around()};
    REQUIRE(unpriced.write(guarded_put()) == WriteOutcome::applied);
    CHECK(unpriced.cost("Parts")->write_units == 4.0);
    CHECK(unpriced.cost("Parts")->dollars == std::nullopt);
}

TEST_CASE("what the reading shows settles a write without sending it") {
    Service service;
    service.user = user_json("a", "2");
    REQUIRE(service.write(guarded_put()) == WriteOutcome::superseded);
    service.user = user_json("a", "1");
    service.part = R"({"id":{"S":"k"},"n":{"N":"7.0"},"x":{"S":"y"}})";
    REQUIRE(service.write(guarded_put()) == WriteOutcome::already);
    service.part = R"({"id":{"S":"k"},"n":{"N":"7"},"x":{"S":"z"}})";
    REQUIRE(service.write(guarded_put()) == WriteOutcome::superseded);
    REQUIRE(service.writes.empty());
}

TEST_CASE("a condition that failed is judged again by the rows as they then are") {
    Service service;
    service.user = user_json("a", "1");
    service.answers = {{cancelled({"None", "ConditionalCheckFailed"}),
                        [&] { service.user = user_json("a", "2"); }}};
    REQUIRE(service.write(guarded_put()) == WriteOutcome::superseded);
    // A change that the guard does not mind.
    service.user = user_json("a", "1");
    service.answers = {{cancelled({"ConditionalCheckFailed", "TransactionConflict"}), {}},
                       {fine, {}}};
    service.next = 0;
    service.writes.clear();
    REQUIRE(service.write(guarded_put()) == WriteOutcome::applied);
    REQUIRE(service.writes.size() == 2);
    // Alone.
    GuardedWrite alone = guarded_put();
    alone.guards.clear();
    service.answers = {{fault_of("ConditionalCheckFailedException"), [&] {
                            service.part = R"({"id":{"S":"k"},"n":{"N":"7"},"x":{"S":"y"}})";
                        }}};
    service.next = 0;
    REQUIRE(service.write(alone) == WriteOutcome::already);
}

TEST_CASE("a server whose conditions do not hold of the rows that it shows is not asked for ever") {
    Service service;
    service.user = user_json("a", "1");
    service.answers.assign(100, {cancelled({"ConditionalCheckFailed", "None"}), {}});
    REQUIRE_THROWS_WITH(service.write(guarded_put()), Catch::Contains("refuses the condition"));
    REQUIRE(service.next == 5);
    // One whose rows do change is: whoever changes them stops some time.
    service.next = 0;
    service.answers.clear();
    for (int number = 0; number < 6; ++number) {
        const Bytes text = "{\"id\":{\"S\":\"a\"},\"v\":{\"N\":\"1\"},\"w\":{\"N\":\"" +
                           std::to_string(number) + "\"}}";
        service.answers.push_back({cancelled({"None", "ConditionalCheckFailed"}),
                                   [&service, text] { service.user = text; }});
    }
    service.answers.push_back({fine, {}});
    REQUIRE(service.write(guarded_put()) == WriteOutcome::applied);
    REQUIRE(service.next == 7);
}

TEST_CASE("a conflict of transactions is waited out") {
    Service service;
    service.user = user_json("a", "1");
    service.answers = {{cancelled({"None", "TransactionConflict"}), {}},
                       {cancelled({"ThrottlingError", "None"}), {}},
                       {fine, {}}};
    REQUIRE(service.write(guarded_put()) == WriteOutcome::applied);
    REQUIRE(service.reads == 3);
    REQUIRE(service.world.clock.slept == std::vector<std::int64_t>{25, 50});
    service.next = 0;
    service.answers.assign(100, {cancelled({"TransactionConflict", "None"}), {}});
    REQUIRE_THROWS_WITH(service.write(guarded_put()), Catch::Contains("hold the row"));
    service.next = 0;
    service.answers.assign(100, {fault_of("TransactionConflictException"), {}});
    GuardedWrite alone = guarded_put();
    alone.guards.clear();
    REQUIRE_THROWS_WITH(service.write(alone), Catch::Contains("hold the row"));
}

TEST_CASE("a transaction whose answer was lost is sent again under the same token") {
    Service service;
    service.user = user_json("a", "1");
    service.answers = {{failure_of("the connection was reset"), {}}, {answer_of(500, ""), {}},
                       {fine, {}}, {fine, {}}};
    REQUIRE(service.write(guarded_put()) == WriteOutcome::applied);
    REQUIRE(service.writes.size() == 3);
    REQUIRE(service.writes[0].second == service.writes[1].second);
    REQUIRE(service.writes[0].second == service.writes[2].second);
    REQUIRE(service.reads == 1);
}

TEST_CASE("a write alone whose answer was lost is ours if the row is then as it was written") {
    Service service;
    GuardedWrite alone = guarded_put();
    alone.guards.clear();
    const Bytes written = R"({"id":{"S":"k"},"n":{"N":"7"},"x":{"S":"y"}})";
    for (const auto& [lost, outcome] :
         {std::pair{failure_of("the connection was reset"), WriteOutcome::applied},
          std::pair{answer_of(500, ""), WriteOutcome::applied},
          std::pair{fault_of("ThrottlingException"), WriteOutcome::already}}) {
        service.part.clear();
        service.next = 0;
        service.answers = {{lost, [&] { service.part = written; }},
                           {fault_of("ConditionalCheckFailedException"), {}}};
        REQUIRE(service.write(alone) == outcome);
    }
    // It is as somebody else wrote it.
    service.part.clear();
    service.next = 0;
    service.answers = {{answer_of(500, ""), {}},
                       {fault_of("ConditionalCheckFailedException"), [&] {
                            service.part = R"({"id":{"S":"k"},"n":{"N":"7"},"x":{"S":"z"}})";
                        }}};
    REQUIRE(service.write(alone) == WriteOutcome::superseded);
}

TEST_CASE("what no trying again can mend is an error that names it") {
    Service service;
    service.user = user_json("a", "1");
    const std::vector<HttpResult> hopeless{
        cancelled({"ValidationError", "None"}), cancelled({"None", "None"}),
        cancelled({"ItemCollectionSizeLimitExceeded"}),
        fault_of("TransactionCanceledException"), fault_of("ValidationException"),
        fault_of("UnknownOperationException"), fault_of("IdempotentParameterMismatchException")};
    for (const HttpResult& result : hopeless) {
        service.answers = {{result, {}}};
        service.next = 0;
        REQUIRE_THROWS_WITH(service.write(guarded_put()),
                            Catch::Contains("refuses this write") &&
                                Catch::Contains("table=Parts"));
    }
    service.answers = {
        {fault_of("AccessDeniedException", ",\"Message\":\"dynamodb:PutItem\""), {}}};
    service.next = 0;
    REQUIRE_THROWS_WITH(service.write(guarded_put()), Catch::Contains("dynamodb:PutItem"));
}

TEST_CASE("a cancelled transaction is told with the words of the part that was the reason") {
    Service service;
    service.user = user_json("a", "1");
    const char* const words =
        R"(,"Message":"[ValidationError, None]","CancellationReasons":[{"Code":"ValidationError",)"
        R"("Message":"Item size has exceeded the maximum allowed size"},{"Code":"None"}])";
    service.answers = {{fault_of("TransactionCanceledException", words), {}}};
    REQUIRE_THROWS_WITH(service.write(guarded_put()),
                        Catch::Contains("ValidationError: Item size has exceeded"));
}

TEST_CASE("guards on one row are one check, and those on the written row join its condition") {
    Service service;
    service.user = user_json("a", "1");
    service.answers = {{fine, {}}};
    GuardedWrite write = guarded_put();
    write.guards.push_back({"Users", {Value::text("a")},
                            ExpectAttributes{{{"w", Value{}}}}});
    write.guards.push_back({"Parts", {Value::text("k"), Value::number("7.0")}, ExpectAbsent{}});
    // A key that no row can have.
    write.guards.push_back({"Users", {Value::text("")}, ExpectAbsent{}});
    REQUIRE(service.write(write) == WriteOutcome::applied);
    const Json items = request_of(service.writes[0])["TransactItems"];
    REQUIRE(items.size() == 2);
    REQUIRE(items[0]["Put"]["ConditionExpression"] ==
            "attribute_not_exists(#0) AND attribute_not_exists(#0)");
    REQUIRE(items[1]["ConditionCheck"]["ConditionExpression"] ==
            "attribute_exists(#0) AND #1=:0 AND attribute_exists(#0) AND attribute_not_exists(#2)");
}

TEST_CASE("rows and keys that DynamoDB cannot hold are refused before anything is sent") {
    Service service;
    const auto refused = [&](const Key& key, std::vector<NamedValue> attributes) {
        const Row row{key, encode_attributes(std::move(attributes)), {}};
        REQUIRE_THROWS_AS(service.write({"Parts", key, ExpectAbsent{}, row, {}}), Error);
        REQUIRE(service.writes.empty());
    };
    refused({Value::text("k"), Value::text("7")}, {});
    refused({Value::text(""), Value::number("7")}, {});
    refused({Value::text(Bytes(2049, 'k')), Value::number("7")}, {});
    refused({Value::text("\xff"), Value::number("7")}, {});
    refused({Value::text("k"), Value::number(Bytes(39, '1'))}, {});
    refused({Value::text("k"), Value::real(std::nan(""))}, {});
    for (const Value& value :
         {Value::guid(Bytes(16, 'g')), Value::date_time(1), Value::number(Bytes(39, '7')),
          Value::number("1e200"), Value::text("\xff"), Value::set(Kind::text_set, {}),
          Value::list({Value::guid(Bytes(16, 'g'))}), Value::map({{"\xff", Value::null()}})}) {
        refused(part_key, {{"x", value}});
    }
    Row wide{part_key, {}, {}};
    for (int number = 0; number < 400; ++number) {
        wide.set("a" + std::to_string(number), Value::null());
    }
    service.part = "{\"id\":{\"S\":\"k\"},\"n\":{\"N\":\"7\"}";
    for (int number = 0; number < 400; ++number) {
        service.part += ",\"a" + std::to_string(number) + "\":{\"NULL\":true}";
    }
    service.part += "}";
    REQUIRE_THROWS_WITH(service.write({"Parts", part_key, ExpectRow{wide}, std::nullopt, {}}),
                        Catch::Contains("more attributes"));
}

TEST_CASE("values come back as DynamoDB keeps them") {
    struct Example {
        Value value;
        std::optional<Value> held;
    };
    for (const auto& [value, held] : std::initializer_list<Example>{
             {Value::int32(-5), Value::number("-5")},
             {Value::int64(1) , Value::number("1")},
             {Value::real(0.5), Value::number("0.5")},
             {Value::number("1.0"), Value::number("1")},
             {Value::number("-0"), Value::number("0")},
             {Value::number("1e3"), Value::number("1000")},
             {Value::number("12345678901234567890123456789012345678"),
              Value::number("12345678901234567890123456789012345678")},
             {Value::number("123456789012345678901234567890123456789"), std::nullopt},
             {Value::number("1e-130"), Value::number("1e-130")},
             {Value::number("1e-131"), std::nullopt},
             {Value::number("9.9e125"), Value::number("9.9e+125")},
             {Value::number("1e126"), std::nullopt},
             {Value::real(std::nan("")), std::nullopt},
             {Value::text(""), Value::text("")},
             {Value::set(Kind::number_set, {"1.0", "2"}), Value::set(Kind::number_set, {"1", "2"})},
             {Value::list({Value::int32(1), Value::map({{"a", Value::number("1.50")}})}),
              Value::list({Value::number("1"), Value::map({{"a", Value::number("1.5")}})})},
             {Value{Kind::list, "\x07\x7f"}, std::nullopt},
         }) {
        CAPTURE(value.payload);
        const std::optional<Value> seen = dynamodb_value(value);
        REQUIRE(seen.has_value() == held.has_value());
        if (!seen) continue;
        REQUIRE(seen->kind == held->kind);
        // The sign of an exponent is the canonical spelling's own affair.
        if (held->kind == Kind::number) {
            Bytes scratch;
            REQUIRE(seen->payload == canonical_number(*held, scratch));
        } else {
            REQUIRE(*seen == *held);
        }
        REQUIRE(dynamodb_value(*seen) == seen);
    }
}
