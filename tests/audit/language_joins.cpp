// Promised: a join of attributes whose boundary cannot be told is named, and none that can be.
// Method: templates and the pair that blurs, written out.

#include <catch2/catch.hpp>

#include "audit/language/joins.hpp"
#include "tests/audit/language_templates.hpp"

using namespace idxfsck;

namespace {

// "a.b" for a join of a and b by a dot; "" for none.
std::string blurred(const std::string& text) {
    audit::language::Faults faults;
    const auto parsed = audit::language::parse_template(text, faults);
    REQUIRE(parsed);
    const auto join = audit::language::blurred_join(*parsed);
    return join ? join->left + join->separator + join->right : "";
}

}  // namespace

TEST_CASE("a join by a separator that the attributes may hold is named") {
    CHECK(blurred("{a}.{b}") == "a.b");
    CHECK(blurred("{a}{b}") == "ab");
    CHECK(blurred("USER#{a}#{b}") == "a#b");
    CHECK(blurred("{a|lower}#{b|trim}") == "a#b");
    CHECK(blurred("{a|hex}#{b}#{c}") == "b#c");
    CHECK(blurred("{a|hex}{b|hex}") == "ab");
    CHECK(blurred("{a|url_escape}.{b}") == "a.b");  // a dot is not escaped
    CHECK(blurred("{a|hex}abc{b}") == "aabcb");
    CHECK(blurred("{a|plus(1)}-{b|plus(1)}") == "a-b");
    CHECK(blurred("{a}{'-'}{b}") == "a-b");
}

TEST_CASE("a join whose boundary can be told from one end is not named") {
    CHECK(blurred("{a}") == "");
    CHECK(blurred("fixed") == "");
    CHECK(blurred("USER#{a}") == "");
    CHECK(blurred("{a|url_escape}#{b}") == "");
    CHECK(blurred("{a}#{b|url_escape}") == "");
    CHECK(blurred("{a|hex}_{b}") == "");
    CHECK(blurred("{a|url_escape}#{b}#{c|url_escape}") == "");
    CHECK(blurred("{a|plus(1)}#{b}") == "");
    CHECK(blurred("{a|hex}b-c{b}") == "");
}

TEST_CASE("no two texts of a template that is not named are equal") {
    const std::vector<std::string> words{"", "a", "#", "a#", "#a", "a#a", "_", "%23"};
    for (const std::string text :
         {"{a|url_escape}#{b}", "{a}#{b|url_escape}", "{a|hex}_{b}", "{a|hex}b-c{b}"}) {
        REQUIRE(blurred(text).empty());
        std::map<std::string, std::string> seen;
        for (const std::string& a : words) {
            for (const std::string& b : words) {
                const std::string made =
                    tests::made(text, {tests::text("a", a), tests::text("b", b)});
                const auto [place, added] = seen.emplace(made, a + "," + b);
                INFO(text << " of " << place->second << " and of " << a << "," << b);
                CHECK(added);
            }
        }
    }
}
