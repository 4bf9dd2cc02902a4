// Promised: a container whose members lie in several attributes is read as one, a member is added
// where there is room and taken out wherever it stands, and one that has no room left is full.
// Method: rows written out, two members to a part; what the programs make of them, as words.

#include <catch2/catch.hpp>

#include "tests/audit/language_tables.hpp"

using namespace idxfsck;
using store::Value;
using tests::Language;
using tests::row_of;
using tests::text;
using Words = std::vector<std::string>;

namespace {

// Three members of two characters need 16 units.
const std::string packed =
    "key = { K = \"{Team}\" }\n"
    "container = { json = \"ids_\", parts = 3, characters_max = 15, item = \"{UserId}\" }\n";

store::Row team(std::vector<store::NamedValue> parts) {
    return row_of({"red"}, std::move(parts));
}

struct Packed {
    Language language = tests::users(packed);
    audit::Entry u5 = language.entries(row_of({"u5"}, {text("Team", "red")})).entries.at(0);

    std::string added_to(const store::Row& row) {
        return tests::word(language.with_entry(u5, row));
    }
    std::string taken_from(const store::Row& row) {
        const auto left = language.without_entry(u5, row);
        return left ? tests::word(*left) : "no row";
    }
};

}  // namespace

TEST_CASE("the members of all parts are entries, whichever parts there are") {
    Packed world;
    REQUIRE(world.language.decode(team({text("ids_0", R"(["u1","u2"])"),
                                        text("ids_2", R"(["u3"])")})) ==
            Words{"red -> u1", "red -> u2", "red -> u3"});
    REQUIRE(world.language.locate(world.u5) == "u5");
    // Attributes of other numbers, or of none, are nobody's.
    REQUIRE(world.language.decode(team({text("ids_3", R"(["u1"])"), text("ids_", "x"),
                                        text("ids_00", "x")})) == Words{"!container_empty ids_"});
    REQUIRE(world.language.decode(team({text("ids_0", "[]"), text("ids_1", "[]")})) ==
            Words{"!container_empty ids_"});
}

TEST_CASE("a member that stands in two parts, and a part that cannot be read, are named") {
    Packed world;
    REQUIRE(world.language.decode(team({text("ids_0", R"(["u1"])"),
                                        text("ids_1", R"(["u1"])")})) ==
            Words{"red -> u1", "!member_twice ids_1"});
    REQUIRE(world.language.decode(team({text("ids_0", R"(["u1")"), text("ids_1", R"(["u2"])")})) ==
            Words{"!attribute_wrong_type ids_0", "red -> u2"});
    REQUIRE(world.language.decode(team({{"ids_0", Value::number("1")}})) ==
            Words{"!attribute_wrong_type ids_0"});
}

TEST_CASE("a member is added to the last part, or the next, or wherever there is room") {
    Packed world;
    const store::NamedValue two = text("ids_0", R"(["u1","u2"])");
    REQUIRE(world.added_to(team({text("ids_0", R"(["u1"])")})) == R"(red ids_0=["u1","u5"])");
    REQUIRE(world.added_to(team({two})) == R"(red ids_0=["u1","u2"] ids_1=["u5"])");
    REQUIRE(world.added_to(team({text("ids_0", R"(["u1"])"), text("ids_1", R"(["u3"])")})) ==
            R"(red ids_0=["u1"] ids_1=["u3","u5"])");
    REQUIRE(world.added_to(team({text("ids_0", R"(["u1"])"), text("ids_2", R"(["u3","u4"])")})) ==
            R"(red ids_0=["u1","u5"] ids_2=["u3","u4"])");
    // It is there.
    REQUIRE(world.added_to(team({text("ids_0", R"(["u5"])"), text("ids_1", R"(["u3"])")})) ==
            R"(red ids_0=["u5"] ids_1=["u3"])");
    // A part that cannot be read is not written over.
    REQUIRE(world.added_to(team({text("ids_0", "x")})) == R"(red ids_0=x ids_1=["u5"])");
    REQUIRE(tests::word(world.language.with_entry(world.u5, std::nullopt)) ==
            R"(red ids_0=["u5"])");
}

TEST_CASE("a container without room for another member is full, and stays as it is") {
    Packed world;
    const auto row = team({text("ids_0", R"(["u1","u2"])"), text("ids_1", R"(["u3","u4"])"),
                           text("ids_2", R"(["u6","u7"])")});
    REQUIRE(world.language.decode(row).back() == "!container_full ids_");
    REQUIRE(world.language.decode(row).size() == 7);
    REQUIRE(world.language.with_entry(world.u5, row) == row);
    // A longer member needs more room: with one that long there is room for none like it.
    REQUIRE(world.language.decode(team({text("ids_0", R"(["u1"])"), text("ids_1", R"(["user-33"])"),
                                        text("ids_2", R"(["u6"])")})).size() == 4);
}

TEST_CASE("characters are counted in UTF-16, as the store counts them") {
    Language language = tests::users(
        "key = { K = \"{Team}\" }\ncontainer = { delimited = \"Ids\", separator = \",\", "
        "characters_max = 8, item = \"{UserId}\" }\n");
    // Two units each: 2 + 1 + 2 fit, and 2 + 1 + 2 + 1 + 2 too; four do not.
    REQUIRE(language.decode(team({text("Ids", "\U0001f600,\U0001f601")})).size() == 2);
    REQUIRE(language.decode(team({text("Ids", "\U0001f600,\U0001f601,\U0001f602")})).back() ==
            "!container_full Ids");
    const auto full = team({text("Ids", "a,b,c,d")});
    REQUIRE(language.decode(full).back() == "!container_full Ids");
    const audit::Entry entry = language.entries(row_of({"e"}, {text("Team", "red")})).entries.at(0);
    REQUIRE(language.with_entry(entry, full) == full);
}

TEST_CASE("a member is taken out of every part, and parts without members go") {
    Packed world;
    REQUIRE(world.taken_from(team({text("ids_0", R"(["u5"])"), text("ids_1", R"(["u1","u5"])")})) ==
            R"(red ids_1=["u1"])");
    REQUIRE(world.taken_from(team({text("ids_1", R"(["u5"])")})) == "no row");
    REQUIRE(world.taken_from(team({text("ids_0", "x"), text("ids_1", R"(["u5"])")})) ==
            "red ids_0=x");
    REQUIRE(world.taken_from(team({text("ids_0", R"(["u1"])")})) == R"(red ids_0=["u1"])");
}
