// Promised: one entry for each element of a list, set, map or delimited text; each element once;
// and containers, in which an index row holds several entries.
// Method: one small spec a case, rows written out, entries as words.

#include <catch2/catch.hpp>

#include "tests/audit/language_tables.hpp"

using namespace idxfsck;
using store::Value;
using tests::Language;
using tests::row_of;
using tests::text;
using Words = std::vector<std::string>;

namespace {

Value texts(const std::vector<std::string>& words) {
    std::vector<Value> values;
    for (const std::string& word : words) values.push_back(Value::text(word));
    return Value::list(values);
}

}  // namespace

TEST_CASE("each element of a list or set calls for an entry, equal ones for one") {
    Language language = tests::users(
        "each = \"{Tags}\"\nkey = { K = \"{@item|lower}\", UserId = \"{UserId}\" }\n",
        {"K", "UserId"});
    REQUIRE(language.derive(row_of({"u1"}, {{"Tags", texts({"Cat", "dog", "cat"})}})) ==
            Words{"cat,u1 -> u1", "dog,u1 -> u1"});
    const Value set = Value::set(store::Kind::text_set, {"b", "a"});
    REQUIRE(language.derive(row_of({"u1"}, {{"Tags", set}})) == Words{"a,u1 -> u1", "b,u1 -> u1"});
    REQUIRE(language.derive(row_of({"u1"}, {{"Tags", texts({})}})) == Words{"exempt"});
    REQUIRE(language.derive(row_of({"u1"}, {})) == Words{"exempt"});
    REQUIRE(language.derive(row_of({"u1"}, {text("Tags", "cat")})) ==
            Words{"!key_wrong_type Tags"});
}

TEST_CASE("a condition may speak of the element") {
    Language language = tests::users(
        "each = \"{Tags}\"\nwhen = 'starts_with(@item, \"p\")'\n"
        "key = { K = \"{@item}\", UserId = \"{UserId}\" }\n", {"K", "UserId"});
    REQUIRE(language.derive(row_of({"u1"}, {{"Tags", texts({"cat", "pig"})}})) ==
            Words{"pig,u1 -> u1"});
    REQUIRE(language.derive(row_of({"u1"}, {{"Tags", texts({"cat"})}})) == Words{"exempt"});
}

TEST_CASE("map members have a key and a value, elements of lists may be maps") {
    Language map = tests::users(
        "each = \"{Links}\"\nkey = { K = \"{@key}:{@value.id}\" }\n"
        "pointer = { Id = \"{UserId}\" }\n");
    const Value links = Value::map({{"git", Value::map({{"id", Value::text("7")}})},
                                    {"web", Value::map({{"id", Value::text("8")}})}});
    REQUIRE(map.derive(row_of({"u1"}, {{"Links", links}})) == Words{"git:7 -> u1", "web:8 -> u1"});

    Language list = tests::users(
        "each = \"{Mails}\"\nkey = { K = \"{@item.address}\" }\npointer = { Id = \"{UserId}\" }\n");
    const Value mails = Value::list({Value::map({{"address", Value::text("a@x")}}),
                                     Value::map({{"other", Value::text("b@x")}})});
    REQUIRE(list.derive(row_of({"u1"}, {{"Mails", mails}})) == Words{"a@x -> u1"});
}

TEST_CASE("delimited text is split into its elements") {
    Language language = tests::users(
        "each = \"{Tags|split(',')}\"\n"
        "key = { K = { template = \"{@item|trim}\", empty = \"skip\" }, UserId = \"{UserId}\" }\n",
        {"K", "UserId"});
    REQUIRE(language.derive(row_of({"u1"}, {text("Tags", "cat, dog,,cat")})) ==
            Words{"cat,u1 -> u1", "dog,u1 -> u1"});
}

TEST_CASE("a list holds one entry for each element, in any order, each once") {
    Language language = tests::users(
        "key = { K = \"{Team}\" }\ncontainer = { list = \"Ids\", item = \"{UserId}\" }\n");
    const auto row = [](const Value& ids) { return row_of({"red"}, {{"Ids", ids}}); };
    const audit::Entry u3 =
        language.entries(row_of({"u3"}, {text("Team", "red")})).entries.at(0);

    REQUIRE(language.derive(row_of({"u1"}, {text("Team", "red")})) == Words{"red -> u1"});
    REQUIRE(language.decode(row(texts({"u2", "u1"}))) == Words{"red -> u2", "red -> u1"});
    REQUIRE(language.decode(row(texts({"u2", "u1", "u2"}))) ==
            Words{"red -> u2", "red -> u1", "!member_twice Ids"});
    REQUIRE(language.decode(row(texts({}))) == Words{"!container_empty Ids"});
    REQUIRE(language.decode(row_of({"red"}, {})) == Words{"!container_empty Ids"});
    REQUIRE(language.decode(row(Value::text("u1"))) == Words{"!attribute_wrong_type Ids"});
    REQUIRE(language.locate(u3) == "u3");

    SECTION("a member is added at the end, and taken out wherever it stands") {
        const store::Row with = language.with_entry(u3, row(texts({"u2", "u1"})));
        REQUIRE(tests::word(with) == "red Ids=[u2 u1 u3]");
        REQUIRE(language.with_entry(u3, with) == with);
        REQUIRE(tests::word(*language.without_entry(u3, row(texts({"u3", "u1", "u3"})))) ==
                "red Ids=[u1]");
        REQUIRE(language.without_entry(u3, row(texts({"u3"}))) == std::nullopt);
    }
    SECTION("a set stays a set") {
        const Value set = Value::set(store::Kind::text_set, {"u1", "u9"});
        REQUIRE(language.with_entry(u3, row(set)) ==
                row(Value::set(store::Kind::text_set, {"u1", "u3", "u9"})));
    }
    SECTION("where there is no row, a list is created") {
        REQUIRE(language.with_entry(u3, std::nullopt) == row(texts({"u3"})));
    }
}

TEST_CASE("a container may be created as a set, stay when it is empty, and be full") {
    Language language = tests::users(
        "key = { K = \"{Team}\" }\ncontainer = { list = \"Ids\", item = \"{UserId}\", "
        "create_as = \"set\", keep_empty = true, members_max = 2 }\n");
    const audit::Entry u1 = language.entries(row_of({"u1"}, {text("Team", "red")})).entries.at(0);
    const store::Row row = language.with_entry(u1, std::nullopt);
    REQUIRE(row == row_of({"red"}, {{"Ids", Value::set(store::Kind::text_set, {"u1"})}}));
    REQUIRE(tests::word(*language.without_entry(u1, row)) == "red");
    REQUIRE(language.decode(row_of({"red"}, {})) == Words{});
    REQUIRE(language.decode(row_of({"red"}, {{"Ids", texts({"a", "b"})}})) ==
            Words{"red -> a", "red -> b", "!container_full Ids"});
}

TEST_CASE("map members are name and value") {
    Language language = tests::users(
        "key = { K = \"{Team}\" }\n"
        "container = { map = \"Members\", name = \"{UserId}\", value = \"{Role}\" }\n");
    const auto base = row_of({"u1"}, {text("Team", "red"), text("Role", "boss")});
    REQUIRE(language.derive(base) == Words{"red -> u1,boss"});
    const audit::Entry entry = language.entries(base).entries.at(0);
    const store::Row row = language.with_entry(
        entry, row_of({"red"}, {{"Members", Value::map({{"u1", Value::text("x")},
                                                        {"u2", Value::text("y")}})}}));
    REQUIRE(language.decode(row) == Words{"red -> u1,boss", "red -> u2,y"});
    REQUIRE(language.locate(entry) == "u1");
    REQUIRE(language.decode(*language.without_entry(entry, row)) == Words{"red -> u2,y"});
    // A member of that name with another value is another entry.
    REQUIRE(language.without_entry(entry, row_of({"red"}, {{"Members", Value::map({
                {"u1", Value::text("other")}})}})).has_value());
}

TEST_CASE("columns whose names are data") {
    Language language = tests::users(R"(
key = { K = "{Team}" }
constants = { Kind = "team" }
container = { columns = true, name = "{UserId}", value = "{Role}", except = ["Timestamp"] }
)");
    const auto base = row_of({"u1"}, {text("Team", "red"), text("Role", "boss")});
    const audit::Entry entry = language.entries(base).entries.at(0);
    const store::Row fresh = language.with_entry(entry, std::nullopt);
    REQUIRE(tests::word(fresh) == "red Kind=team u1=boss");
    REQUIRE(language.decode(fresh) == Words{"red -> u1,boss"});
    REQUIRE(language.decode(row_of({"red"}, {text("Timestamp", "1")})) ==
            Words{"!container_empty "});
    REQUIRE(language.without_entry(entry, fresh) == std::nullopt);
    const auto two = row_of({"red"}, {text("u1", "boss"), text("u2", "x"), text("Timestamp", "1")});
    REQUIRE(tests::word(*language.without_entry(entry, two)) == "red Timestamp=1 u2=x");
}

TEST_CASE("text with separators is a container too") {
    Language language = tests::users(
        "key = { K = \"{Team}\" }\n"
        "container = { delimited = \"Ids\", separator = \";\", item = \"{UserId}\" }\n");
    const audit::Entry u3 = language.entries(row_of({"u3"}, {text("Team", "red")})).entries.at(0);
    REQUIRE(language.decode(row_of({"red"}, {text("Ids", "u1;u2")})) ==
            Words{"red -> u1", "red -> u2"});
    REQUIRE(tests::word(language.with_entry(u3, row_of({"red"}, {text("Ids", "u1;u2")}))) ==
            "red Ids=u1;u2;u3");
    REQUIRE(tests::word(*language.without_entry(u3, row_of({"red"}, {text("Ids", "u3;u2")}))) ==
            "red Ids=u2");
    REQUIRE(language.without_entry(u3, row_of({"red"}, {text("Ids", "u3")})) == std::nullopt);
    REQUIRE(language.decode(row_of({"red"}, {text("Ids", "")})) == Words{"!container_empty Ids"});
}
