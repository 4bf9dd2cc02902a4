// Repairs of indexes of other shapes: lists, columns, claims without a pointer, lossy ones, several
// entries for a row, numbers as keys, two stores.
//
// Promised: as for plain indexes: what may be mended is mended, a second run is silent, undo brings
// back every byte. Method: one drawn world for each shape.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::Value;
using tests::text;
using tests::World;
using Words = std::vector<std::string>;

namespace {

store::NamedValue texts(const std::string& name, const std::vector<std::string>& elements) {
    std::vector<Value> values;
    for (const std::string& element : elements) values.push_back(Value::text(element));
    return {name, Value::list(values)};
}

const std::string base = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
may_be_empty = true
)";

// All the way there, again, and back.
void check_round(World& world, std::size_t applied, const std::set<std::string>& left = {}) {
    const tests::Image before = world.image();
    const repair::Plan plan = world.plan();
    const auto result = world.repair(plan);
    CHECK(result.count(Outcome::applied) == applied);
    CHECK(tests::words(world.audit()) == left);
    const auto again = world.repair(plan);
    CHECK(again.writes == 0);
    CHECK(again.count(Outcome::already) == applied);
    CHECK(tests::all_are(world.undo(), Outcome::applied));
    CHECK(world.image() == before);
}

struct TeamWorld : World {
    TeamWorld() : World{base + R"(
[[index]]
name = "by-team"
of = "user"
store = "main"
table = "Teams"
key = { TeamId = "{Team}" }
container = { list = "Members", item = "{UserId}" }
)"} {
        store.create_table({"Users", {"UserId"}});
        store.create_table({"Teams", {"TeamId"}});
    }
    void user(const std::string& id, const std::string& team) {
        put("Users", {id}, {text("Team", team)});
    }
    void team(const std::string& id, const std::vector<std::string>& members) {
        put("Teams", {id}, {texts("Members", members), text("Note", "kept")});
    }
};

struct ClaimWorld : World {
    explicit ClaimWorld(bool by_insert = true, store::Capabilities capabilities =
                                                   store::memory_capabilities())
        : World{base + R"(
[[index]]
name = "claims"
of = "user"
store = "main"
table = "Claims"
key = { Handle = "h#{Handle}" }
unique = true
)" + (by_insert ? "claim_by_insert = true\n" : ""),
                capabilities} {
        store.create_table({"Users", {"UserId"}});
        store.create_table({"Claims", {"Handle"}});
        for (const std::string id : {"u1", "u2", "u3"}) user(id, id);
        for (const std::string id : {"u1", "u2"}) put("Claims", {"h#" + id}, {});
        put("Claims", {"h#stale"}, {text("Since", "long")});
    }
    void user(const std::string& id, const std::string& handle) {
        put("Users", {id}, {text("Handle", handle)});
    }
};

}  // namespace

TEST_CASE("members are added to a list and taken out of it, the others keep their order") {
    TeamWorld world;
    world.user("u1", "red");
    world.user("u2", "red");
    world.user("u3", "red");
    world.user("u4", "blue");                  // its team has no row
    world.team("red", {"u3", "u9", "u1", "u8"});
    world.team("gone", {"u7"});                // its last member goes, and the row with it
    const repair::Plan plan = world.plan();
    CHECK(plan.operations.size() == 5);
    const tests::Image before = world.image();
    CHECK(tests::all_are(world.repair(plan), Outcome::applied));
    CHECK(world.audit().findings.empty());
    const auto rows = world.store.rows("Teams");
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].attribute("Members")->payload ==
          texts("", {"u3", "u1", "u2"}).value.payload);
    CHECK(rows[1].attribute("Note")->payload == "kept");
    CHECK(world.repair(plan).writes == 0);
    CHECK(tests::all_are(world.undo(), Outcome::applied));
    CHECK(world.image() == before);
}

TEST_CASE("a member that changed its team is in the new one before it leaves the old one") {
    TeamWorld world;
    world.user("u1", "blue");
    world.team("red", {"u1"});
    world.team("blue", {});
    const auto plan = world.plan();
    world.faulty.before_call = [&](std::size_t) {
        bool found = false;
        for (const store::Row& row : world.store.rows("Teams")) {
            found = found || row.attributes.find("u1") != std::string::npos;
        }
        CHECK(found);
    };
    world.repair(plan);
    CHECK(world.audit().findings.empty());
}

TEST_CASE("several members of one row are one operation each, undone in reverse") {
    TeamWorld world;
    for (const std::string id : {"u1", "u2", "u3"}) world.user(id, "red");
    check_round(world, 3);
}

TEST_CASE("a column whose value belongs to another base row gives way to the one that derives it") {
    World world{R"(
[store.main]
kind = "memory"
[base.account]
store = "main"
table = "Accounts"
key = ["AccountId"]
locate = { AccountId = "{provider}_{id}" }
may_be_empty = true
[[index]]
name = "by-user"
of = "account"
store = "main"
table = "ByUser"
key = { UserId = "{user}" }
container = { columns = true, name = "{provider}", value = "{id}" }
)"};
    world.store.create_table({"Accounts", {"AccountId"}});
    world.store.create_table({"ByUser", {"UserId"}});
    const auto account = [&](const std::string& provider, const std::string& id) {
        world.put("Accounts", {provider + "_" + id},
                  {text("provider", provider), text("id", id), text("user", "u1")});
    };
    account("google", "new");
    account("github", "same");
    world.put("ByUser", {"u1"}, {text("google", "old"), text("github", "same")});
    const repair::Plan plan = world.plan();
    REQUIRE(plan.operations.size() == 1);
    CHECK(plan.operations[0].kind == repair::OperationKind::replace_entry);
    check_round(world, 1);
}

TEST_CASE("a claim that no base row derives is deleted after one look at all base rows") {
    for (const auto guard : {store::GuardReach::store, store::GuardReach::row}) {
        ClaimWorld world{true, tests::capabilities_of(guard, true)};
        const auto plan = world.plan();
        REQUIRE(plan.operations.size() == 2);
        check_round(world, 2);
    }
}

TEST_CASE("a claim is for a person where writers do not claim by insert") {
    ClaimWorld world{false};
    const auto result = world.repair(world.plan());
    CHECK(tests::outcomes(result) == Words{"applied", "manual"});
}

TEST_CASE("a claim that a base row derives by now stays, and one that was touched stays") {
    {
        ClaimWorld world;
        const auto plan = world.plan();
        world.user("u7", "stale");
        CHECK(tests::outcomes(world.repair(plan)) == Words{"applied", "superseded"});
    }
    {
        ClaimWorld world;
        const auto plan = world.plan();
        world.put("Claims", {"h#stale"}, {text("Since", "long")});  // the same bytes, a new version
        CHECK(tests::outcomes(world.repair(plan)) == Words{"applied", "superseded"});
    }
    {
        ClaimWorld world;
        const auto plan = world.plan();
        world.put("Claims", {"h#stale"}, {text("Since", "now")});
        CHECK(tests::outcomes(world.repair(plan)) == Words{"applied", "superseded"});
    }
}

TEST_CASE("the delete of a claim is held when the base rows cannot all be looked at") {
    ClaimWorld world;
    const auto plan = world.plan();
    repair::RepairOptions options;
    options.still_unclaimed = [](const std::string&, const std::vector<audit::Entry>&) {
        return std::nullopt;
    };
    CHECK(tests::outcomes(world.repair(plan, options)) == Words{"applied", "held"});
    // A row of the base table that is no row: what it derives cannot be told.
    world.store.put_bytes("Users", "\xff\xff", "\xff");
    CHECK(tests::outcomes(world.repair(plan)) == Words{"already", "held"});
}

TEST_CASE("in a lossy index any live base row keeps the key") {
    World world{base + R"(
[[index]]
name = "any"
of = "user"
store = "main"
table = "Any"
key = { Team = "{Team}" }
pointer = { UserId = "{UserId}" }
lossy = true
)"};
    world.store.create_table({"Users", {"UserId"}});
    world.store.create_table({"Any", {"Team"}});
    for (const std::string id : {"u1", "u2"}) world.put("Users", {id}, {text("Team", "red")});
    world.put("Users", {"u3"}, {text("Team", "blue")});
    world.put("Any", {"red"}, {text("UserId", "u9")});
    const auto plan = world.plan();
    const tests::Image drifted = world.image();
    check_round(world, 2);
    REQUIRE(world.image() == drifted);
    world.journal.clear();
    world.put("Any", {"red"}, {text("UserId", "u2")});  // the other row took the key meanwhile
    CHECK(world.repair(plan).count(Outcome::already) == 1);
}

TEST_CASE("a row with several entries has each of them mended") {
    World world{base + R"(
[[index]]
name = "by-tag"
of = "user"
store = "main"
table = "ByTag"
key = { Tag = "{@item}", UserId = "{UserId}" }
each = "{Tags}"
)"};
    world.store.create_table({"Users", {"UserId"}});
    world.store.create_table({"ByTag", {"Tag", "UserId"}});
    world.put("Users", {"u1"}, {texts("Tags", {"a", "b", "c"})});
    world.put("ByTag", {"b", "u1"}, {});
    world.put("ByTag", {"old", "u1"}, {});
    const auto plan = world.plan();
    REQUIRE(plan.operations.size() == 3);
    CHECK(plan.operations[2].after.size() == 2);  // the delete waits for both adds
    check_round(world, 3);
}

TEST_CASE("a base row whose number is spelled otherwise is found before its entry is deleted") {
    // The look finds it, and where guards reach the base table they would too.
    for (const auto guard : {store::GuardReach::store, store::GuardReach::row}) {
        World world{base + R"(
[[index]]
name = "by-email"
of = "user"
store = "main"
table = "ByEmail"
key = { Email = "{Email}" }
pointer = { UserId = "{UserId}" }
)",
                    tests::capabilities_of(guard, true)};
        world.store.create_table({"Users", {"UserId"}});
        world.store.create_table({"ByEmail", {"Email"}});
        world.put("Users", {"other"}, {});
        world.put("ByEmail", {"a@x"}, {{"UserId", Value::number("7")}});
        const auto plan = world.plan();
        REQUIRE(plan.operations.size() == 1);
        store::Row user{{Value::int32(7)}, store::encode_attributes({text("Email", "a@x")}), ""};
        world.store.put("Users", user);
        CHECK(tests::outcomes(world.repair(plan)) == Words{"superseded"});
    }
}

TEST_CASE("a base table in another store is looked at before and after the write") {
    World world{R"(
[store.main]
kind = "memory"
[store.side]
kind = "memory"
[base.user]
store = "side"
table = "Users"
key = ["UserId"]
[[index]]
name = "by-email"
of = "user"
store = "main"
table = "ByEmail"
key = { Email = "{Email}" }
pointer = { UserId = "{UserId}" }
)"};
    store::MemoryStore side{store::memory_capabilities(), "side"};
    side.create_table({"Users", {"UserId"}});
    world.store.create_table({"ByEmail", {"Email"}});
    side.put("Users", tests::row_of({"u1"}, {text("Email", "a@x")}));
    world.put("ByEmail", {"b@x"}, {text("UserId", "u1")});
    audit::AuditOptions options;
    options.threads = 1;
    const auto audit = audit::run_audit(world.spec, {{"main", &world.store}, {"side", &side}},
                                        world.clock, options);
    const auto plan = repair::make_plan(world.spec, audit, {});
    REQUIRE(plan.operations.size() == 2);
    repair::Journal journal{std::make_unique<tests::MemoryJournalFile>(world.journal),
                            {"repair", "p", "s", {}, 1, "0.1.0"}};
    repair::RepairOptions repair_options;
    repair_options.apply = true;
    const repair::Stores stores{{"main", {&world.faulty, &world.faulty}}, {"side", {&side, &side}}};
    const auto result =
        repair::run_repair(plan, world.spec, stores, &journal, world.clock, repair_options);
    CHECK(tests::all_are(result, Outcome::applied));
    CHECK(world.image() == tests::Image{{"ByEmail a@x",
                                         store::encode_attributes({text("UserId", "u1")})}});
}
