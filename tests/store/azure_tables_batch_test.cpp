// Writes to rows of one partition that are handed over together, played by scripts: batches that
// are refused for one of their writes, answers that are lost, and what is never sent.

#include <catch2/catch.hpp>

#include "azure_tables_rows.hpp"
#include "store/azure_tables/batch_text.hpp"

using namespace idxfsck::store;

namespace {

Key key_of(const Bytes& row) { return {Value::text("p"), Value::text(row)}; }

Row row_of(const Bytes& row, int number) {
    return {key_of(row), encode_attributes({{"n", Value::int32(number)}}), {}};
}

GuardedWrite insert(const Bytes& row, int number) {
    return {"users", key_of(row), ExpectAbsent{}, row_of(row, number), {}};
}

GuardedWrite replace(const Bytes& row, int from, int to) {
    return {"users", key_of(row), ExpectRow{row_of(row, from)}, row_of(row, to), {}};
}

GuardedWrite remove(const Bytes& row, int from) {
    return {"users", key_of(row), ExpectRow{row_of(row, from)}, std::nullopt, {}};
}

std::vector<GuardedWrite> inserts(int count) {
    std::vector<GuardedWrite> out;
    for (int number = 0; number < count; ++number) {
        out.push_back(insert("r" + std::to_string(number), number));
    }
    return out;
}

struct Service {
    std::vector<std::optional<WriteOutcome>> write(const std::vector<GuardedWrite>& writes) {
        AzureTablesStore store{{}, world.around()};
        std::vector<std::optional<WriteOutcome>> out;
        for (WriteReply& reply : store.write_all(writes)) {
            out.push_back(reply.outcome);
            if (!reply.outcome) errors.push_back(std::move(reply.error));
        }
        return out;
    }

    Rows rows;
    std::vector<std::string> errors;
    AzureTablesWorld world{[this](const HttpRequest& request) { return rows.answer(request); }};
};

using Outcomes = std::vector<std::optional<WriteOutcome>>;
using Sizes = std::vector<std::size_t>;

constexpr WriteOutcome applied = WriteOutcome::applied;
constexpr WriteOutcome already = WriteOutcome::already;
constexpr WriteOutcome superseded = WriteOutcome::superseded;

Outcomes all(std::size_t count, WriteOutcome outcome) { return Outcomes(count, outcome); }

}  // namespace

TEST_CASE("writes to one partition go out in one request, those that need none in none") {
    Service service;
    for (const char* row : {"b", "c", "d", "e"}) service.rows.set(row, 1);
    const Outcomes outcomes =
        service.write({insert("a", 5), replace("b", 1, 5), remove("c", 1), insert("d", 1),
                       replace("e", 2, 5)});
    REQUIRE(outcomes == Outcomes{applied, applied, applied, already, superseded});
    REQUIRE(service.rows.batches == Sizes{3});
    REQUIRE(service.rows.singles == 0);
    REQUIRE(service.rows.rows.at("a").number == 5);
    REQUIRE(service.rows.rows.at("b").number == 5);
    REQUIRE_FALSE(service.rows.rows.contains("c"));
    REQUIRE(service.rows.rows.at("e").number == 1);
}

TEST_CASE("one write alone is no batch") {
    Service service;
    REQUIRE(service.write({insert("a", 5)}) == Outcomes{applied});
    REQUIRE(service.rows.batches.empty());
}

TEST_CASE("the write that a batch failed at is judged by itself, the others go out again") {
    Service service;
    for (const char* row : {"a", "b", "c", "d"}) service.rows.set(row, 1);
    service.rows.before_batch = [](Rows& rows) {
        rows.set("b", 2);
        rows.before_batch = {};
    };
    const Outcomes outcomes = service.write(
        {replace("a", 1, 5), replace("b", 1, 5), remove("c", 1), replace("d", 1, 5)});
    REQUIRE(outcomes == Outcomes{applied, superseded, applied, applied});
    REQUIRE(service.rows.batches == Sizes{4, 3});
    REQUIRE(service.rows.singles == 0);
    REQUIRE(service.rows.rows.at("b").number == 2);

    // Written again as it was: still called for.
    service.rows.before_batch = [](Rows& rows) {
        rows.set("b", 2);
        rows.before_batch = {};
    };
    REQUIRE(service.write({replace("a", 5, 6), replace("b", 2, 6)}) == all(2, applied));
    // The other one is the only one left.
    REQUIRE(service.rows.batches == Sizes{4, 3, 2});
    REQUIRE(service.rows.singles == 2);
}

TEST_CASE("a batch whose answer was lost is found by reading its rows again, and is ours") {
    Service service;
    for (const char* row : {"b", "c"}) service.rows.set(row, 1);
    service.rows.lose_replies = 1;
    const Outcomes outcomes =
        service.write({insert("a", 5), replace("b", 1, 5), remove("c", 1), insert("d", 5)});
    REQUIRE(outcomes == all(4, applied));
    REQUIRE(service.rows.batches == Sizes{4, 4});
    REQUIRE(service.rows.singles == 0);
    REQUIRE(service.rows.rows.at("b").number == 5);
}

TEST_CASE("of a batch whose answer was lost, what another wrote since is not ours") {
    Service service;
    service.rows.lose_replies = 1;
    service.rows.before_batch = [](Rows& rows) {
        if (rows.batches.size() == 2) rows.set("b", 9);
    };
    REQUIRE(service.write({insert("a", 5), insert("b", 5)}) == Outcomes{applied, superseded});
    REQUIRE(service.rows.rows.at("b").number == 9);
}

TEST_CASE("a batch that the service cannot do for now, or answers in part, is sent again") {
    Service service;
    service.rows.instead = {batch_refusal(500, "OperationTimedOut", "1:words"),
                            batch_answer("--changesetresponse_x\r\n\r\nHTTP/1.1 204 \r\n\r\n"),
                            table_fault(503, "ServerBusy")};
    REQUIRE(service.write(inserts(3)) == all(3, applied));
    REQUIRE(service.rows.batches == Sizes{3, 3, 3, 3});
}

TEST_CASE("more than a hundred writes, or than 4 MiB of them, are several batches") {
    Service many;
    REQUIRE(many.write(inserts(250)) == all(250, applied));
    REQUIRE(many.rows.batches == Sizes{100, 100, 50});
    REQUIRE(many.rows.rows.size() == 250);

    Service large;
    std::vector<GuardedWrite> writes = inserts(100);
    for (GuardedWrite& write : writes) {
        write.after->set("t", Value::text(Bytes(30'000, 'x')).view());
        write.after->set("u", Value::text(Bytes(30'000, 'x')).view());
    }
    REQUIRE(large.write(writes) == all(100, applied));
    REQUIRE(large.rows.batches.size() == 2);
    for (const std::size_t size : large.rows.sizes) REQUIRE(size <= batch_bytes_max);
    REQUIRE(large.rows.sizes[0] + 60'500 > batch_bytes_max);
}

TEST_CASE("no batch is over two partitions or tables, or holds a row twice") {
    Service service;
    std::vector<GuardedWrite> writes = inserts(4);
    writes[1].key[0] = writes[1].after->key[0] = Value::text("q");
    writes[3].key[0] = writes[3].after->key[0] = Value::text("q");
    REQUIRE(service.write(writes) == all(4, applied));
    REQUIRE(service.rows.batches == Sizes{2, 2});

    Service twice;
    REQUIRE(twice.write({insert("a", 1), insert("b", 1), replace("a", 1, 2)}) == all(3, applied));
    REQUIRE(twice.rows.batches == Sizes{2});
    REQUIRE(twice.rows.rows.at("a").number == 2);
}

TEST_CASE("a batch that is refused as a whole, or without a reason, is done one by one") {
    for (const HttpResult& no :
         {table_fault(400, "InvalidInput"), table_fault(413, "RequestBodyTooLarge"),
          table_fault(405, "MethodNotAllowed"), batch_refusal(400, "InvalidInput", "words")}) {
        Service service;
        service.rows.instead = {no};
        REQUIRE(service.write(inserts(3)) == all(3, applied));
        REQUIRE(service.rows.batches == Sizes{3});
        REQUIRE(service.rows.singles == 3);
    }
}

TEST_CASE("a batch that fails again and again ends in single writes") {
    Service service;
    for (int number = 0; number < 20; ++number) service.rows.set("r" + std::to_string(number), 1);
    std::vector<GuardedWrite> writes;
    for (int number = 0; number < 20; ++number) {
        writes.push_back(replace("r" + std::to_string(number), 1, 5));
    }
    // Before each batch somebody writes a row again, as it is.
    service.rows.before_batch = [](Rows& rows) {
        for (auto& [row, stored] : rows.rows) {
            if (stored.number == 1) return rows.set(row, 1);
        }
    };
    REQUIRE(service.write(writes) == all(20, applied));
    REQUIRE(service.rows.batches == Sizes{20, 19, 18, 17});
    REQUIRE(service.rows.singles == 20);
}

TEST_CASE("of writes together one that cannot be done is told, the others are done") {
    Service service;
    std::vector<GuardedWrite> writes = inserts(4);
    writes[1].after->set("ids", Value::text(Bytes(40'000, 'x')).view());
    writes[2].guards = {{"users", key_of("other"), ExpectAbsent{}}};
    REQUIRE(service.write(writes) == Outcomes{applied, std::nullopt, std::nullopt, applied});
    REQUIRE(service.rows.batches == Sizes{2});
    REQUIRE_THAT(service.errors.at(0), Catch::Contains("64 KiB"));
    REQUIRE_THAT(service.errors.at(1), Catch::Contains("cannot guard"));

    Service denied;
    denied.rows.instead = {table_fault(403, "AuthorizationPermissionMismatch")};
    REQUIRE(denied.write(inserts(2)) == Outcomes(2));
    REQUIRE_THAT(denied.errors.at(1), Catch::Contains("AuthorizationPermissionMismatch"));
}

TEST_CASE("a version that would be a line of its own never gets into a batch") {
    AzureTablesWorld world{[](const HttpRequest& request) {
        if (AzureTablesWorld::looks(request)) return page_of({});
        const bool first = request.url.find("%27a%27") != Bytes::npos;
        HttpResult out = answer_of(200, entity_json("p", first ? "a" : "b"));
        out.headers.push_back({"etag", "W/\"1\"\r\nIf-Match: *"});
        return out;
    }};
    AzureTablesStore store{{}, world.around()};
    for (const WriteReply& reply : store.write_all(std::vector{remove("a", 1), remove("b", 1)})) {
        REQUIRE_FALSE(reply.outcome);
        REQUIRE_THAT(reply.error, Catch::Contains("without a version"));
    }
    for (const Bytes& asked : world.asked()) REQUIRE(asked.starts_with("GET "));
}

TEST_CASE("rows of one partition of one table share requests, no others") {
    AzureTablesWorld world{[](const HttpRequest&) { return page_of({}); }};
    const AzureTablesStore store{{}, world.around()};
    const auto name = [&](const char* table, const char* partition, const char* row) {
        return store.batch_of(table, {Value::text(partition), Value::text(row)});
    };
    REQUIRE(name("users", "p", "a"));
    REQUIRE(name("users", "p", "a") == name("users", "p", "b"));
    REQUIRE(name("users", "p", "a") != name("users", "q", "a"));
    REQUIRE(name("users", "p", "a") != name("other", "p", "a"));
    REQUIRE_FALSE(name("users", "p/q", "a"));
}
