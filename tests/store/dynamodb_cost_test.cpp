// Promised: what DynamoDB says that reads cost is counted for each table, with requests, repeats
// and throttles; a spent budget ends a scan after all that was paid for; a stop ends every wait for
// another try; an answer that is no JSON is asked for again.
//
// Method: a service played by a script, on a clock that moves only by waiting.

#include <catch2/catch.hpp>

#include "conformance.hpp"
#include "dynamodb_world.hpp"

using namespace idxfsck::store;
using conformance::Collector;

namespace {

HttpResult page_of(const std::vector<Bytes>& items, const Bytes& last = {}) {
    Bytes body = "{\"Items\":[";
    for (const Bytes& item : items) body.append(body.back() == '[' ? "" : ",").append(item);
    body.append("],\"ConsumedCapacity\":{\"TableName\":\"Users\",\"CapacityUnits\":1.5}");
    if (!last.empty()) body.append(",\"LastEvaluatedKey\":{\"id\":{\"S\":\"" + last + "\"}}");
    return answer_of(200, body + "}");
}

HttpResult rows_of(const Bytes& capacity) {
    return answer_of(200, "{\"Responses\":{},\"ConsumedCapacity\":[" + capacity + "]}");
}

// Pages that never end, each of one row.
struct Endless {
    DynamodbWorld world{[this](const Bytes&, const Bytes&) {
        ++pages;
        return page_of({user_json("k" + std::to_string(pages), "1")},
                       "k" + std::to_string(pages));
    }};
    int pages = 0;
};

// What a scan of Users throws, and the rows before.
struct Ended {
    Ended(DynamodbReader& reader, const ScanOptions& options = {}) {
        try {
            reader.scan("Users", reader.split("Users", 1).at(0), options, rows);
        } catch (const Error& error) {
            text = error.what();
            trouble = error.trouble();
        }
    }

    Collector rows;
    std::string text;
    std::optional<Trouble> trouble;
};

std::shared_ptr<RunLimits> budget_of(DynamodbWorld& world, double units) {
    return std::make_shared<RunLimits>(world.clock, units, nullptr);
}

}  // namespace

TEST_CASE("costs are told for each table, in units, requests and dollars") {
    int calls = 0;
    DynamodbWorld world{[&](const Bytes& operation, const Bytes& body) {
        if (++calls == 2) return fault_of("ProvisionedThroughputExceededException");
        if (calls == 3) return fault_of("InternalServerError", {}, 500);
        if (operation == "Scan") return page_of({}, calls == 1 ? "a" : "");
        return rows_of(body.find("Users") != Bytes::npos
                           ? "{\"TableName\":\"Users\",\"CapacityUnits\":3}"
                           : "{\"TableName\":\"arn:Parts\",\"CapacityUnits\":0.5}");
    }};
    DynamodbSettings settings = world.settings();
    settings.dollars_per_million = 0.25;
    DynamodbReader reader{settings, world.around()};
    REQUIRE(reader.cost("Users") == ReadCost{0, 0, 0, 0, 0, 0.0});
    Ended{reader};
    const std::vector<Key> user{{Value::text("a")}};
    const std::vector<Key> part{{Value::text("a"), Value::number("1")}};
    reader.read("Users", user);
    reader.read("Parts", part);
    REQUIRE(reader.cost("Users") == ReadCost{3.0, 3.0, 5, 2, 1, 6.0 * 0.25 / 1e6});
    REQUIRE(reader.cost("Parts") == ReadCost{0.0, 0.5, 1, 0, 0, 0.5 * 0.25 / 1e6});
    DynamodbReader priceless{world.settings(), world.around()};
    REQUIRE(priceless.cost("Users")->dollars == std::nullopt);
}

TEST_CASE("a spent budget ends a scan after the page that was paid for, and it goes on there") {
    Endless endless;
    DynamodbReader reader{endless.world.settings(), endless.world.around()};
    reader.obey(budget_of(endless.world, 10));
    const Ended ended{reader};
    REQUIRE(ended.trouble == Trouble::stopped);
    REQUIRE(ended.text.find("the budget of 10 read units is spent") == 0);
    // Six pages of one and a half units; a seventh would be too much.
    REQUIRE(endless.pages == 6);
    REQUIRE(ended.rows.rows.size() == 6);
    REQUIRE(reader.cost("Users")->scan_units == 9.0);
    DynamodbReader next{endless.world.settings(), endless.world.around()};
    next.obey(budget_of(endless.world, 10));
    ScanOptions options;
    options.resume = ended.rows.pages.back().position;
    const Ended more{next, options};
    REQUIRE(endless.pages == 12);
    REQUIRE(more.rows.rows.front().key == Key{Value::text("k7")});
    REQUIRE(endless.world.asked[6].second.find(R"({"id":{"S":"k6"}})") != Bytes::npos);
}

TEST_CASE("a budget holds for rows that are read by their keys, and for all stores of a run") {
    DynamodbWorld world{[](const Bytes&, const Bytes&) {
        return rows_of("{\"TableName\":\"Users\",\"CapacityUnits\":80}");
    }};
    DynamodbReader one{world.settings(), world.around()};
    DynamodbReader other{world.settings(), world.around()};
    const auto limits = budget_of(world, 200);
    one.obey(limits);
    other.obey(limits);
    std::vector<Key> keys;
    for (int number = 0; number < 150; ++number) {
        keys.push_back({Value::text(std::to_string(number))});
    }
    one.read("Users", keys);
    REQUIRE_THROWS_WITH(other.read("Users", keys), Catch::Contains("budget of 200 read units"));
    REQUIRE(world.asked.size() == 2);
}

TEST_CASE("a page that nobody reads any more counts as the dearest so far") {
    Endless endless;
    DynamodbReader reader{endless.world.settings(), endless.world.around()};
    struct Stopper : RowSink {
        void row(const RowView&) override {}
        bool page_end(const Position&) override { return false; }
    } stopper;
    reader.scan("Users", reader.split("Users", 1).at(0), {}, stopper);
    REQUIRE(endless.pages == 2);
    REQUIRE(reader.cost("Users")->scan_units == 3.0);
    REQUIRE(reader.cost("Users")->requests == 2);
}

TEST_CASE("a stop ends the wait for another try, and is no failure of the service") {
    const std::vector<Key> keys{{Value::text("a")}};
    DynamodbWorld world{[](const Bytes& operation, const Bytes& body) {
        if (operation == "Scan") return fault_of("ThrottlingException");
        const std::size_t at = body.find("\"Keys\"");
        return answer_of(200, "{\"Responses\":{},\"UnprocessedKeys\":{\"Users\":{" +
                                  body.substr(at, body.size() - at - 2) + "}}");
    }};
    world.clock.while_asleep = [&] { world.clock.stop(); };
    DynamodbReader reader{world.settings(), world.around()};
    const Ended ended{reader};
    REQUIRE(ended.trouble == Trouble::stopped);
    REQUIRE(ended.text.find("operation=Scan") != std::string::npos);
    REQUIRE(world.clock.slept.size() == 1);
    world.clock.stops = false;
    REQUIRE_THROWS_WITH(reader.read("Users", keys), Catch::Contains("the run was stopped"));
    REQUIRE(world.clock.slept.size() == 2);
}

TEST_CASE("an answer that is no JSON is asked for again, and in the end it is said what for") {
    const std::vector<Key> keys{{Value::text("a")}};
    for (const Bytes body : {"<html>Gateway</html>", "", "{", "{\"Items\":[],\"Count\":0",
                             "{\"Items\":[]}}", "[]", "{} {}", "null"}) {
        CAPTURE(body);
        int calls = 0;
        int bad = 2;
        DynamodbWorld world{[&](const Bytes& operation, const Bytes&) {
            if (++calls <= bad) return answer_of(200, body);
            return operation == "Scan" ? page_of({user_json("a", "1")}) : rows_of("");
        }};
        DynamodbReader reader{world.settings(), world.around()};
        const Ended mended{reader};
        REQUIRE(mended.text.empty());
        REQUIRE(mended.rows.rows == std::vector<Row>{user_row("a", "1")});
        REQUIRE(world.clock.slept.size() == 2);
        REQUIRE(reader.cost("Users")->retries == 2);
        bad = 1'000'000;
        const Ended ended{reader};
        REQUIRE(ended.trouble == Trouble::could_not_tell);
        REQUIRE(ended.rows.pages.empty());
        for (const char* const part : {"no JSON", "operation=Scan", "table=Users"}) {
            REQUIRE(ended.text.find(part) != std::string::npos);
        }
        REQUIRE_THROWS_WITH(reader.read("Users", keys), Catch::Contains("operation=BatchGetItem") &&
                                                            Catch::Contains("table=Users"));
    }
}
