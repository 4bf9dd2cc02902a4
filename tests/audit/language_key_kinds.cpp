// Promised: where a table takes keys of one kind, a part of a key that can never be of it is
// refused before a row is read; where only the row tells, it is that row which is named, and
// nothing that it has to do with is called missing or moved.

#include <catch2/catch.hpp>

#include "store/error.hpp"
#include "tests/audit/language_tables.hpp"

using namespace idxfsck;
using store::Kind;
using store::Value;
using tests::Language;
using tests::row_of;
using tests::text;
using Words = std::vector<std::string>;

namespace {

const std::string pointer = "pointer = { Id = \"{UserId}\" }\n";

std::vector<store::TableSchema> tables_of(Kind base, Kind index) {
    return {{"Users", {"UserId"}, {base}}, {"Index", {"K"}, {index}}};
}

Language language_of(const std::string& index, Kind base_kind, Kind index_kind,
                     const std::string& base = {}) {
    return {tests::users_spec(index, base), tables_of(base_kind, index_kind)};
}

// The complaints about the spec; "" if there are none.
std::string refusal(const std::string& index, Kind base_kind, Kind index_kind,
                    const std::string& base = {}) {
    try {
        static_cast<void>(language_of(index, base_kind, index_kind, base));
    } catch (const store::Error& error) {
        REQUIRE(error.trouble() == store::Trouble::usage);
        std::string all;
        for (const auto& [name, value] : error.fields()) all += value + "\n";
        return all;
    }
    return "";
}

std::string key_refusal(const std::string& key, Kind base_kind, Kind index_kind) {
    return refusal("key = { K = " + key + " }\n" + pointer, base_kind, index_kind);
}

store::Row user(Value id, std::vector<store::NamedValue> attributes) {
    return {{std::move(id)}, store::encode_attributes(std::move(attributes)), {}};
}

}  // namespace

TEST_CASE("a part of a key that can never be of the kind that the table takes is refused") {
    for (const char* const key :
         {R"("E#{A}")", R"("{A|lower}")", R"("{A|pad(9)}")", R"("{A|sha256}")",
          R"("{A|from_seconds}")", R"("{A|split(',')}")",
          R"([{ when = 'exists(B)', use = "x{A}" }, { use = "y{A}" }])"}) {
        CAPTURE(key);
        CHECK_THAT(key_refusal(key, Kind::text, Kind::number), Catch::Contains("takes number"));
    }
    for (const char* const key : {R"("{A|plus(1)}")", R"("{A|sha256}")", R"("{UserId}")"}) {
        CAPTURE(key);
        CHECK_THAT(key_refusal(key, Kind::number, Kind::text), Catch::Contains("takes text"));
    }
    for (const char* const key : {R"("{A}#{B}")", R"("{A|sha256|hex}")", R"("{UserId}")"}) {
        CAPTURE(key);
        CHECK_THAT(key_refusal(key, Kind::text, Kind::binary), Catch::Contains("takes binary"));
    }
}

TEST_CASE("a part that may be of the kind that the table takes is not refused") {
    for (const char* const key :
         {R"("{A}")", R"("{A|plus(0)}")", R"("{A|lower|plus(0)}")", R"("{m.deep[0]}")",
          R"("{A|default('0')}")", R"("{A|from_json}")", R"("{UserId}")",
          R"([{ when = 'exists(B)', use = "x{A}" }, { use = "{A}" }])"}) {
        CAPTURE(key);
        CHECK(key_refusal(key, Kind::number, Kind::number).empty());
    }
    for (const char* const key : {R"("E#{A}")", R"("{UserId|text}")", R"("{A|sha256|hex}")",
                                  R"({ template = "{A|plus(1)}", absent = { use = "none" } })"}) {
        CAPTURE(key);
        CHECK(key_refusal(key, Kind::number, Kind::text).empty());
    }
    for (const char* const key : {R"("{A|sha256}")", R"("{A|from_hex}")", R"("{A}")"}) {
        CAPTURE(key);
        CHECK(key_refusal(key, Kind::text, Kind::binary).empty());
    }
}

TEST_CASE("the refusal names index, table, attribute, both kinds, and what to change") {
    const std::string said = key_refusal("\"U#{A}\"", Kind::text, Kind::number);
    for (const char* const word : {"test.toml:", "index by-key, table Index: K is text",
                                   "the table takes number", "K = \"{K}\"", "|plus(0)"}) {
        CHECK_THAT(said, Catch::Contains(word));
    }
    CHECK_THAT(key_refusal("\"{A|plus(1)}\"", Kind::text, Kind::text),
               Catch::Contains("K is number, the table takes text") && Catch::Contains("|text"));
}

TEST_CASE("a table that takes keys of several kinds refuses none of them") {
    REQUIRE(tests::users("key = { K = \"E#{A}\" }\n" + pointer)
                .derive(row_of({"u1"}, {text("A", "a")})) == Words{"E#a -> u1"});
}

TEST_CASE("a value of another kind than the table takes is unindexable, by both kinds") {
    const auto derived = [](Kind taken, Value value) {
        Language language =
            language_of("key = { K = \"{A}\" }\n" + pointer, Kind::text, taken);
        return language.derive(user(Value::text("u1"), {{"A", std::move(value)}}))[0];
    };
    CHECK(derived(Kind::text, Value::text("a")) == "a -> u1");
    CHECK(derived(Kind::text, Value::number("17")) == "!key_number_not_text A");
    CHECK(derived(Kind::text, Value::int32(17)) == "!key_number_not_text A");
    CHECK(derived(Kind::text, Value::binary("a")) == "!key_binary_not_text A");
    CHECK(derived(Kind::text, Value::boolean(true)) == "!key_wrong_type A");
    CHECK(derived(Kind::number, Value::number("17")) == "#17 -> u1");
    CHECK(derived(Kind::number, Value::int64(17)) == "#17 -> u1");
    CHECK(derived(Kind::number, Value::text("17")) == "!key_text_not_number A");
    CHECK(derived(Kind::number, Value::binary("17")) == "!key_binary_not_number A");
    CHECK(derived(Kind::binary, Value::binary("a")) == "0x61 -> u1");
    CHECK(derived(Kind::binary, Value::text("a")) == "!key_text_not_binary A");
    CHECK(derived(Kind::binary, Value::number("1")) == "!key_number_not_binary A");
}

TEST_CASE("an entry whose pointer is of another kind than the base's key is malformed") {
    const std::string index = "key = { K = \"{A}\" }\n" + pointer;
    const auto decoded = [&](Kind base, Value id) {
        Language language = language_of(index, base, Kind::text);
        return language.decode(user(Value::text("a"), {{"Id", std::move(id)}}))[0];
    };
    CHECK(decoded(Kind::number, Value::number("17")) == "a -> #17");
    CHECK(decoded(Kind::number, Value::text("17")) == "!attribute_wrong_type Id");
    CHECK(decoded(Kind::text, Value::text("17")) == "a -> 17");
    CHECK(decoded(Kind::text, Value::number("17")) == "!attribute_wrong_type Id");
    // What is no copy of the key is of whatever kind the template makes.
    Language joined = language_of("key = { K = \"{A}\" }\npointer = { Id = \"USER#{UserId}\" }\n",
                                  Kind::number, Kind::text);
    CHECK(joined.decode(user(Value::text("a"), {text("Id", "USER#17")})) == Words{"a -> USER#17"});
}

TEST_CASE("a base key that was made text is found as the kind that its table takes") {
    const std::string index =
        "key = { K = \"{A}\" }\npointer = { Id = \"USER#{UserId}\" }\n";
    Language language = language_of(index, Kind::number, Kind::text);
    const auto located = [&](const std::string& id) {
        audit::Entry entry;
        entry.key = {Value::text("a")};
        entry.pointer = {Value::text(id)};
        return language.index().locate(audit::EntryLoan{entry}.view());
    };
    CHECK(located("USER#17") == store::Key{Value::number("17")});
    // The number 17 does not give 017 back, and what is no number is nobody's.
    CHECK(located("USER#017") == std::nullopt);
    CHECK(located("USER#ann") == std::nullopt);
}

TEST_CASE("a base key that is declared, or made, of another kind than its table's is refused") {
    const std::string index =
        "key = { K = \"{A}\" }\npointer = { Id = \"USER#{UserId}\" }\n";
    const auto said = [&](Kind base, const std::string& declared) {
        return refusal(index, base, Kind::text, declared);
    };
    for (const char* const word : {"number", "int32", "int64"}) {
        const std::string types = "types = { UserId = \"" + std::string{word} + "\" }\n";
        CHECK(said(Kind::number, types).empty());
        CHECK_THAT(said(Kind::text, types),
                   Catch::Contains("base user, table Users: UserId is " + std::string{word} +
                                   ", the table takes text"));
    }
    CHECK_THAT(said(Kind::number, "types = { UserId = \"text\" }\n"),
               Catch::Contains("UserId is text, the table takes number") &&
                   Catch::Contains("UserId = \"number\""));
    CHECK_THAT(said(Kind::number, "locate = { UserId = \"U{Id}\" }\n"),
               Catch::Contains("UserId is text, the table takes number"));
    CHECK(said(Kind::number, "locate = { UserId = \"{Id|plus(0)}\" }\n").empty());
}

TEST_CASE("an audit names the row of another kind once, and calls nothing of it stale") {
    const audit::Spec spec =
        tests::spec_of(tests::users_spec("key = { K = \"{A}\" }\n" + pointer));
    store::MemoryStore store{tests::with_snapshot(true)};
    for (store::TableSchema& schema : tables_of(Kind::text, Kind::text)) {
        store.create_table(std::move(schema));
    }
    store.put("Users", row_of({"u1"}, {{"A", Value::number("17")}}));
    store.put("Users", row_of({"u2"}, {text("A", "b")}));
    store.put("Index", row_of({"17"}, {text("Id", "u1")}));
    store.put("Index", row_of({"b"}, {text("Id", "u2")}));
    store.put("Index", row_of({"c"}, {text("Id", "u2")}));
    tests::TestClock clock;
    const auto result = tests::audit_of(spec, store, clock);
    REQUIRE(tests::words(result) ==
            std::set<std::string>{"unindexable/key_number_not_text:A by-key  -> u1",
                                  "stale_pointer/value_changed by-key c -> u2"});
}
