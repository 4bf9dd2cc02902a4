// Promised: an entry names its base row only where there is one way to read it; a guess is never
// made.
// Method: templates, values, and what is learned from them; then whole entries of small specs.

#include <catch2/catch.hpp>

#include "tests/audit/language_templates.hpp"

using namespace idxfsck;
using audit::language::Solution;
using audit::language::Types;
using store::Value;
using tests::Language;
using tests::row_of;
using tests::text;

namespace {

// "a=1 b=2", or "unclear".
std::string learned(const std::string& text, const Value& value, const Types& types = {}) {
    audit::language::Faults faults;
    const auto parsed = audit::language::parse_template(text, faults);
    if (!parsed) return tests::fault_words(faults);
    audit::Scratch scratch;
    Solution solution;
    if (!audit::language::invert_template(*parsed, value, types, scratch, solution)) {
        return "unclear";
    }
    std::string words;
    for (const auto& [name, known] : solution) {
        words += (words.empty() ? "" : " ") + name + "=" + tests::word(known.view());
    }
    return words;
}

std::string learned(const std::string& template_text, const std::string& value,
                    const Types& types = {}) {
    return learned(template_text, Value::text(value), types);
}

}  // namespace

TEST_CASE("a template gives its attributes away where there is one way to take it apart") {
    REQUIRE(learned("{a}", "x") == "a=x");
    REQUIRE(learned("{a}", Value::number("7")) == "a=#7");
    REQUIRE(learned("USER#{a}", "USER#7") == "a=7");
    REQUIRE(learned("USER#{a}", "EMAIL#7") == "unclear");
    REQUIRE(learned("USER#{a}", Value::binary("USER#7")) == "unclear");
    REQUIRE(learned("{a}#{b}", "x#y") == "a=x b=y");
    REQUIRE(learned("{a}#{a}", "x#x") == "a=x");
    REQUIRE(learned("{a}#{a}", "x#y") == "unclear");
    REQUIRE(learned("<{a}|{b}>", "<x|y>") == "a=x b=y");
    REQUIRE(learned("fixed", "fixed") == "");
    REQUIRE(learned("fixed", "other") == "unclear");
    REQUIRE(learned("{profile.mail}!", "x!") == "profile.mail=x");
    REQUIRE(learned("{@item}#{a}", "t#u1") == "@item=t a=u1");
}

TEST_CASE("a join that could be taken apart in two ways is left alone") {
    REQUIRE(learned("{a}.{b}", "a.b.c") == "unclear");
    REQUIRE(learned("{a}{b}", "xy") == "unclear");
    REQUIRE(learned("{a}{b}", "") == "a= b=");
    REQUIRE(learned("{a}--{b}", "x---y") == "unclear");
    // The separator cannot occur in what was escaped, in digits, in hexadecimal.
    REQUIRE(learned("{a|url_escape}#{b}", "x#y#z") == "a=x b=y#z");
    REQUIRE(learned("{a|pad(3)}-{b}", "007-x-y") == "a=#7 b=x-y");
    REQUIRE(learned("{a|hex}_{b}", "61_b_c") == "a=a b=b_c");
}

TEST_CASE("many ways to take a text apart do not cost the time to try them all") {
    std::string separators(2'000, '#');
    REQUIRE(learned("{a}#{b}#{c}#{d}#{e}#{f}", separators) == "unclear");
    REQUIRE(learned("{a|pad(3)}#{b|pad(3)}#{c|pad(3)}#{d}", separators) == "unclear");
}

TEST_CASE("what was made text comes back as the kind that the spec names") {
    REQUIRE(learned("U{a}", "U7") == "a=7");
    REQUIRE(learned("U{a}", "U7", {{"a", "number"}}) == "a=#7");
    REQUIRE(learned("U{a}", "U7", {{"a", "int32"}}) == "a=#7");
    REQUIRE(learned("U{a}", "U7", {{"a", "int64"}}) == "a=#7");
    REQUIRE(learned("U{a}", "Utrue", {{"a", "boolean"}}) == "a=true");
    REQUIRE(learned("U{a}", "Ux", {{"a", "number"}}) == "unclear");
    REQUIRE(learned("U{a}", "U99999999999", {{"a", "int32"}}) == "unclear");
    REQUIRE(learned("{a|text}", "7", {{"a", "number"}}) == "a=#7");
    REQUIRE(learned("{a|hex}", "6162", {{"a", "binary"}}) == "a=0x6162");
    REQUIRE(learned("{a|pad(3)}", "007", {{"a", "text"}}) == "a=7");
    REQUIRE(learned("{a}", "7", {{"a", "number"}}) == "a=7");
    REQUIRE(learned("U{a}", "U00000000-0000-0000-0000-000000000001", {{"a", "guid"}}) ==
            "a=0x00000000000000000000000000000001");
    REQUIRE(learned("U{a}", "U1970-01-01T00:00:00Z", {{"a", "date_time"}}) ==
            "a=0x0080b5f7f57f9f08");
}

TEST_CASE("the pointer names the row, whatever became of the key") {
    Language language =
        tests::users("key = { K = \"{Email|lower}\" }\npointer = { Ref = \"USER#{UserId}\" }\n");
    audit::Entry entry = language.entries(row_of({"u1"}, {text("Email", "A")})).entries.at(0);
    REQUIRE(tests::word(audit::EntryLoan{entry}.view()) == "a -> USER#u1");
    REQUIRE(language.locate(entry) == "u1");
    entry.key[0] = Value::text("Not lower case");
    REQUIRE(language.locate(entry) == "u1");
    entry.pointer[0] = Value::text("u1");
    REQUIRE(language.locate(entry) == "nowhere");
}

TEST_CASE("a key of several components is put together from pointer, key and selector") {
    const std::string spec = R"(
[store.main]
kind = "memory"
[base.account]
store  = "main"
table  = "T"
key    = ["pk", "sk"]
rows   = 'pk == "account" and kind == "x"'
locate = { sk = "{id}_{provider}" }
[[index]]
name      = "by-user"
of        = "account"
store     = "main"
table     = "I"
key       = { K = "{user}" }
container = { columns = true, name = "{provider}", value = "{id}" }
)";
    Language language{spec, {{"T", {"pk", "sk"}}, {"I", {"K"}}}};
    const store::Row base =
        row_of({"account", "7_git"}, {text("kind", "x"), text("user", "u"),
                                      text("provider", "git"), text("id", "7")});
    const auto entries = language.entries(base).entries;
    REQUIRE(tests::word(audit::EntryLoan{entries.at(0)}.view()) == "u -> git,7");
    REQUIRE(language.locate(entries.at(0)) == "account,7_git");
}

TEST_CASE("where several choices could have made a key, it names no row") {
    Language language{R"(
[store.main]
kind = "memory"
[base.object]
store = "main"
table = "T"
key   = ["ns", "name"]
[[index]]
name  = "by-name"
of    = "object"
store = "main"
table = "I"
[[index.key.K]]
when = 'ns == ""'
use  = "{name}"
[[index.key.K]]
use  = "_{ns}_{name}"
)", {{"T", {"ns", "name"}}, {"I", {"K"}}}};
    const auto entry = [&](const store::Row& row) { return language.entries(row).entries.at(0); };
    const audit::Entry plain = entry(row_of({"", "x.1"}, {}));
    const audit::Entry scoped = entry(row_of({"multipart", "x.1"}, {}));
    REQUIRE(plain.key[0] == Value::text("x.1"));
    REQUIRE(scoped.key[0] == Value::text("_multipart_x.1"));
    // "x.1" can only be of the first choice; "_multipart_x.1" could be the name of a row without a
    // namespace.
    REQUIRE(language.locate(scoped) == "nowhere");
}

TEST_CASE("a choice explains a key only where its condition holds of what it tells") {
    Language language{R"(
[store.main]
kind = "memory"
[base.object]
store = "main"
table = "T"
key   = ["ns", "name"]
[[index]]
name  = "by-name"
of    = "object"
store = "main"
table = "I"
[[index.key.K]]
when = 'ns == "" and not starts_with(name, "_")'
use  = "{name}"
[[index.key.K]]
use  = "_{ns}_{name}"
)", {{"T", {"ns", "name"}}, {"I", {"K"}}}};
    const auto located = [&](std::string ns, std::string name) {
        const store::Row row = row_of({std::move(ns), std::move(name)}, {});
        return language.locate(language.entries(row).entries.at(0));
    };
    REQUIRE(located("", "x.1") == "x.1");
    REQUIRE(located("multipart", "x.1") == "multipart,x.1");
    REQUIRE(located("", "_x") == "nowhere");  // "___x": namespace "" or "_"
    // "_a_b_c" is of namespace "a" or "a_b".
    REQUIRE(located("a", "b_c") == "nowhere");
}

TEST_CASE("every entry that names a row names the row that derived it") {
    // Separators in the data, on purpose: where a name is given it must be the right one.
    const std::vector<std::string> keys{
        "pointer = { P = \"{UserId}\" }\nkey = { K = \"{A}\" }\n",
        "key = { K = \"{A}#{UserId}\" }\n",
        "key = { K = \"{UserId}#{A}#{B}\" }\n",
        "key = { K = \"{A|url_escape}#{UserId}\" }\n",
        "key = { K = \"{A|hex}{UserId|hex}\" }\n",
        "key = { K = \"{A}\" }\npointer = { P = \"{B}/{UserId|base64}\" }\n",
        "key = { K = \"{A}\" }\ncontainer = { list = \"Ids\", item = \"{B}#{UserId}\" }\n",
    };
    const std::vector<std::string> words{"", "a", "#", "a#b", "##", "/", "b/", "%23"};
    std::size_t named = 0;
    for (const std::string& key : keys) {
        Language language = tests::users(key);
        for (const std::string& id : words) {
            for (const std::string& a : words) {
                for (const std::string& b : words) {
                    const store::Row row = row_of({id}, {text("A", a), text("B", b)});
                    for (const audit::Entry& entry : language.entries(row).entries) {
                        const auto found = language.index().locate(audit::EntryLoan{entry}.view());
                        INFO(key << tests::word(audit::EntryLoan{entry}.view()));
                        if (found) CHECK(*found == row.key);
                        named += found ? 1 : 0;
                    }
                }
            }
        }
    }
    REQUIRE(named > 2'000);
}
