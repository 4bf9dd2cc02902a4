// Each shape of index, drawn as a small world, with what must be found in it.

#include <catch2/catch.hpp>

#include "tests/audit/emails.hpp"

using namespace idxfsck;
using tests::row_of;
using tests::text;
using Words = std::set<std::string>;

namespace {

store::NamedValue texts(std::string name, std::vector<std::string> values) {
    std::vector<store::Value> elements;
    for (std::string& value : values) elements.push_back(store::Value::text(std::move(value)));
    return {std::move(name), store::Value::list(elements)};
}

struct Tables {
    store::MemoryStore store{tests::with_snapshot(true)};
    tests::TestClock clock;

    Tables() {
        store.create_table({"Users", {"UserId"}});
        store.create_table({"Index", {"K"}});
        store.create_table({"Pairs", {"K", "UserId"}});
    }

    audit::AuditResult audit(const std::string& spec) {
        return tests::audit_of(tests::spec_of(spec), store, clock);
    }
};

}  // namespace

TEST_CASE("a multi-valued index has one entry for each tag of a row") {
    Tables world;
    world.store.put("Users", row_of({"u1"}, {texts("Tags", {"cat", "dog", "cat"})}));
    world.store.put("Users", row_of({"u2"}, {texts("Tags", {})}));
    world.store.put("Pairs", row_of({"cat", "u1"}, {}));
    world.store.put("Pairs", row_of({"fox", "u1"}, {}));
    world.store.put("Pairs", row_of({"fox", "u9"}, {}));
    const auto result = world.audit(tests::users_head + R"(
[[index]]
name = "by-tag"
of = "user"
store = "main"
table = "Pairs"
each = "{Tags}"
key = { K = "{@item}", UserId = "{UserId}" }
)");
    REQUIRE(tests::words(result) ==
            Words{"orphaned_write/entry_missing by-tag dog,u1 -> u1",
                  "stale_pointer/value_changed by-tag fox,u1 -> u1",
                  "stale_pointer/base_missing by-tag fox,u9 -> u9"});
}

TEST_CASE("a list of ids is a container: its members are entries") {
    Tables world;
    world.store.put("Users", row_of({"u1"}, {text("Team", "red")}));
    world.store.put("Users", row_of({"u2"}, {text("Team", "red")}));
    world.store.put("Users", row_of({"u3"}, {text("Team", "blue")}));
    world.store.put("Index", row_of({"red"}, {texts("Ids", {"u1", "u3", "u9"})}));
    world.store.put("Index", row_of({"old"}, {texts("Ids", {})}));
    world.store.put("Index", row_of({"odd"}, {text("Ids", "u1")}));
    const auto result = world.audit(tests::users_head + R"(
[[index]]
name = "team"
of = "user"
store = "main"
table = "Index"
key = { K = "{Team}" }
container = { list = "Ids", item = "{UserId}" }
)");
    REQUIRE(tests::words(result) == Words{"orphaned_write/entry_missing team red -> u2",
                                          "orphaned_write/entry_missing team blue -> u3",
                                          "stale_pointer/value_changed team red -> u3",
                                          "stale_pointer/base_missing team red -> u9",
                                          "malformed_entry/container_empty:Ids team old ->",
                                          "malformed_entry/attribute_wrong_type:Ids team odd ->"});
}

TEST_CASE("a list that holds one id twice is a finding, not a difference that nobody explains") {
    Tables world;
    world.store.put("Users", row_of({"u1"}, {text("Team", "red")}));
    world.store.put("Users", row_of({"u2"}, {text("Team", "red")}));
    world.store.put("Index", row_of({"red"}, {texts("Ids", {"u1", "u2", "u1"})}));
    const auto result = world.audit(tests::users_head + R"(
[[index]]
name = "team"
of = "user"
store = "main"
table = "Index"
key = { K = "{Team}" }
container = { list = "Ids", item = "{UserId}" }
)");
    REQUIRE(tests::words(result) == Words{"malformed_entry/member_twice:Ids team red ->"});
    REQUIRE(result.coverage.whole());
}

TEST_CASE("a claim without a pointer is judged from the base side alone") {
    const std::string index = R"(
[[index]]
name = "handle"
of = "user"
store = "main"
table = "Index"
key = { K = "handle#{Handle}" }
)";
    Tables world;
    world.store.put("Users", row_of({"u1"}, {text("Handle", "ann")}));
    world.store.put("Users", row_of({"u2"}, {text("Handle", "bob")}));
    world.store.put("Users", row_of({"u3"}, {text("Handle", "bob")}));
    world.store.put("Users", row_of({"u4"}, {text("Handle", "cid")}));
    world.store.put("Index", row_of({"handle#ann"}, {}));
    world.store.put("Index", row_of({"handle#bob"}, {}));
    world.store.put("Index", row_of({"handle#eve"}, {}));

    SECTION("a unique claim that two rows derive is a duplicate claim, though it is there") {
        REQUIRE(tests::words(world.audit(tests::users_head + index + "unique = true\n")) ==
                Words{"duplicate_claim handle handle#bob -> u2 u3",
                      "orphaned_write/entry_missing handle handle#cid ->",
                      "stale_pointer/unclaimed handle handle#eve ->"});
    }
    SECTION("one that is not unique serves every row that derives it") {
        REQUIRE(tests::words(world.audit(tests::users_head + index)) ==
                Words{"orphaned_write/entry_missing handle handle#cid ->",
                      "stale_pointer/unclaimed handle handle#eve ->"});
    }
}

TEST_CASE("without a snapshot an unclaimed entry takes a second scan of the base table") {
    store::MemoryStore store{tests::with_snapshot(false)};
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    store.put("Users", row_of({"u1"}, {text("Handle", "ann")}));
    store.put("Index", row_of({"ann"}, {}));
    store.put("Index", row_of({"bob"}, {}));
    store.put("Index", row_of({"eve"}, {}));
    tests::TestClock clock;
    // The claim came before its row: the row is there by the time of the second look.
    clock.on_wait = [&] { store.put("Users", row_of({"u2"}, {text("Handle", "bob")})); };
    const auto result = tests::audit_of(tests::spec_of(tests::users_head + R"(
[[index]]
name = "handle"
of = "user"
store = "main"
table = "Index"
key = { K = "{Handle}" }
settle = "5s"
unique = true
)"), store, clock);
    REQUIRE(tests::words(result) == Words{"stale_pointer/unclaimed handle eve ->"});
    REQUIRE(result.coverage.indexes[0].settled == 1);
}

TEST_CASE("an entry of a row that lacks what makes it real is stale for a person to decide") {
    Tables world;
    world.store.put("Users", row_of({"u1"}, {text("Email", "a"), text("Name", "n")}));
    world.store.put("Users", row_of({"u2"}, {text("Email", "b")}));
    world.store.put("Index", row_of({"a"}, {text("UserId", "u1")}));
    world.store.put("Index", row_of({"b"}, {text("UserId", "u2")}));
    const auto result = world.audit(tests::users_head + R"(
real_if = ["Name"]
[[index]]
name = "email"
of = "user"
store = "main"
table = "Index"
key = { K = "{Email}" }
pointer = { UserId = "{UserId}" }
)");
    REQUIRE(tests::words(result) == Words{"stale_pointer/base_partial email b -> u2"});
    REQUIRE(result.coverage.indexes[0].base_rows_partial == 1);
}

TEST_CASE("numbers are compared as numbers, and never with text") {
    Tables world;
    store::Row one = row_of({"u1"}, {{"Age", store::Value::number("1.0")}});
    world.store.put("Users", one);
    world.store.put("Users", row_of({"u2"}, {{"Age", store::Value::number("2")}}));
    store::Row entry;
    entry.key = {store::Value::number("1e0"), store::Value::text("u1")};
    world.store.put("Pairs", entry);
    world.store.put("Pairs", row_of({"2", "u2"}, {}));
    const auto result = world.audit(tests::users_head + R"(
[[index]]
name = "age"
of = "user"
store = "main"
table = "Pairs"
key = { K = "{Age}", UserId = "{UserId}" }
)");
    REQUIRE(result.findings.size() == 2);
    REQUIRE(result.findings[0].kind == audit::FindingKind::orphaned_write);
    REQUIRE(result.findings[0].entry.key[0] == store::Value::number("2"));
    REQUIRE(result.findings[1].reason == audit::Reason::value_changed);
    REQUIRE(result.findings[1].entry.key[0] == store::Value::text("2"));
}

TEST_CASE("an index that names its base row by another kind of number still finds it") {
    Tables world;
    store::Row base;
    base.key = {store::Value::int64(7)};
    base.attributes = store::encode_attributes({text("Email", "a"), text("Name", "new")});
    world.store.put("Users", base);
    store::Row entry = row_of({"a"}, {{"UserId", store::Value::number("7")}, text("Name", "old")});
    world.store.put("Index", entry);
    const auto result = world.audit(tests::users_head + R"(
[[index]]
name = "email"
of = "user"
store = "main"
table = "Index"
key = { K = "{Email}" }
pointer = { UserId = "{UserId}" }
copies = { Name = "{Name}" }
)");
    REQUIRE(result.findings.size() == 1);
    REQUIRE(result.findings[0].kind == audit::FindingKind::divergent_copy);
    REQUIRE(result.findings[0].differences ==
            std::vector<audit::Difference>{
                {"Name", store::Value::text("new"), store::Value::text("old")}});
}

TEST_CASE("rows of base and index in one table are told apart and read in one scan") {
    store::MemoryStore store{tests::with_snapshot(true)};
    store.create_table({"T", {"pk", "sk"}});
    store.put("T", row_of({"USER#1", "A"}, {text("email", "a@x")}));
    store.put("T", row_of({"USER#2", "A"}, {text("email", "b@x")}));
    store.put("T", row_of({"EMAIL#a@x", "E"}, {text("user", "USER#1")}));
    store.put("T", row_of({"EMAIL#c@x", "E"}, {text("user", "USER#2")}));
    store.put("T", row_of({"ORDER#9", "O"}, {}));
    tests::TestClock clock;
    const auto result = tests::audit_of(tests::spec_of(R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "T"
key = ["pk", "sk"]
rows = 'starts_with(pk, "USER#") and sk == "A"'
[[index]]
name = "email"
of = "user"
store = "main"
table = "T"
rows = 'starts_with(pk, "EMAIL#")'
key = { pk = "EMAIL#{email}", sk = "E" }
pointer = { user = "{pk}" }
)"), store, clock);
    REQUIRE(tests::words(result) ==
            Words{"orphaned_write/entry_missing email EMAIL#b@x,E -> USER#2",
                  "stale_pointer/value_changed email EMAIL#c@x,E -> USER#2"});
    REQUIRE(result.coverage.tables.size() == 1);
    REQUIRE(result.coverage.tables[0].rows == 5);
    REQUIRE(result.coverage.tables[0].rows_other == 1);
}
