// Promised: what a base row calls for and what an index row holds are the same entry, written in
// the two ways that the spec says; the entry names its base row where it can.
// Method: one small spec a case, rows written out, entries as words.

#include <catch2/catch.hpp>

#include "tests/audit/language_tables.hpp"

using namespace idxfsck;
using tests::Language;
using tests::row_of;
using tests::text;
using Words = std::vector<std::string>;

TEST_CASE("the example of the manual derives, decodes and locates") {
    Language language = tests::users(R"(
key     = { K = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
copies  = { DisplayName = "{DisplayName}" }
when    = 'exists(Email) and not exists(DeletedAt)'
unique  = true
settle  = "30s"
)");
    const store::Row ann = row_of({"u1"}, {text("Email", "Ann@X.org"), text("DisplayName", "Ann")});

    SECTION("the row calls for one entry") {
        REQUIRE(language.derive(ann) == Words{"ann@x.org -> u1 {DisplayName=Ann}"});
    }
    SECTION("a row without what the condition asks for is exempt") {
        REQUIRE(language.derive(row_of({"u2"}, {})) == Words{"exempt"});
        REQUIRE(language.derive(row_of({"u2"}, {text("Email", "b"), text("DeletedAt", "now")})) ==
                Words{"exempt"});
    }
    SECTION("a copy that the base row lacks is left out") {
        REQUIRE(language.derive(row_of({"u3"}, {text("Email", "c")})) == Words{"c -> u3"});
    }
    SECTION("the index row holds the same entry") {
        const auto row = row_of({"ann@x.org"}, {text("UserId", "u1"), text("DisplayName", "Ann"),
                                                text("Foreign", "kept")});
        REQUIRE(language.decode(row) == language.derive(ann));
    }
    SECTION("an index row without its pointer cannot be read") {
        REQUIRE(language.decode(row_of({"a"}, {})) == Words{"!attribute_missing UserId"});
    }
    SECTION("the entry names its base row") {
        REQUIRE(language.locate(language.entries(ann).entries[0]) == "u1");
    }
    SECTION("the row that is written has key, pointer and copies, and keeps what is foreign") {
        const audit::Entry entry = language.entries(ann).entries[0];
        const store::Row fresh = language.with_entry(entry, std::nullopt);
        REQUIRE(tests::word(fresh) == "ann@x.org DisplayName=Ann UserId=u1");
        const auto before = row_of({"ann@x.org"}, {text("UserId", "u9"), text("Foreign", "kept")});
        REQUIRE(tests::word(language.with_entry(entry, before)) ==
                "ann@x.org DisplayName=Ann Foreign=kept UserId=u1");
        REQUIRE(language.without_entry(entry, fresh) == std::nullopt);
    }
    SECTION("the guard holds fast what the entry rests on") {
        const auto values = language.index().depends_on(ann);
        std::string names;
        for (const auto& named : values) {
            names += named.name + "=" + tests::word(named.value.view()) + " ";
        }
        REQUIRE(names == "DeletedAt=absent DisplayName=Ann Email=Ann@X.org ");
    }
}

TEST_CASE("absent, null and empty text are three things, and each component says what they mean") {
    const auto derived = [](const std::string& key, std::vector<store::NamedValue> attributes) {
        Language language =
            tests::users("key = { K = " + key + " }\npointer = { Id = \"{UserId}\" }\n");
        return language.derive(row_of({"u1"}, std::move(attributes)))[0];
    };
    const store::NamedValue null{"A", store::Value::null()};

    REQUIRE(derived("\"{A}\"", {}) == "exempt");
    REQUIRE(derived("\"{A}\"", {null}) == "exempt");
    REQUIRE(derived("\"{A}\"", {text("A", "")}) == " -> u1");
    REQUIRE(derived("{ template = \"{A}\", null = \"keep\" }", {null}) == "null -> u1");
    REQUIRE(derived("{ template = \"{A}\", null = { use = \"none\" } }", {null}) == "none -> u1");
    REQUIRE(derived("{ template = \"{A}\", null = { use = \"none\" } }", {}) == "exempt");
    REQUIRE(derived("{ template = \"{A}\", absent = { use = \"\" } }", {}) == " -> u1");
    REQUIRE(derived("{ template = \"role_{A}\", absent = { use = \"\" } }", {}) == "role_ -> u1");
    REQUIRE(derived("{ template = \"{A}\", empty = \"skip\" }", {text("A", "")}) == "exempt");
    REQUIRE(derived("{ template = \"{A|trim}\", empty = \"skip\" }", {text("A", " ")}) == "exempt");
    REQUIRE(derived("{ template = \"{A}\", empty = { use = \"-\" } }", {text("A", "")}) ==
            "- -> u1");
    REQUIRE(derived("\"{A|default('x')}\"", {}) == "x -> u1");
    REQUIRE(derived("\"{A|default('x')}\"", {null}) == "x -> u1");
}

TEST_CASE("the policy of an index holds for each of its key components") {
    Language language = tests::users(
        "key = { K = \"{A}\", L = \"{B}\" }\npointer = { Id = \"{UserId}\" }\n"
        "missing = { absent = { use = \"none\" } }\n", {"K", "L"});
    REQUIRE(language.derive(row_of({"u1"}, {text("B", "b")})) == Words{"none,b -> u1"});
}

TEST_CASE("a template that is one attribute keeps the type, one with text around it makes text") {
    const auto derived = [](const std::string& key, store::Value value) {
        Language language = tests::users("key = { K = \"" + key +
                                         "\" }\npointer = { Id = \"{UserId}\" }\n");
        return language.derive(row_of({"u1"}, {{"A", std::move(value)}}))[0];
    };
    REQUIRE(derived("{A}", store::Value::number("1.50")) == "#1.5 -> u1");
    REQUIRE(derived("n{A}", store::Value::number("1.50")) == "n1.5 -> u1");
    REQUIRE(derived("{A|text}", store::Value::number("1.50")) == "1.5 -> u1");
    REQUIRE(derived("{A}", store::Value::boolean(true)) == "true -> u1");
    REQUIRE(derived("b{A}", store::Value::boolean(true)) == "btrue -> u1");
    REQUIRE(derived("{A}", store::Value::binary("\x01\xff")) == "0x01ff -> u1");
    REQUIRE(derived("b{A}", store::Value::binary("\x01")) == "!key_wrong_type A");
    REQUIRE(derived("b{A|hex}", store::Value::binary("\x01")) == "b01 -> u1");
    REQUIRE(derived("{A}", store::Value::list({})) == "!key_wrong_type A");
    REQUIRE(derived("b{A}", store::Value::map({})) == "!key_wrong_type A");
    REQUIRE(derived("{{{A}}}", store::Value::text("x")) == "{x} -> u1");
}

TEST_CASE("nested paths walk maps and lists") {
    Language language = tests::users(
        "key = { K = '{profile.emails[1].`odd name`}' }\npointer = { Id = \"{UserId}\" }\n");
    const auto second = store::Value::map({{"odd name", store::Value::text("x@y")}});
    const auto profile = store::Value::map(
        {{"emails", store::Value::list({store::Value::text("first"), second})}});
    REQUIRE(language.derive(row_of({"u1"}, {{"profile", profile}})) == Words{"x@y -> u1"});
    REQUIRE(language.derive(row_of({"u1"}, {text("profile", "flat")})) == Words{"exempt"});
    REQUIRE(language.index().depends_on(row_of({"u1"}, {})).at(0).name == "profile");
}

TEST_CASE("what the store refuses as a key is unindexable, with the attribute to blame") {
    store::KeyLimits limits;
    limits.bytes_max = 8;
    limits.characters_max = 4;
    limits.empty_text = false;
    limits.null = false;
    limits.forbidden = "/#";
    limits.control_characters = false;
    Language language = tests::users(
        "key = { K = { template = \"{A}\", null = \"keep\" } }\npointer = { Id = \"{UserId}\" }\n",
        {"K"}, {}, limits);
    const auto derived = [&](store::Value value) {
        return language.derive(row_of({"u1"}, {{"A", std::move(value)}}))[0];
    };
    REQUIRE(derived(store::Value::text("abcd")) == "abcd -> u1");
    REQUIRE(derived(store::Value::text("abcde")) == "!key_too_long A");
    // Four UTF-16 code units in eight bytes fit; the fifth does not.
    REQUIRE(derived(store::Value::text("\xF0\x9F\x98\x80\xF0\x9F\x98\x80")).ends_with("-> u1"));
    REQUIRE(derived(store::Value::text("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9")) ==
            "!key_too_long A");
    REQUIRE(derived(store::Value::text("")) == "!key_empty A");
    REQUIRE(derived(store::Value::null()) == "!key_null A");
    REQUIRE(derived(store::Value::text("a/b")) == "!key_characters A");
    REQUIRE(derived(store::Value::text("a\n")) == "!key_characters A");
    REQUIRE(derived(store::Value::text("\xC2\x85")) == "!key_characters A");
    REQUIRE(language.decode(row_of({"a/b"}, {text("Id", "u1")})) == Words{"!key_unreadable K"});
}

TEST_CASE("a key that holds the whole base key is its own pointer") {
    Language language =
        tests::users("key = { V = \"{status}\", Id = \"{UserId}\" }\n", {"V", "Id"});
    const auto row = row_of({"u1"}, {text("status", "due")});
    REQUIRE(language.derive(row) == Words{"due,u1 -> u1"});
    REQUIRE(language.decode(row_of({"due", "u1"}, {})) == Words{"due,u1 -> u1"});
    REQUIRE(language.locate(language.entries(row).entries[0]) == "u1");
    REQUIRE(language.spec().indexes[0].pointer_in_key);
    REQUIRE(tests::word(language.with_entry(language.entries(row).entries[0], std::nullopt)) ==
            "due,u1");
}

TEST_CASE("alternatives by condition: the first that is true, else the last, else no entry") {
    Language language = tests::users(R"(
pointer = { Id = "{UserId}" }
[[index.key.K]]
when = 'is_empty(ns)'
use  = "{name}"
[[index.key.K]]
when = 'exists(ns)'
use  = "_{ns}_{name}"
)");
    REQUIRE(language.derive(row_of({"u1"}, {text("ns", ""), text("name", "n")})) ==
            Words{"n -> u1"});
    REQUIRE(language.derive(row_of({"u1"}, {text("ns", "a"), text("name", "n")})) ==
            Words{"_a_n -> u1"});
    REQUIRE(language.derive(row_of({"u1"}, {text("name", "n")})) == Words{"exempt"});
}

TEST_CASE("constants stand in every row of the index and are compared as copies are") {
    Language language = tests::users(R"(
key       = { K = "{A}" }
pointer   = { Id = "{UserId}" }
copies    = { B = "{B}" }
constants = { Kind = "claim", KeyVersion = 7, Fine = true, Weight = 1.5 }
)");
    REQUIRE(language.derive(row_of({"u1"}, {text("A", "a"), text("B", "b")})) ==
            Words{"a -> u1 {B=b Fine=true KeyVersion=#7 Kind=claim Weight=#1.5}"});
    REQUIRE(language.decode(row_of({"a"}, {text("Id", "u1"), text("Kind", "odd")})) ==
            Words{"a -> u1 {Kind=odd}"});
}

TEST_CASE("copies of all attributes leave out keys, pointers, and what is excepted") {
    Language language = tests::users(R"(
key       = { K = "{Email}" }
pointer   = { Id = "{UserId}" }
copies    = { all_except = ["Timestamp"], Full = "{First} {Last}" }
constants = { Kind = "full" }
)");
    const auto base = row_of({"u1"}, {text("Email", "e"), text("First", "A"), text("Last", "B"),
                                      text("Timestamp", "1"), text("Kind", "user"),
                                      {"Gone", store::Value::null()}});
    REQUIRE(language.derive(base) ==
            Words{"e -> u1 {Email=e First=A Full=A B Gone=null Kind=full Last=B}"});
    const auto entry =
        row_of({"e"}, {text("Id", "u1"), text("Timestamp", "2"), text("Extra", "x")});
    REQUIRE(language.decode(entry) == Words{"e -> u1 {Extra=x}"});
    REQUIRE(tests::word(language.with_entry(language.entries(base).entries[0], entry)) ==
            "e Email=e First=A Full=A B Gone=null Id=u1 Kind=full Last=B Timestamp=2");
    REQUIRE(language.index().depends_on(base).size() == 4);
}
