// Batches of guarded writes on a real server, behind the fault proxy, which refuses what the
// service would refuse: a batch over two partitions, of more than a hundred operations or 4 MiB, or
// with a row twice.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "../servers/server.hpp"
#include "azure_tables_live.hpp"

using namespace idxfsck::store;

namespace {

using nlohmann::json;

class Tables {
public:
    Tables() {
        if (!server_.runs()) return;
        live_.emplace(server_.endpoint());
        live_->create("users");
        store_.emplace(azure_settings_for(server_.endpoint()), live_->around());
        ask({{"clear", true}});
    }

    bool runs() const { return server_.runs(); }

    json ask(const json& order) { return json::parse(server_.ask(order.dump())); }
    void plan(const json& rules) {
        REQUIRE_FALSE(ask({{"plan", {{"seed", 1}, {"faults", rules}}}}).contains("error"));
    }

    // How many of each outcome.
    std::map<std::string, int> write(const std::vector<GuardedWrite>& writes) {
        std::map<std::string, int> out;
        for (const WriteReply& reply : store_->write_all(writes)) {
            if (!reply.outcome) ++out[reply.error];
            else if (*reply.outcome == WriteOutcome::applied) ++out["applied"];
            else ++out[*reply.outcome == WriteOutcome::already ? "already" : "superseded"];
        }
        return out;
    }

    std::optional<Row> read(const Key& key) { return store_->read("users", {&key, 1}).front(); }

    // Requests since the last time; none of them was one that the service refuses.
    int requests(const char* operation) {
        const json counts = ask({{"counts", true}});
        REQUIRE_FALSE(counts["faults"].contains("refused batch"));
        ask({{"clear", true}});
        return counts["requests"].value(operation, 0);
    }

private:
    idxfsck::servers::Server server_{"azurite", "--proxy"};
    std::optional<AzureTablesLive> live_;
    std::optional<AzureTablesStore> store_;
};

using Counted = std::map<std::string, int>;

// Keys that are easily taken for others, and plain ones, in two partitions.
std::vector<Key> keys_of(int count) {
    std::vector<Key> out;
    for (int number = 0; number < count; ++number) {
        out.push_back({Value::text(number % 5 == 4 ? "it's %41 & + \xf0\x9f\x98\x80" : "p"),
                       Value::text("r" + std::to_string(number) + "'(%2F) {\xc3\xa4}")});
    }
    return out;
}

Row row_of(const Key& key, int number) {
    return {key,
            encode_attributes({{"n", Value::int64(number)}, {"t", Value::text("\r\n--batch {}")}}),
            {}};
}

std::vector<GuardedWrite> writes_of(const std::vector<Key>& keys, std::optional<int> from,
                                    std::optional<int> to) {
    std::vector<GuardedWrite> out;
    for (const Key& key : keys) {
        GuardedWrite write{"users", key, ExpectAbsent{}, std::nullopt, {}};
        if (from) write.expected = ExpectRow{row_of(key, *from)};
        if (to) write.after = row_of(key, *to);
        out.push_back(std::move(write));
    }
    return out;
}

// From nothing to nothing: an insert, a replacement, a delete.
const std::vector<std::pair<std::optional<int>, std::optional<int>>> steps{
    {std::nullopt, 1}, {1, 2}, {2, std::nullopt}};

}  // namespace

TEST_CASE("rows are inserted, replaced and deleted in batches by a real server") {
    Tables tables;
    if (!tables.runs()) return;
    const std::vector<Key> keys = keys_of(250);
    const auto step = [&](std::optional<int> from, std::optional<int> to) {
        CAPTURE(from.value_or(-1), to.value_or(-1));
        REQUIRE(tables.write(writes_of(keys, from, to)) == Counted{{"applied", 250}});
        // 200 rows of one partition, 50 of the other.
        REQUIRE(tables.requests("Batch") == 3);
        for (const std::size_t place : {0, 4, 99, 100, 249}) {
            std::optional<Row> found = tables.read(keys[place]);
            REQUIRE(found.has_value() == to.has_value());
            if (found) REQUIRE(found->attributes == row_of(keys[place], *to).attributes);
        }
        REQUIRE(tables.write(writes_of(keys, from, to)) == Counted{{"already", 250}});
        REQUIRE(tables.requests("Batch") == 0);
    };
    step(std::nullopt, 1);
    step(1, 2);
    step(2, std::nullopt);
    for (const char* one : {"InsertEntity", "UpdateEntity", "DeleteEntity"}) {
        REQUIRE(tables.requests(one) == 0);
    }
}

TEST_CASE("no batch is larger than the service takes") {
    Tables tables;
    if (!tables.runs()) return;
    std::vector<GuardedWrite> writes;
    for (int number = 0; number < 100; ++number) {
        const Key key{Value::text("p"), Value::text(std::to_string(number))};
        Row row = row_of(key, number);
        row.set("x", Value::text(Bytes(30'000, 'x')).view());
        row.set("y", Value::text(Bytes(30'000, 'y')).view());
        writes.push_back({"users", key, ExpectAbsent{}, row, {}});
    }
    REQUIRE(tables.write(writes) == Counted{{"applied", 100}});
    REQUIRE(tables.requests("Batch") == 2);
}

TEST_CASE("a real batch whose answer is lost, late, in part or damaged is done once, and ours") {
    Tables tables;
    if (!tables.runs()) return;
    const std::vector<Key> keys = keys_of(4);
    for (const json& rule : std::vector<json>{
             {{"fault", "drop"}, {"after", true}}, {{"fault", "timed_out"}, {"after", true}},
             {{"fault", "timed_out"}, {"inner", true}}, {{"fault", "unavailable"}},
             {{"fault", "batch_in_part"}}, {{"fault", "truncated"}}, {{"fault", "reset"}},
             {{"fault", "internal"}, {"after", true}, {"inner", true}}}) {
        CAPTURE(rule.dump());
        for (const auto& [from, to] : steps) {
            json once = rule;
            once["at"] = json::array({1});
            once["operations"] = json::array({"Batch"});
            tables.plan(json::array({once}));
            REQUIRE(tables.write(writes_of(keys, from, to)) == Counted{{"applied", 4}});
            REQUIRE(tables.ask({{"counts", true}})["faults"].size() == 1);
            std::map<std::string, int> times;
            const json said = tables.ask({{"writes", true}});
            for (const json& one : said["writes"]) {
                times[one["key"].dump()] += one["applied"].get<bool>() ? 1 : 0;
            }
            for (const auto& [key, count] : times) REQUIRE(count == 1);
            REQUIRE(times.size() == 4);
            REQUIRE(tables.requests("Batch") == 2);
        }
    }
}

TEST_CASE("of a real batch the row that somebody writes meanwhile is kept, others are written") {
    Tables tables;
    if (!tables.runs()) return;
    std::vector<Key> keys;
    for (const char* row : {"a", "b", "c", "d"}) {
        keys.push_back({Value::text("p"), Value::text(row)});
    }
    const auto meanwhile = [&](const json& write) {
        json rule = {{"fault", "meanwhile"}};
        rule["operations"] = json::array({"Batch"});
        rule["at"] = json::array({1});
        rule["writes"] = json::array({write});
        tables.plan(json::array({rule}));
    };
    const json any = {{"if-match", "*"}};
    meanwhile({{"method", "POST"}, {"path", "/users"},
               {"words", {{"PartitionKey", "p"}, {"RowKey", "c"}, {"n", 7}}}});
    REQUIRE(tables.write(writes_of(keys, std::nullopt, 1)) ==
            Counted{{"applied", 3}, {"superseded", 1}});
    REQUIRE(tables.requests("Batch") == 2);
    REQUIRE(tables.read(keys[2])->attribute("n")->as_integer() == 7);

    keys.erase(keys.begin() + 2);
    meanwhile({{"method", "MERGE"}, {"path", "/users(PartitionKey='p',RowKey='a')"},
               {"words", {{"more", 1}}}, {"headers", any}});
    REQUIRE(tables.write(writes_of(keys, 1, 2)) == Counted{{"applied", 2}, {"superseded", 1}});
    REQUIRE(tables.requests("Batch") == 2);
    REQUIRE(tables.read(keys[0])->attribute("more"));

    keys.erase(keys.begin());
    meanwhile({{"method", "DELETE"}, {"path", "/users(PartitionKey='p',RowKey='d')"},
               {"headers", any}});
    REQUIRE(tables.write(writes_of(keys, 2, std::nullopt)) ==
            Counted{{"applied", 1}, {"already", 1}});
    REQUIRE_FALSE(tables.read(keys[0]));
    REQUIRE_FALSE(tables.read(keys[1]));
}
