// Whatever bytes a key holds, what a person sees of them is visible, unambiguous and harmless.
// Expected texts are written out; a sweep over all characters checks the rule itself.

#include <catch2/catch.hpp>

#include "reports/escape.hpp"
#include "reports/shell_text.hpp"

#include <map>
#include <random>

namespace idxfsck::reports {
namespace {

struct Example {
    std::string bytes;
    std::string shown;
};

TEST_CASE("what a terminal must not see is shown as what it is") {
    const std::vector<Example> examples{
        {"ann@x.org", "ann@x.org"},
        {"J\u00fcrgen \u6771\u4eac \u05e9\u05dc", "J\u00fcrgen \u6771\u4eac \u05e9\u05dc"},
        {"a b", "a b"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"a\nb\rc\td", "a\\x0ab\\x0dc\\x09d"},
        {std::string("a\0b", 3), "a\\x00b"},
        {"\x7f", "\\x7f"},
        {"back\\slash", "back\\\\slash"},
        {"\xff\xfe", "\\xff\\xfe"},
        {"cut \xe2\x82", "cut \\xe2\\x82"},
        {"\xc0\xaf overlong", "\\xc0\\xaf overlong"},
        {"\xed\xa0\x80 surrogate", "\\xed\\xa0\\x80 surrogate"},
        {"\u202egnp.exe", "\\u{202e}gnp.exe"},
        {"a\u200bb\ufeffc", "a\\u{200b}b\\u{feff}c"},
        {"\u2028\u2029\u0085", "\\u{2028}\\u{2029}\\u{85}"},
        {"no\u00a0break", "no\\u{a0}break"},
        {"soft\u00adhyphen", "soft\\u{ad}hyphen"},
        {"\U000e0041tag", "\\u{e0041}tag"},
        {"e\u0301 and \u0301", "e\u0301 and \\u{301}"},
        {"z\u0301\u0302\u0303\u0304", "z\u0301\u0302\u0303\\u{304}"},
    };
    for (const Example& example : examples) CHECK(escape_terminal(example.bytes) == example.shown);
}

TEST_CASE("no character outside of what is printable comes through as it is") {
    for (char32_t character = 1; character < 0x110000; ++character) {
        if (character >= 0xd800 && character < 0xe000) continue;
        std::string bytes;
        if (character < 0x80) {
            bytes = {static_cast<char>(character)};
        } else if (character < 0x800) {
            bytes = {static_cast<char>(0xc0 | (character >> 6)),
                     static_cast<char>(0x80 | (character & 63))};
        } else if (character < 0x10000) {
            bytes = {static_cast<char>(0xe0 | (character >> 12)),
                     static_cast<char>(0x80 | ((character >> 6) & 63)),
                     static_cast<char>(0x80 | (character & 63))};
        } else {
            bytes = {static_cast<char>(0xf0 | (character >> 18)),
                     static_cast<char>(0x80 | ((character >> 12) & 63)),
                     static_cast<char>(0x80 | ((character >> 6) & 63)),
                     static_cast<char>(0x80 | (character & 63))};
        }
        const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
        const bool reorders = (character >= 0x202a && character <= 0x202e) ||
                              (character >= 0x2066 && character <= 0x2069) ||
                              character == 0x200e || character == 0x200f || character == 0x61c;
        const bool breaks = character == 0x2028 || character == 0x2029;
        if (!control && !reorders && !breaks) continue;
        const std::string shown = escape_terminal("a" + bytes + "b");
        INFO("character " << static_cast<std::uint32_t>(character));
        CHECK(shown.find(bytes) == std::string::npos);
        CHECK(shown.find('\\') == 1);
    }
}

TEST_CASE("different bytes never look the same") {
    std::mt19937_64 random{std::random_device{}()};
    std::map<std::string, std::string> seen;
    const std::vector<std::string> pieces{"a", "\\", "x", "0", "1", "\x01", "\xff", "u", "{", "}",
                                          "\"", "\u200b", "200b", "\n", "\\x01", "\\u{200b}"};
    for (int round = 0; round < 20000; ++round) {
        std::string bytes;
        for (std::size_t count = random() % 5; count > 0; --count) {
            bytes.append(pieces[random() % pieces.size()]);
        }
        const auto [place, added] = seen.emplace(quote_terminal(bytes, 1000), bytes);
        REQUIRE((added || place->second == bytes));
    }
}

TEST_CASE("a quoted text cannot end its quotes, and says how long it was when it is cut") {
    CHECK(quote_terminal("say \"hi\"", 100) == "\"say \\\"hi\\\"\"");
    CHECK(quote_terminal("", 100) == "\"\"");
    CHECK(quote_terminal(std::string(2048, 'k'), 4) == "\"kkkk\"...(2,048 bytes)");
    CHECK(quote_terminal("ab\u20acd", 4) == "\"ab\"...(6 bytes)");
    CHECK(quote_terminal("ab\u20acd", 5) == "\"ab\u20ac\"...(6 bytes)");
    CHECK(quote_terminal("\x80\x80\x80\x80\x80\x80", 5) == "\"\\x80\\x80\"...(6 bytes)");
    CHECK(quote_terminal("\x80\x80", 1) == "\"\"...(2 bytes)");
}

TEST_CASE("a text for JSON is UTF-8 whatever it was") {
    CHECK(valid_utf8("plain \u20ac\n") == "plain \u20ac\n");
    CHECK(valid_utf8("a\xff\xc3") == "a\\xff\\xc3");
}

TEST_CASE("numbers are grouped by three") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(1234567) == "1,234,567");
    CHECK(grouped(UINT64_MAX) == "18,446,744,073,709,551,615");
}

TEST_CASE("a word for a shell is one word, whatever it holds") {
    CHECK(shell_word("shop.audit") == "shop.audit");
    CHECK(shell_word("") == "''");
    CHECK(shell_word("my shop") == "'my shop'");
    CHECK(shell_word("it's") == "'it'\\''s'");
    CHECK(shell_word("a;rm -rf $HOME") == "'a;rm -rf $HOME'");
    CHECK(shell_word("back\\slash") == "'back\\slash'");
    CHECK(shell_word("a\nb") == "$'a\\x0ab'");
    CHECK(shell_word("\x1b[2J'") == "$'\\x1b\\x5b2J\\x27'");
}

}  // namespace
}  // namespace idxfsck::reports
