// tests/repair/rules.cpp
//
// Promised: older key versions, index attributes inside the base row, expiry, coverage, winner rules,
// severities and what a spec keeps a plan from doing, from the audit to a repair that leaves nothing
// behind. Method: worlds small enough to be written down, with all of their findings and writes.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using namespace idxfsck::tests;
using Words = std::set<std::string>;

namespace {

const std::string head = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "U"
key   = ["id"]
)";

store::NamedValue number(std::string name, const std::string& value) {
    return {std::move(name), store::Value::number(value)};
}

// Findings, then what the plan does and why not; "put_entry new:a@x", "manual …: reason".
std::vector<std::string> operations(const repair::Plan& plan) {
    std::vector<std::string> words;
    for (const repair::Operation& operation : plan.operations) {
        std::string text = std::string{repair::operation_name(operation.kind)} + " " +
                           word(operation.entry.key);
        if (operation.kind == repair::OperationKind::manual) text += ": " + operation.why;
        words.push_back(std::move(text));
    }
    return words;
}

store::Row row_at(const World& world, const std::string& table, const std::string& key) {
    const std::vector<store::Key> keys{{store::Value::text(key)}};
    return world.store.read(table, keys).front().value();
}

// Repairs, and audits again.
Words left_after_repair(World& world) {
    const repair::RepairResult result = world.repair(world.plan());
    for (const repair::OperationResult& one : result.operations) {
        CAPTURE(one.why);
        CHECK((one.outcome == repair::Outcome::applied || one.outcome == repair::Outcome::manual));
    }
    return words(world.audit());
}

std::string versions(const std::string& policy, const std::string& pointer = "") {
    return head + R"(
[[index]]
name         = "email"
of           = "user"
store        = "main"
table        = "E"
key          = { k = "new:{email}" }
old_versions = ")" + policy + "\"\n" + pointer + R"(
unique       = true
[[index.versions]]
name = "colon"
key  = { k = "old:{email}" }
)";
}

const std::string names_user = "pointer = { u = \"{id}\" }";

// u1 has an old entry only, u2 both, u3 the current one; one old entry is of nobody.
void put_versions(World& world, bool with_pointer) {
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    for (const char* name : {"1", "2", "3"}) {
        world.put("U", {std::string{"u"} + name}, {text("email", std::string{name} + "@x")});
    }
    const auto entry = [&](const std::string& key, const std::string& user) {
        world.put("E", {key}, with_pointer ? std::vector{text("u", user)}
                                           : std::vector<store::NamedValue>{});
    };
    entry("old:1@x", "u1");
    entry("old:2@x", "u2");
    entry("new:2@x", "u2");
    entry("new:3@x", "u3");
    entry("old:9@x", "u9");
}

}  // namespace

TEST_CASE("an accepted older key version serves its row, and is redundant beside the current one") {
    World world{versions("accept", names_user)};
    put_versions(world, true);
    const audit::AuditResult result = world.audit();
    CHECK(words(result) == Words{"stale_pointer/redundant email/colon old:2@x -> u2",
                                 "stale_pointer/base_missing email/colon old:9@x -> u9"});
    CHECK(result.coverage.whole());
    CHECK(result.coverage.indexes[0].legacy == 1);
    CHECK(result.coverage.indexes[1].legacy == 1);
    CHECK(operations(world.plan()) ==
          std::vector<std::string>{
              "delete_entry old:9@x",
              "manual old:2@x: the spec accepts older key versions and does not say to migrate"});
    CHECK(left_after_repair(world) == Words{"stale_pointer/redundant email/colon old:2@x -> u2"});
}

TEST_CASE("older key versions migrate in two repairs, the new entry first") {
    World world{versions("migrate", names_user)};
    put_versions(world, true);
    const Image before = world.image();
    CHECK(operations(world.plan()) ==
          std::vector<std::string>{"put_entry new:1@x", "delete_entry old:2@x",
                                   "delete_entry old:9@x"});
    CHECK(left_after_repair(world) == Words{"stale_pointer/redundant email/colon old:1@x -> u1"});
    world.undo();
    CHECK(world.image() == before);
    world.journal.clear();
    world.repair(world.plan());
    world.journal.clear();
    CHECK(left_after_repair(world).empty());
    CHECK(world.store.rows("E").size() == 3);
}

TEST_CASE("claims without a pointer have older key versions too") {
    World world{versions("migrate", "claim_by_insert = true")};
    put_versions(world, false);
    CHECK(words(world.audit()) == Words{"orphaned_write/older_version email new:1@x ->",
                                        "stale_pointer/redundant email/colon old:2@x ->",
                                        "stale_pointer/unclaimed email/colon old:9@x ->"});
    CHECK(left_after_repair(world) == Words{"stale_pointer/redundant email/colon old:1@x ->"});
    world.journal.clear();
    CHECK(left_after_repair(world).empty());
}

TEST_CASE("an older entry stays when the current one went away after the audit") {
    World world{versions("migrate", names_user)};
    put_versions(world, true);
    const repair::Plan plan = world.plan();
    world.store.erase("E", {store::Value::text("new:2@x")});
    const repair::RepairResult result = world.repair(plan);
    CHECK(world.image().contains("E old:2@x"));
    CHECK(outcomes(result) == std::vector<std::string>{"applied", "superseded", "applied"});
}

TEST_CASE("a value that changed under an older key version is one move to the current one") {
    World world{versions("accept", names_user)};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"u1"}, {text("email", "b@x")});
    world.put("E", {"old:a@x"}, {text("u", "u1")});
    const audit::AuditResult result = world.audit();
    CHECK(words(result) == Words{"orphaned_write/entry_missing email new:b@x -> u1",
                                 "stale_pointer/value_changed email/colon old:a@x -> u1"});
    CHECK(result.findings[0].linked == result.findings[1].id);
    CHECK(world.plan().operations[1].after ==
          std::vector<std::string>{world.plan().operations[0].id});
    CHECK(left_after_repair(world).empty());
}

TEST_CASE("versions that look alike are tried in order") {
    World world{head + R"(
[[index]]
name    = "email"
of      = "user"
store   = "main"
table   = "E"
key     = { k = "{email|lower|sha256|hex}" }
pointer = { u = "{id}" }
[[index.versions]]
name = "raw"
key  = { k = "{email|sha256|hex}" }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    // SHA-256 of A@x and of a@x.
    const std::string raw = "2bb2a3892da61db324fae184811214c0cc75f5f0061cf18828e1bb3ad8fa868a";
    const std::string lower = "bd39e6feafd837011c64e8a29c3fdffe59f41e1a071b936bbd66b7c31fb390d4";
    world.put("U", {"u1"}, {text("email", "A@x")});
    world.put("E", {raw}, {text("u", "u1")});
    CHECK(words(world.audit()).empty());
    CHECK(world.audit().coverage.indexes[0].legacy == 2);

    world.put("E", {lower}, {text("u", "u1")});
    CHECK(words(world.audit()) == Words{"stale_pointer/redundant email/raw " + raw + " -> u1"});

    world.put("E", {"of neither"}, {text("u", "u1")});
    CHECK(words(world.audit()) ==
          Words{"stale_pointer/redundant email/raw " + raw + " -> u1",
                "stale_pointer/value_changed email of neither -> u1"});
}

TEST_CASE("index attributes inside the base row are checked, and mended only where the spec says so") {
    const std::string index = R"(
[[index]]
name   = "gsi1"
of     = "user"
inside = true
key    = { gsi1pk = "ACC#{account}", gsi1sk = "DATE#{date}" }
)";
    for (const bool repairs : {false, true}) {
        World world{head + index + (repairs ? "repair_in_row = true\n" : "")};
        world.store.create_table({"U", {"id"}});
        // Right; one half old; one half missing; both missing; left over; nothing to index.
        world.put("U", {"1"}, {text("account", "A"), text("date", "1"), text("gsi1pk", "ACC#A"),
                               text("gsi1sk", "DATE#1"), text("other", "stays")});
        world.put("U", {"2"}, {text("account", "A"), text("date", "2"), text("gsi1pk", "ACC#A"),
                               text("gsi1sk", "DATE#1"), text("other", "stays")});
        world.put("U", {"3"}, {text("account", "B"), text("date", "3"), text("gsi1sk", "DATE#3")});
        world.put("U", {"4"}, {text("account", "B"), text("date", "4")});
        world.put("U", {"5"}, {text("account", "B"), text("gsi1pk", "ACC#B")});
        world.put("U", {"6"}, {text("date", "6")});
        const Image before = world.image();
        CHECK(words(world.audit()) ==
              Words{"orphaned_write/entry_elsewhere gsi1 ACC#A,DATE#2 -> 2",
                    "stale_pointer/value_changed gsi1 ACC#A,DATE#1 -> 2",
                    "orphaned_write/entry_elsewhere gsi1 ACC#B,DATE#3 -> 3",
                    "stale_pointer/value_changed gsi1 DATE#3 -> 3",
                    "orphaned_write/entry_missing gsi1 ACC#B,DATE#4 -> 4",
                    "stale_pointer/base_exempt gsi1 ACC#B, -> 5"});
        const repair::Plan plan = world.plan();
        if (!repairs) {
            CHECK(plan.operations.size() == 6);
            for (const auto& operation : plan.operations) {
                CHECK(operation.kind == repair::OperationKind::manual);
            }
            continue;
        }
        // One write for a row.
        CHECK(plan.operations.size() == 4);
        CHECK(left_after_repair(world).empty());
        CHECK(world.store.rows("U").size() == 6);
        const store::Row row = row_at(world, "U", "2");
        CHECK(row.attribute("gsi1sk") == store::Value::text("DATE#2").view());
        CHECK(row.attribute("other") == store::Value::text("stays").view());
        CHECK_FALSE(row_at(world, "U", "5").attribute("gsi1pk"));
        world.undo();
        CHECK(world.image() == before);
    }
}

TEST_CASE("a base row that changed after the audit keeps the index attributes inside it") {
    World world{head + R"(
[[index]]
name          = "gsi1"
of            = "user"
inside        = true
repair_in_row = true
key           = { g = "{email}" }
)"};
    world.store.create_table({"U", {"id"}});
    world.put("U", {"1"}, {text("email", "a"), text("g", "old")});
    const repair::Plan plan = world.plan();
    world.put("U", {"1"}, {text("email", "b"), text("g", "old")});
    CHECK(outcomes(world.repair(plan)) == std::vector<std::string>{"superseded"});
    CHECK(world.image().at("U 1") == row_of({}, {text("email", "b"), text("g", "old")}).attributes);
}

TEST_CASE("rows whose time is over count as gone, and those about to expire are not judged") {
    World world{head + R"(
expires = { at = "{ttl}", grace = "1m" }
[[index]]
name    = "email"
of      = "user"
store   = "main"
table   = "E"
key     = { k = "{email}" }
pointer = { u = "{id}" }
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
    World world{head + R"(
[[index]]
name    = "email"
of      = "user"
store   = "main"
table   = "E"
key     = { k = "{email}" }
pointer = { u = "{id}" }
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
    return head + R"(
[[index]]
name    = "email"
of      = "user"
store   = "main"
table   = "E"
key     = { k = "{email}" }
pointer = { u = "{id}" }
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

TEST_CASE("severity info takes away the drift, not the finding, and a kind may be for report only") {
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
          Words{"orphaned_write/entry_missing team a -> u\"2", "stale_pointer/base_missing team a -> gone",
                "orphaned_write/entry_missing team c -> u3",
                "malformed_entry/container_empty:ids team b ->",
                "malformed_entry/attribute_wrong_type:ids team d ->"});
    world.repair(world.plan());
    CHECK(world.image().at("E a") ==
          row_of({}, {text("ids", "[\"u1\",\"u\\\"2\"]"), text("note", "stays")}).attributes);
    CHECK(world.image().at("E c") == row_of({}, {text("ids", "[\"u3\"]")}).attributes);
}

TEST_CASE("an entry may stand in any one of several rows, but in one only") {
    for (const auto engine : {audit::EngineChoice::exact, audit::EngineChoice::automatic}) {
        World world{head + R"(
[[index]]
name    = "open"
of      = "user"
store   = "main"
table   = "E"
key     = { shard = "{@any(4)}", k = "{day}.{@any('a', 'bc')}" }
pointer = { u = "{id}" }
)"};
        world.store.create_table({"U", {"id"}});
        world.store.create_table({"E", {"shard", "k"}});
        const auto entry = [&](const std::string& shard, const std::string& key,
                               const std::string& user) {
            store::Row row = row_of({"", key}, {text("u", user)});
            row.key[0] = store::Value::number(shard);
            world.store.put("E", row);
        };
        for (const char* user : {"u1", "u2", "u3"}) {
            world.put("U", {user}, {text("day", std::string{"day of "} + user)});
        }
        entry("3", "day of u1.bc", "u1");                                       // right
        entry("0", "day of u2.a", "u2"), entry("2", "day of u2.bc", "u2");      // one too many
        entry("1", "day of u9.a", "u9");                                        // of nobody
        entry("4", "day of u1.a", "u1"), entry("1", "day of u1.c", "u1");       // of another index
        const audit::AuditResult result =
            audit_of(world.spec, world.store, world.clock, 1, 1, engine);
        REQUIRE(result.findings.size() == 3);
        CHECK(result.findings[0].reason == audit::Reason::entry_missing);
        CHECK(result.findings[1].reason == audit::Reason::redundant);
        CHECK(result.findings[2].reason == audit::Reason::base_missing);
        CHECK(result.coverage.whole());
        CHECK(result.coverage.tables.back().rows_other == 2);
        const std::size_t rows = world.store.rows("E").size();
        CHECK(all_are(world.repair(world.plan_of(result)), repair::Outcome::applied));
        CHECK(world.audit().findings.empty());
        CHECK(world.store.rows("E").size() == rows - 1);
    }
}

TEST_CASE("a copy that became the only one, or came in another row, is left alone") {
    World world{head + R"(
[[index]]
name    = "open"
of      = "user"
store   = "main"
table   = "E"
key     = { shard = "{@any(3)}", id = "{id}" }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"shard", "id"}});
    const auto key = [](const std::string& shard, const std::string& user) {
        return store::Key{store::Value::number(shard), store::Value::text(user)};
    };
    const auto put = [&](const std::string& shard, const std::string& user) {
        store::Row row;
        row.key = key(shard, user);
        world.store.put("E", row);
    };
    world.put("U", {"twice"}, {});
    world.put("U", {"none"}, {});
    put("0", "twice");
    put("2", "twice");
    const repair::Plan plan = world.plan();
    REQUIRE(plan.operations.size() == 2);
    // The application writes the one entry, in a row of its own choice, and takes a copy away.
    const store::Key planned = plan.operations[0].index_row->key;
    put(planned == key("1", "none") ? "2" : "1", "none");
    const store::Key doomed = plan.operations[1].index_row->key;
    world.store.erase("E", doomed == key("0", "twice") ? key("2", "twice") : key("0", "twice"));
    CHECK(outcomes(world.repair(plan)) == std::vector<std::string>{"already", "superseded"});
    CHECK(world.audit().findings.empty());
    CHECK(world.store.rows("E").size() == 2);
}
