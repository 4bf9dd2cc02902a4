// tests/repair/rules.cpp
//
// Promised: expiry, coverage, winner rules, severities and what a spec keeps a plan from doing, all
// the way from the audit to a repair that leaves nothing behind.
// Method: worlds small enough to be written down, with all of their findings and writes.

#include "tests/repair/rules_world.hpp"

using namespace idxfsck;
using namespace idxfsck::tests;

TEST_CASE("rows whose time is over count as gone, and those about to expire are not judged") {
    World world{head + "expires = { at = \"{ttl}\", grace = \"1m\" }\n" + email_index + R"(
expires = { at = "{ttl}", grace = "1m", reservation = true }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    const std::int64_t now_s = world.clock.now_ms() / 1000;
    const auto ttl = [&](std::int64_t after_s) {
        return number("ttl", std::to_string(now_s + after_s));
    };
    world.put("U", {"lives"}, {text("email", "1"), ttl(3600)});
    world.put("U", {"over"}, {text("email", "2"), ttl(-3600)});
    world.put("E", {"2"}, {text("u", "over")});
    world.put("U", {"ending"}, {text("email", "3"), ttl(-30)});
    world.put("E", {"3"}, {text("u", "ending")});
    world.put("U", {"starting"}, {text("email", "4"), ttl(30)});
    world.put("E", {"5"}, {text("u", "reserved"), ttl(600)});
    world.put("E", {"6"}, {text("u", "reservation over"), ttl(-600)});
    world.put("E", {"7"}, {text("u", "lives for ever")});
    const audit::AuditResult result = world.audit();
    CHECK(words(result) == Words{"orphaned_write/entry_missing email 1 -> lives",
                                 "stale_pointer/base_missing email 2 -> over",
                                 "stale_pointer/base_missing email 7 -> lives for ever"});
    CHECK(result.coverage.indexes[0].base_rows_expired == 3);
    CHECK(result.coverage.indexes[0].expiring == 2);
}

TEST_CASE("an index that covers part of the rows neither expects nor accuses the others") {
    World world{head + email_index + R"(
covers  = 'created >= 100'
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"old"}, {text("email", "1"), number("created", "50")});
    world.put("U", {"old2"}, {text("email", "2"), number("created", "60")});
    world.put("E", {"another"}, {text("u", "old2")});
    world.put("U", {"new"}, {text("email", "3"), number("created", "150")});
    world.put("E", {"gone"}, {text("u", "nobody")});
    const audit::AuditResult result = world.audit();
    CHECK(words(result) == Words{"orphaned_write/entry_missing email 3 -> new",
                                 "stale_pointer/base_missing email gone -> nobody"});
    CHECK(result.coverage.indexes[0].base_rows_uncovered == 2);
    CHECK(result.coverage.indexes[0].uncovered == 1);
    CHECK(result.coverage.whole());
}

namespace {

std::string with_winner(const std::string& rule) {
    return head + email_index + R"(
unique  = true
)" + rule;
}

void put_rivals(World& world, const std::string& holder) {
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"k"}, {text("email", "a"), number("created", "9")});
    world.put("U", {"d"}, {text("email", "a"), number("created", "10")});
    if (!holder.empty()) world.put("E", {"a"}, {text("u", holder)});
}

}  // namespace

TEST_CASE("a winner rule gives the key to the row that wins, in one compare-and-set") {
    for (const std::string holder : {"d", "k", ""}) {
        CAPTURE(holder);
        World world{with_winner("winner = { smallest = \"{created}\" }")};
        put_rivals(world, holder);
        const audit::AuditResult result = world.audit();
        REQUIRE(result.findings.size() == 1);
        CHECK(result.findings[0].kind == audit::FindingKind::duplicate_claim);
        CHECK(result.findings[0].winner == store::Key{store::Value::text("k")});
        const std::string expected =
            holder == "k" ? "manual a: the winner by the rule of the spec has the key already"
            : holder.empty() ? "put_entry a" : "replace_entry a";
        CHECK(operations(world.plan()) == std::vector{expected});
        world.repair(world.plan());
        CHECK(world.image().at("E a") == row_of({}, {text("u", "k")}).attributes);
        // The other row still claims a key that it cannot have.
        CHECK(words(world.audit()) == Words{"duplicate_claim email a -> d k (k)"});
    }
}

TEST_CASE("without a rule, a tie or a row without the field, the conflict is for a person") {
    for (const std::string rule :
         {"", "winner = { smallest = \"{email}\" }", "winner = { largest = \"{rank}\" }"}) {
        World world{with_winner(rule)};
        put_rivals(world, "d");
        REQUIRE(world.plan().operations.size() == 1);
        CHECK(world.plan().operations[0].kind == repair::OperationKind::manual);
    }
}

TEST_CASE("a winner that lost its rank after the audit does not take the key") {
    World world{with_winner("winner = { smallest = \"{created}\" }")};
    put_rivals(world, "d");
    const repair::Plan plan = world.plan();
    world.put("U", {"k"}, {text("email", "a"), number("created", "11")});
    CHECK(outcomes(world.repair(plan)) == std::vector<std::string>{"superseded"});
    CHECK(world.image().at("E a") == row_of({}, {text("u", "d")}).attributes);
}

TEST_CASE("severity info takes away the drift and not the finding") {
    World world{head + R"(
[[index]]
name     = "email"
of       = "user"
store    = "main"
table    = "E"
key      = { k = "{email}" }
pointer  = { u = "{id}" }
severity = { stale_pointer = "info" }
plan     = { stale_pointer = "report" }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"u1"}, {text("email", "1")});
    world.put("E", {"1"}, {text("u", "u1")});
    world.put("E", {"2"}, {text("u", "gone")});
    const audit::AuditResult result = world.audit();
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].severity == "info");
    CHECK(result.verdict() == audit::Verdict::consistent);
    CHECK(operations(world.plan()) ==
          std::vector<std::string>{"manual 2: the spec says to report such findings only"});
    world.put("U", {"u2"}, {text("email", "3")});
    CHECK(world.audit().verdict() == audit::Verdict::drift);
}

TEST_CASE("members of a JSON array are entries, and the array is written back as JSON") {
    World world{head + R"(
[[index]]
name      = "team"
of        = "user"
store     = "main"
table     = "E"
key       = { k = "{team}" }
container = { json = "ids", item = "{id}" }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"u1"}, {text("team", "a")});
    world.put("U", {"u\"2"}, {text("team", "a")});
    world.put("U", {"u3"}, {text("team", "c")});
    world.put("E", {"a"}, {text("ids", "[\"u1\", \"gone\"]"), text("note", "stays")});
    world.put("E", {"b"}, {text("ids", "[]")});
    world.put("E", {"d"}, {text("ids", "{\"u1\":1}")});
    CHECK(words(world.audit()) ==
          Words{"orphaned_write/entry_missing team a -> u\"2",
                "stale_pointer/base_missing team a -> gone",
                "orphaned_write/entry_missing team c -> u3",
                "malformed_entry/container_empty:ids team b ->",
                "malformed_entry/attribute_wrong_type:ids team d ->"});
    world.repair(world.plan());
    CHECK(world.image().at("E a") ==
          row_of({}, {text("ids", "[\"u1\",\"u\\\"2\"]"), text("note", "stays")}).attributes);
    CHECK(world.image().at("E c") == row_of({}, {text("ids", "[\"u3\"]")}).attributes);
}

TEST_CASE("a container that expires must outlive its members") {
    World world{head + R"(
expires = { at = "{ttl}" }
[[index]]
name      = "sessions"
of        = "user"
store     = "main"
table     = "E"
key       = { k = "{name}" }
container = { list = "ids", item = "{id}" }
expires   = { at = "{ttl}" }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    const std::int64_t now_s = world.clock.now_ms() / 1000;
    const auto ttl = [&](std::int64_t after_s) {
        return number("ttl", std::to_string(now_s + after_s));
    };
    const auto ids = [](const std::vector<std::string>& members) {
        std::vector<store::Value> values;
        for (const std::string& member : members) values.push_back(store::Value::text(member));
        return store::NamedValue{"ids", store::Value::list(values)};
    };
    world.put("U", {"s1"}, {text("name", "outlives"), ttl(3600)});
    world.put("E", {"outlives"}, {ids({"s1"}), ttl(7200)});
    world.put("U", {"s2"}, {text("name", "early"), ttl(7200)});
    world.put("U", {"s3"}, {text("name", "early"), ttl(600)});
    world.put("E", {"early"}, {ids({"s2"}), ttl(3600)});
    world.put("U", {"s4"}, {text("name", "lasts"), ttl(7200)});
    world.put("E", {"lasts"}, {ids({"s4"})});
    const audit::AuditResult result = world.audit();
    CHECK(words(result) ==
          Words{"malformed_entry/container_expires_early:ids sessions early ->",
                "orphaned_write/entry_missing sessions early -> s3"});
    CHECK(result.coverage.whole());
    CHECK(result.coverage.indexes[0].expiring == 1);
    CHECK(left_after_repair(world) ==
          Words{"malformed_entry/container_expires_early:ids sessions early ->"});
}

TEST_CASE("an entry of a base row that the index stopped covering after the audit stays") {
    World world{head + email_index + R"(
covers  = 'created >= 100'
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"1"}, {number("created", "150")});
    world.put("E", {"a"}, {text("u", "1")});
    const repair::Plan plan = world.plan();
    REQUIRE(operations(plan) == std::vector<std::string>{"delete_entry a"});
    world.put("U", {"1"}, {text("email", "a"), number("created", "50")});
    CHECK(outcomes(world.repair(plan)) == std::vector<std::string>{"superseded"});
}
