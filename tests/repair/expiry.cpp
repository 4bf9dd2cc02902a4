// tests/repair/expiry.cpp
//
// Promised: what is past its time and not deleted yet counts as gone on both sides, from the audit
// to the undo: its place is free, its claims are nobody's, and what is written there is guarded on
// it. What is about to expire is left alone. In DynamoDB a moment more than five years ago is none.
// Method: worlds small enough to be written down, with all of their findings and writes.

#include "tests/repair/rules_world.hpp"

using namespace idxfsck;
using namespace idxfsck::tests;

namespace {

const std::string by_email = head + R"(
expires      = { at = "{ttl}", grace = "1m" }
may_be_empty = true
)" + email_index + R"(
expires = { at = "{ttl}", grace = "1m" }
)";

const std::string claims = head + R"(
expires      = { at = "{ttl}", grace = "1m" }
may_be_empty = true
[[index]]
name            = "claim"
of              = "user"
store           = "main"
table           = "E"
key             = { k = "{email}" }
unique          = true
claim_by_insert = true
)";

struct ExpiryWorld : World {
    explicit ExpiryWorld(const std::string& spec_text,
                         store::Capabilities capabilities = store::memory_capabilities())
        : World{spec_text, capabilities} {
        store.create_table({"U", {"id"}});
        store.create_table({"E", {"k"}});
    }

    store::NamedValue ttl(std::int64_t after_s) const {
        return number("ttl", std::to_string(clock.now_ms() / 1000 + after_s));
    }
    void wait(std::int64_t seconds) { clock.wait_until(clock.now_ms() + seconds * 1000); }
};

using Outcomes = std::vector<std::string>;

std::string in_dynamodb(std::string spec) {
    return spec.replace(spec.find("\"memory\""), 8, "\"dynamodb\"");
}

}  // namespace

TEST_CASE("an entry whose time is over gives its place to the one that is missing") {
    ExpiryWorld world{by_email};
    world.put("U", {"1"}, {text("email", "a"), world.ttl(3600)});
    world.put("E", {"a"}, {text("u", "1"), text("seen", "twice"), world.ttl(-3600)});
    world.put("U", {"2"}, {text("email", "b")});
    world.put("E", {"b"}, {text("u", "another"), world.ttl(-3600)});
    const Image before = world.image();
    const repair::Plan plan = world.plan();
    CHECK(words(world.audit()) == Words{"orphaned_write/entry_missing email a -> 1",
                                        "orphaned_write/entry_missing email b -> 2"});
    CHECK(operations(plan) == Outcomes{"put_entry a", "put_entry b"});
    CHECK(all_are(world.repair(plan), repair::Outcome::applied));
    // With what had expired of it, the new entry would expire at once.
    CHECK(row_at(world, "E", "a").attributes == row_of({"a"}, {text("u", "1")}).attributes);
    CHECK(world.audit().findings.empty());
    CHECK(world.repair(plan).writes == 0);
    CHECK(all_are(world.undo(), repair::Outcome::applied));
    CHECK(world.image() == before);
}

TEST_CASE("an entry that was renewed or deleted right before the write over it is left alone") {
    for (const bool renewed : {true, false}) {
        ExpiryWorld world{by_email};
        world.put("U", {"1"}, {text("email", "a")});
        world.put("E", {"a"}, {text("u", "2"), world.ttl(-3600)});
        const repair::Plan plan = world.plan();
        world.faulty.before_write = [&](const store::GuardedWrite&) {
            if (renewed) world.put("E", {"a"}, {text("u", "2"), world.ttl(3600)});
            else world.store.erase("E", {store::Value::text("a")});
        };
        CHECK(outcomes(world.repair(plan)) == Outcomes{"superseded"});
        CHECK(world.image().contains("E a") == renewed);
    }
}

TEST_CASE("a base row that expires between audit and repair gets no entry") {
    for (const std::int64_t seconds : {3600, 3650, 7200}) {
        CAPTURE(seconds);
        ExpiryWorld world{by_email};
        world.put("U", {"1"}, {text("email", "a"), world.ttl(3620)});
        const repair::Plan plan = world.plan();
        CHECK(operations(plan) == Outcomes{"put_entry a"});
        world.wait(seconds);
        CHECK(outcomes(world.repair(plan)) == Outcomes{"superseded"});
        CHECK(!world.image().contains("E a"));
    }
}

TEST_CASE("the entry of an expired base row is deleted, and stays if that row is renewed") {
    for (const auto guard : {store::GuardReach::store, store::GuardReach::row}) {
        for (const std::string when : {"never", "before the repair", "before the write"}) {
            CAPTURE(when);
            ExpiryWorld world{by_email, capabilities_of(guard, true)};
            world.put("U", {"1"}, {text("email", "a"), world.ttl(-3600)});
            world.put("E", {"a"}, {text("u", "1")});
            const repair::Plan plan = world.plan();
            CHECK(operations(plan) == Outcomes{"delete_entry a"});
            const auto renew = [&] {
                world.put("U", {"1"}, {text("email", "a"), world.ttl(3600)});
            };
            if (when == "before the repair") renew();
            if (when == "before the write") {
                world.faulty.before_write = [&](const store::GuardedWrite&) {
                    world.faulty.before_write = {};
                    renew();
                };
            }
            const bool stays = when != "never";
            CHECK(outcomes(world.repair(plan)) == Outcomes{stays ? "superseded" : "applied"});
            CHECK(world.image().contains("E a") == stays);
        }
    }
}

TEST_CASE("members go into a list whose time is over as into a new one") {
    ExpiryWorld world{head + R"(
[[index]]
name      = "groups"
of        = "user"
store     = "main"
table     = "E"
key       = { k = "{group}" }
container = { list = "ids", item = "{id}" }
constants = { of = "users" }
expires   = { at = "{ttl}" }
)"};
    for (const std::string id : {"1", "2"}) world.put("U", {id}, {text("group", "g")});
    const auto ids = [](std::vector<std::string> members) {
        std::vector<store::Value> values;
        for (const std::string& member : members) values.push_back(store::Value::text(member));
        return store::NamedValue{"ids", store::Value::list(values)};
    };
    world.put("E", {"g"}, {ids({"9", "1"}), world.ttl(-3600)});
    const Image before = world.image();
    CHECK(all_are(world.repair(world.plan()), repair::Outcome::applied));
    CHECK(row_at(world, "E", "g").attributes ==
          row_of({"g"}, {ids({"1", "2"}), text("of", "users")}).attributes);
    CHECK(world.audit().findings.empty());
    CHECK(all_are(world.undo(), repair::Outcome::applied));
    CHECK(world.image() == before);
}

TEST_CASE("the claim of a base row that is about to expire is not taken for nobody's") {
    for (const bool snapshot : {true, false}) {
        CAPTURE(snapshot);
        ExpiryWorld world{claims, capabilities_of(store::GuardReach::store, true, snapshot)};
        world.put("U", {"1"}, {text("email", "ending"), world.ttl(-30)});
        world.put("U", {"2"}, {text("email", "starting"), world.ttl(30)});
        world.put("U", {"3"}, {text("email", "over"), world.ttl(-3600)});
        for (const std::string claim : {"ending", "starting", "over", "nobody's"}) {
            world.put("E", {claim}, {});
        }
        const audit::AuditResult result = world.audit();
        CHECK(words(result) == Words{"stale_pointer/unclaimed claim nobody's ->",
                                     "stale_pointer/unclaimed claim over ->"});
        CHECK(result.coverage.indexes[0].expiring == (snapshot ? 2 : 0));
        CHECK(result.coverage.indexes[0].settled == (snapshot ? 0 : 2));
        const repair::Plan plan = world.plan();
        // It was renewed, and is about to expire again.
        world.put("U", {"3"}, {text("email", "over"), world.ttl(30)});
        CHECK(outcomes(world.repair(plan)) == Outcomes{"applied", "superseded"});
        CHECK(!world.image().contains("E nobody's"));
    }
}

TEST_CASE("in DynamoDB a moment more than five years ago is none, elsewhere it is one") {
    constexpr std::int64_t day_s = 86'400;
    for (const bool dynamodb : {true, false}) {
        CAPTURE(dynamodb);
        ExpiryWorld world{dynamodb ? in_dynamodb(by_email) : by_email};
        world.put("U", {"recent"}, {text("email", "1"), world.ttl(-1800 * day_s)});
        world.put("U", {"old"}, {text("email", "2"), world.ttl(-1850 * day_s)});
        world.put("U", {"zero"}, {text("email", "3"), number("ttl", "0")});
        world.put("U", {"just then"}, {text("email", "4"), world.ttl(-1826 * day_s)});
        world.put("E", {"9"}, {text("u", "recent"), world.ttl(-1800 * day_s)});
        world.put("E", {"8"}, {text("u", "old"), world.ttl(-1850 * day_s)});
        const audit::AuditResult result = world.audit();
        Words expected;
        if (dynamodb) {
            expected = {"orphaned_write/entry_missing email 2 -> old",
                        "stale_pointer/value_changed email 8 -> old",
                        "orphaned_write/entry_missing email 3 -> zero"};
        }
        CHECK(words(result) == expected);
        CHECK(result.coverage.indexes[0].base_rows_expired == (dynamodb ? 2 : 4));
    }
}

TEST_CASE("what is no number is no moment, and the row lasts") {
    ExpiryWorld world{in_dynamodb(by_email)};
    const auto user = [&](const std::string& id, std::optional<store::Value> ttl) {
        std::vector<store::NamedValue> attributes{text("email", id)};
        if (ttl) attributes.push_back({"ttl", *ttl});
        world.put("U", {id}, std::move(attributes));
    };
    user("absent", {});
    user("null", store::Value::null());
    user("text", store::Value::text("1700000000"));
    user("set", store::Value::set(store::Kind::number_set, {"1700000000"}));
    user("true", store::Value::boolean(true));
    // Milliseconds, read as seconds: in tens of thousands of years.
    user("milliseconds", store::Value::number(std::to_string(world.clock.now_ms() - 3'600'000)));
    const audit::AuditResult result = world.audit();
    CHECK(words(result).size() == 6);
    CHECK(result.coverage.indexes[0].base_rows_expired == 0);
    CHECK(all_are(world.repair(world.plan()), repair::Outcome::applied));
    CHECK(world.audit().findings.empty());
}
