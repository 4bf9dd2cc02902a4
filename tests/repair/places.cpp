// tests/repair/places.cpp
//
// Promised: older key versions, index attributes inside the base row, and entries that may stand in
// any one of several rows, from the audit to a repair that leaves nothing behind.
// Method: worlds small enough to be written down, with all of their findings and writes.

#include "tests/repair/rules_world.hpp"

using namespace idxfsck;
using namespace idxfsck::tests;

namespace {

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

TEST_CASE("index attributes inside the base row are mended only where the spec says so") {
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
        entry("3", "day of u1.bc", "u1");                                   // right
        entry("0", "day of u2.a", "u2"), entry("2", "day of u2.bc", "u2");  // one too many
        entry("1", "day of u9.a", "u9");                                    // of nobody
        entry("4", "day of u1.a", "u1"), entry("1", "day of u1.c", "u1");   // of no index
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

TEST_CASE("an entry that an older version came to call for after the audit stays") {
    World world{head + R"(
[[index]]
name    = "email"
of      = "user"
store   = "main"
table   = "E"
key     = { k = "{email|lower}" }
pointer = { u = "{id}" }
[[index.versions]]
name = "raw"
key  = { k = "{email}" }
)"};
    world.store.create_table({"U", {"id"}});
    world.store.create_table({"E", {"k"}});
    world.put("U", {"1"}, {});
    world.put("E", {"A"}, {text("u", "1")});
    const repair::Plan plan = world.plan();
    REQUIRE(operations(plan) == std::vector<std::string>{"delete_entry A"});
    world.put("U", {"1"}, {text("email", "A")});
    CHECK(outcomes(world.repair(plan)) == std::vector<std::string>{"superseded"});
}
