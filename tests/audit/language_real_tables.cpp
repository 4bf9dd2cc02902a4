// Promised: the specs of two real tables say what is wrong in the rows that other people's
// libraries wrote, and nothing else.
// Method: every row of the dumps through the programs, and a plain comparison of two sets of
// entries. Equal entries on both sides cancel; what is left is the drift.

#include <catch2/catch.hpp>

#include <fstream>
#include <set>

#include "store/json/load.hpp"
#include "tests/audit/language_tables.hpp"

using namespace idxfsck;
using tests::Language;
using Words = std::multiset<std::string>;

namespace {

const std::string tests_folder = IDXFSCK_TESTS_FOLDER;

std::string file_text(const std::string& path) {
    std::ifstream stream{path, std::ios::binary};
    REQUIRE(stream.good());
    return {std::istreambuf_iterator<char>{stream}, {}};
}

std::vector<store::Row> rows_of(const std::string& name, store::Shape shape,
                                std::vector<std::string> key_names) {
    struct Rows : store::RowAcceptor {
        std::vector<store::Row> all;
        void accept(std::span<const store::ValueView> key, store::BytesView attributes) override {
            store::Row row;
            for (const auto& part : key) row.key.emplace_back(part);
            row.attributes = attributes;
            all.push_back(std::move(row));
        }
    } rows;
    store::LoadRequest request;
    request.files = {tests_folder + "/real/" + name};
    request.shape = shape;
    request.key_names = std::move(key_names);
    store::load_rows(request, rows);
    return rows.all;
}

struct Sides {
    Words called_for;
    Words held;
};

Sides sides_of(Language& language, const std::vector<store::Row>& rows, std::size_t index) {
    Sides sides;
    for (const store::Row& row : rows) {
        if (language.classify(row, index) == audit::RowClass::real) {
            for (const std::string& word : language.derive(row, index)) {
                if (word != "exempt") sides.called_for.insert(word);
            }
        }
        const auto held = language.decode(row, index);
        if (held == std::vector<std::string>{"foreign"}) continue;
        sides.held.insert(held.begin(), held.end());
    }
    return sides;
}

// What stands on the first side only, or oftener there.
Words less(const Words& first, const Words& second) {
    Words rest;
    std::set_difference(first.begin(), first.end(), second.begin(), second.end(),
                        std::inserter(rest, rest.end()));
    return rest;
}

// The entries, without their copies.
Words claims(const Words& words) {
    Words shorter;
    for (const std::string& word : words) shorter.insert(word.substr(0, word.find(" {")));
    return shorter;
}

std::string key_of(const std::string& word) { return word.substr(0, word.find(" -> ")); }

std::set<std::string> keys_of(const Words& words) {
    std::set<std::string> keys;
    for (const std::string& word : words) keys.insert(key_of(word));
    return keys;
}

}  // namespace

TEST_CASE("the Azure table of auth.js differs from its indexes just where it was made to") {
    Language language{file_text(tests_folder + "/../fixtures/specs/auth-azure.toml"),
                      {{"auth", {"PartitionKey", "RowKey"}}}};
    const std::vector<store::Row> rows =
        rows_of("auth-azure.ndjson.gz", store::Shape::azure, {"PartitionKey", "RowKey"});
    REQUIRE(rows.size() == 6090);

    SECTION("userByEmail: a full copy, unique") {
        const Sides sides = sides_of(language, rows, 0);
        REQUIRE(sides.called_for.size() > 990);
        REQUIRE(keys_of(less(sides.called_for, sides.held)) ==
                std::set<std::string>{"userByEmail,moved3@example.com",
                                      "userByEmail,user20@example.com",
                                      "userByEmail,user5@example.com"});
        REQUIRE(keys_of(less(sides.held, sides.called_for)) ==
                std::set<std::string>{"userByEmail,user21@example.com",
                                      "userByEmail,user3@example.com"});
        // Two users claim one address; no copy differs.
        REQUIRE(sides.called_for.size() - keys_of(sides.called_for).size() == 1);
        REQUIRE(less(sides.held, sides.called_for).size() ==
                less(claims(sides.held), claims(sides.called_for)).size());
    }
    SECTION("accountByUserId: a column for each account") {
        const Sides sides = sides_of(language, rows, 1);
        const Words missing = less(sides.called_for, sides.held);
        REQUIRE(missing.size() == 1);
        REQUIRE(missing.begin()->ends_with(" -> google,acc9g"));
        REQUIRE(less(sides.held, sides.called_for).empty());
    }
    SECTION("sessionByUserId: any session of the user is right") {
        const Sides sides = sides_of(language, rows, 2);
        const Words stale = less(sides.held, sides.called_for);
        REQUIRE(stale.size() == 1);
        REQUIRE(stale.begin()->ends_with(" -> sess-11"));
        // Sessions of a user whose index row names another session of the user are shared.
        std::set<std::string> served;
        for (const std::string& word : sides.held) {
            if (sides.called_for.contains(word)) served.insert(key_of(word));
        }
        std::set<std::string> unserved;
        for (const std::string& word : sides.called_for) {
            if (!served.contains(key_of(word))) unserved.insert(word.substr(word.find(" -> ")));
        }
        REQUIRE(unserved == std::set<std::string>{" -> sess-7"});
    }
    SECTION("every entry names its base row, and the row derives it") {
        for (std::size_t index = 0; index < 3; ++index) {
            for (const store::Row& row : rows) {
                if (language.classify(row, index) != audit::RowClass::real) continue;
                for (const audit::Entry& entry : language.entries(row, index).entries) {
                    const audit::EntryLoan loan{entry};
                    REQUIRE(language.index(index).locate(loan.view()) == row.key);
                }
            }
        }
    }
    SECTION("every row is of one kind at most") {
        std::size_t others = 0;
        for (const store::Row& row : rows) {
            std::size_t kinds = 0;
            for (std::size_t index = 0; index < 3; ++index) {
                kinds += language.classify(row, index) == audit::RowClass::real ? 1 : 0;
                kinds += language.decode(row, index) == std::vector<std::string>{"foreign"} ? 0 : 1;
            }
            REQUIRE(kinds <= 1);
            others += kinds == 0 ? 1 : 0;
        }
        // Verification tokens have no index.
        REQUIRE(others > 0);
        REQUIRE(others < 200);
    }
}

TEST_CASE("the claims of dynamodb-onetable differ from its users just where they were made to") {
    Language language{file_text(tests_folder + "/../fixtures/specs/onetable.toml"),
                      {{"onetable", {"pk", "sk"}}}};
    const std::vector<store::Row> rows =
        rows_of("onetable.ndjson.gz", store::Shape::dynamodb, {"pk", "sk"});
    REQUIRE(rows.size() == 2996);

    const Sides email = sides_of(language, rows, 0);
    REQUIRE(keys_of(less(email.called_for, email.held)) ==
            std::set<std::string>{"_unique#User#email#set3@example.com,_unique# {_type=_Unique}"});
    REQUIRE(keys_of(less(email.held, email.called_for)) ==
            std::set<std::string>{"_unique#User#email#user2@example.com,_unique# {_type=_Unique}",
                                  "_unique#User#email#user3@example.com,_unique# {_type=_Unique}",
                                  "_unique#User#email#user6@example.com,_unique# {_type=_Unique}"});
    const Sides handle = sides_of(language, rows, 1);
    REQUIRE(less(handle.called_for, handle.held).empty());
    REQUIRE(keys_of(less(handle.held, handle.called_for)) ==
            std::set<std::string>{"_unique#acme#User#handle#h5,_unique# {_type=_Unique}",
                                  "_unique#acme#User#handle#h6,_unique# {_type=_Unique}"});
    // A claim without a pointer does not tell whose it is.
    REQUIRE(language.locate(language.entries(rows[0], 0).entries.empty()
                                ? audit::Entry{}
                                : language.entries(rows[0], 0).entries[0]) == "nowhere");
}
