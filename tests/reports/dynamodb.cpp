// Promised: live DynamoDB tables are audited by a spec alone and mended in place, and nothing that
// the application wrote meanwhile is lost.
// Method: tables on dynalite with drift made by hand; the built program as a shell runs it, with an
// environment that has no credentials; then the rows are read back.

#include <catch2/catch.hpp>

#include "../servers/server.hpp"
#include "../store/live_tables.hpp"
#include "run_program.hpp"

namespace idxfsck::reports {
namespace {

using store::Bytes;
using store::encode_attributes;
using store::Row;
using store::Value;

const store::TableSchema users{"Users", {"UserId"}};
const store::TableSchema emails{"UsersByEmail", {"Email"}};

Row user(const Bytes& id, const Bytes& email, const Bytes& name) {
    return {{Value::text(id)},
            encode_attributes({{"Email", Value::text(email)},
                               {"name", Value::text(name)},
                               {"age", Value::number("41")},
                               {"tags", Value::set(store::Kind::text_set, {"a", "b"})}}),
            {}};
}

Row entry(const Bytes& email, const Bytes& id, const Bytes& name) {
    return {{Value::text(email)},
            encode_attributes({{"UserId", Value::text(id)}, {"name", Value::text(name)}}),
            {}};
}

// 300 users, and entries with three of each kind of drift.
struct Shop {
    explicit Shop(const std::string& endpoint) : tables{endpoint}, where{endpoint} {
        std::vector<Row> rows;
        std::vector<Row> entries;
        for (int number = 0; number < 300; ++number) {
            const Bytes id = "u" + std::to_string(number);
            rows.push_back(user(id, "Mail" + id + "@x.org", "Name " + id));
            if (number < 3) continue;  // never written
            const Bytes name = number < 6 ? "old" : "Name " + id;
            const Bytes email = number >= 6 && number < 9 ? "before" + id : "mail" + id;
            entries.push_back(entry(email + "@x.org", id, name));
        }
        for (const char* const id : {"x1", "x2", "x3"}) {
            entries.push_back(entry(Bytes{id} + "@x.org", id, "gone"));
        }
        tables.create(users);
        tables.put(users, rows);
        tables.create(emails);
        tables.put(emails, entries);
        folder.write("shop.toml", spec());
    }

    std::string spec() const {
        return "[store.main]\nkind = \"dynamodb\"\nregion = \"eu-west-1\"\nendpoint = \"" + where +
               "\"\n"
               R"(
[base.user]
store = "main"
table = "Users"
key   = ["UserId"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "main"
table   = "UsersByEmail"
key     = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
copies  = { name = "{name}" }
unique  = true
)";
    }

    Ran run(const std::vector<std::string>& words) const {
        RunSettings here;
        here.folder = folder.path();
        for (const char* const name : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE",
                                       "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"}) {
            here.environment[name] = "";
        }
        here.environment["HOME"] = folder.path();
        here.environment["AWS_EC2_METADATA_DISABLED"] = "true";
        return run_idxfsck(words, here);
    }

    store::LiveTables tables;
    const std::string where;
    TemporaryFolder folder;
};

void check_has(const std::string& text, const std::string& part) {
    INFO("looking for: " << part << "\nin: " << text);
    CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("live DynamoDB tables are audited, mended and then consistent") {
    const servers::Server server{"dynalite"};
    if (!server.runs()) return;
    const Shop shop{server.endpoint()};
    const Ran audited = shop.run({"audit", "shop.toml", "--out", "first"});
    INFO(audited.out << audited.error);
    REQUIRE(audited.status == 4);
    check_has(audited.out, "6 orphaned_write, 6 stale_pointer, 3 divergent_copy; 3 moved");
    check_has(audited.out, "600 rows");
    REQUIRE(shop.run({"plan", "first"}).status == 4);
    const Ran shown = shop.run({"repair", "first/plan.ndjson"});
    REQUIRE(shown.status == 4);
    const Ran repaired = shop.run({"repair", "first/plan.ndjson", "--apply"});
    INFO(repaired.out << repaired.error);
    REQUIRE(repaired.status == 0);
    check_has(repaired.out, "all read back");
    // dynalite knows no transactions, and that is said.
    check_has(repaired.out + repaired.error, "users-by-email");
    const Ran again = shop.run({"audit", "shop.toml", "--out", "second"});
    REQUIRE(again.status == 0);
    check_has(again.out, "CONSISTENT: 1 index, nothing differs");
    const Ran why = shop.run({"why", "shop.toml", "--index", "users-by-email", "--row", "u7"});
    INFO(why.out << why.error);
    CHECK(why.status == 0);
    const Ran undone = shop.run({"undo", "first/journal.ndjson", "--apply"});
    INFO(undone.out << undone.error);
    check_has(undone.out, "UNDONE");
    // At a rate that is never reached.
    const Ran third = shop.run({"audit", "shop.toml", "--out", "third", "--rate", "100000"});
    check_has(third.out, "6 orphaned_write, 6 stale_pointer, 3 divergent_copy; 3 moved");
}

TEST_CASE("what is wrong with a DynamoDB store says what to change") {
    const servers::Server server{"dynalite"};
    if (!server.runs()) return;
    const Shop shop{server.endpoint()};
    const auto refused = [&](std::string spec, const std::string& from, const std::string& to,
                             int status, const std::string& said) {
        INFO(to);
        spec.replace(spec.find(from), from.size(), to);
        shop.folder.write("wrong.toml", spec);
        const Ran ran = shop.run({"audit", "wrong.toml", "--out", "wrong"});
        INFO(ran.out << ran.error);
        CHECK(ran.status == status);
        check_has(ran.error, said);
    };
    const std::string spec = shop.spec();
    refused(spec, "region = \"eu-west-1\"\n", "", 16, "AWS_REGION");
    refused(spec, "region", "regoin", 16,
            "consistent, dollars_per_million_units, dollars_per_million_write_units, endpoint");
    refused(spec, "region", "rate = \"fast\"\nregion", 16, "read units a second");
    refused(spec, "region", "dollars_per_million_units = \"little\"\nregion", 16, "dollars");
    refused(spec, shop.where, "https://db.example.org", 16, "AWS_ENDPOINT_URL_DYNAMODB");
    refused(spec, shop.where, "http://db.example.org", 16, "this machine only");
    refused(spec, "endpoint = \"" + shop.where + "\"\n", "", 8, "no credentials for AWS");
    refused(spec, "table = \"Users\"", "table = \"Usres\"", 16, "no such table");
    refused(spec, "key   = [\"UserId\"]", "key   = [\"Id\"]", 16, "the table's key is: UserId");
}

TEST_CASE("a rate is refused where no store of the spec bills its reads") {
    const TemporaryFolder folder;
    folder.write("shop.toml", "[store.main]\nkind = \"rocksdb\"\npath = \"data\"\n[base.user]\n"
                              "store = \"main\"\ntable = \"Users\"\nkey = [\"Id\"]\n[[index]]\n"
                              "name = \"x\"\nof = \"user\"\nstore = \"main\"\ntable = \"X\"\n"
                              "key = { E = \"{E}\" }\npointer = { Id = \"{Id}\" }\n");
    RunSettings here;
    here.folder = folder.path();
    const Ran ran = run_idxfsck({"audit", "shop.toml", "--rate", "5"}, here);
    CHECK(ran.status == 16);
    check_has(ran.error, "no store of the spec can be held to a rate");
    const Ran budget = run_idxfsck({"audit", "shop.toml", "--budget", "5"}, here);
    CHECK(budget.status == 16);
    check_has(budget.error, "no store of the spec can be held to a budget");
}

}  // namespace
}  // namespace idxfsck::reports
