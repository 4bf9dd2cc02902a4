// What may happen around a guarded write to a table, played by scripts: rows that move between the
// look and the write, answers that are lost, services that refuse.

#include <catch2/catch.hpp>

#include "azure_tables_world.hpp"

using namespace idxfsck::store;

namespace {

const Key key{Value::text("p"), Value::text("it's")};

// A table of one row that answers as the service does.
class OneRow {
public:
    explicit OneRow(std::optional<int> number) : number_{number} {}

    HttpResult answer(const HttpRequest& request) {
        if (AzureTablesWorld::looks(request)) return page_of({});
        if (request.method == "GET") {
            const HttpResult seen = look();
            if (meanwhile) std::exchange(meanwhile, {})(*this);
            return seen;
        }
        const HttpResult done = write(request);
        if (!lose_replies) return done;
        --lose_replies;
        return failure_of("the answer was lost");
    }

    void set(std::optional<int> number) {
        number_ = number;
        ++version_;
    }

    std::function<void(OneRow&)> meanwhile;  // once, right after the next look
    int lose_replies = 0;
    std::vector<Bytes> matches;  // of If-Match
    int writes = 0;

    std::optional<int> number() const { return number_; }

private:
    Bytes tag() const { return "W/\"" + std::to_string(version_) + "\""; }

    HttpResult look() const {
        if (!number_) return table_fault(404, "ResourceNotFound");
        HttpResult out = answer_of(200, entity_json("p", "it's", *number_));
        out.headers.push_back({"etag", tag()});
        return out;
    }

    HttpResult write(const HttpRequest& request) {
        ++writes;
        if (request.method == "POST") {
            if (number_) return table_fault(409, "EntityAlreadyExists");
            set(number_in(request.body));
            return answer_of(204, "");
        }
        REQUIRE(request.url.ends_with("users(PartitionKey=%27p%27,RowKey=%27it%27%27s%27)"));
        for (const HttpHeader& header : request.headers) {
            if (header.name == "If-Match") matches.push_back(header.value);
        }
        if (!number_) return table_fault(404, "ResourceNotFound");
        if (matches.back() != tag()) return table_fault(412, "UpdateConditionNotSatisfied");
        set(request.method == "PUT" ? std::optional{number_in(request.body)} : std::nullopt);
        return answer_of(204, "");
    }

    static int number_in(const Bytes& body) {
        return std::stoi(body.substr(body.find("\"n\":") + 4));
    }

    std::optional<int> number_;
    int version_ = 7;
};

Row row_of(int number) {
    return {key, encode_attributes({{"n", Value::int32(number)}}), {}};
}

struct Attempt {
    explicit Attempt(std::optional<int> number) : row{number} {}

    WriteOutcome write(const Expectation& expected, std::optional<Row> after) {
        AzureTablesStore store{{}, world.around()};
        return store.write({"users", key, expected, std::move(after), {}});
    }

    OneRow row;
    AzureTablesWorld world{[this](const HttpRequest& request) { return row.answer(request); }};
};

}  // namespace

TEST_CASE("a row that moved between look and write is judged again") {
    Attempt moved{1};
    moved.row.meanwhile = [](OneRow& row) { row.set(2); };
    REQUIRE(moved.write(ExpectRow{row_of(1)}, row_of(9)) == WriteOutcome::superseded);
    REQUIRE(moved.row.number() == 2);
    REQUIRE(moved.row.matches == std::vector<Bytes>{"W/\"7\""});

    Attempt same{1};
    same.row.meanwhile = [](OneRow& row) { row.set(1); };
    REQUIRE(same.write(ExpectRow{row_of(1)}, row_of(9)) == WriteOutcome::applied);
    REQUIRE(same.row.matches == std::vector<Bytes>{"W/\"7\"", "W/\"8\""});

    Attempt gone{1};
    gone.row.meanwhile = [](OneRow& row) { row.set(std::nullopt); };
    REQUIRE(gone.write(ExpectRow{row_of(1)}, row_of(9)) == WriteOutcome::superseded);

    Attempt taken{std::nullopt};
    taken.row.meanwhile = [](OneRow& row) { row.set(3); };
    REQUIRE(taken.write(ExpectAbsent{}, row_of(9)) == WriteOutcome::superseded);
    REQUIRE(taken.row.number() == 3);
}

TEST_CASE("a write whose answer was lost is found by reading the row again") {
    for (const auto& [before, after] :
         std::vector<std::pair<std::optional<int>, std::optional<int>>>{{{}, 9}, {1, 9}, {1, {}}}) {
        Attempt attempt{before};
        attempt.row.lose_replies = 1;
        Expectation expected = ExpectAbsent{};
        if (before) expected = ExpectRow{row_of(*before)};
        const std::optional<Row> wanted = after ? std::optional{row_of(*after)} : std::nullopt;
        REQUIRE(attempt.write(expected, wanted) == WriteOutcome::already);
        REQUIRE(attempt.row.number() == after);
        REQUIRE(attempt.row.writes == 2);
    }
}

TEST_CASE("a row that moves all the time ends in an error, not in a write") {
    Attempt attempt{1};
    std::function<void(OneRow&)> again = [&](OneRow& row) {
        row.set(1);
        row.meanwhile = again;
    };
    attempt.row.meanwhile = again;
    REQUIRE_THROWS_WITH(attempt.write(ExpectRow{row_of(1)}, row_of(9)),
                        Catch::Contains("the row changes all the time"));
    REQUIRE(attempt.row.number() == 1);
}

TEST_CASE("a list that is full is named before anything is sent") {
    Attempt attempt{1};
    Row full = row_of(1);
    full.set("ids", Value::text(Bytes(40'000, 'x')).view());
    REQUIRE_THROWS_WITH(attempt.write(ExpectRow{row_of(1)}, full),
                        Catch::Contains("attribute=ids") && Catch::Contains("64 KiB"));
    REQUIRE(attempt.world.asked().empty());
}

TEST_CASE("no write goes out for a row without a version") {
    AzureTablesWorld world{[](const HttpRequest& request) {
        if (AzureTablesWorld::looks(request)) return page_of({});
        return answer_of(200, R"({"PartitionKey":"p","RowKey":"it's","n":1})");
    }};
    AzureTablesStore store{{}, world.around()};
    REQUIRE_THROWS_WITH(store.write({"users", key, ExpectRow{row_of(1)}, row_of(9), {}}),
                        Catch::Contains("without a version"));
    REQUIRE(world.asked().size() == 1);
}
