// Promised: the page on other people's RocksDB has every key and word of a layout, and its examples
// are specs.
// Method: store/rocksdb/RAW.md is read, and asked for what the complaints about wrong keys and
// words say there is.

#include <catch2/catch.hpp>

#include <fstream>

#include "audit/spec_toml.hpp"
#include "store/rocksdb/raw_form.hpp"

using namespace idxfsck;

namespace {

std::string page(const std::string& name) {
    std::ifstream stream{std::string{IDXFSCK_TESTS_FOLDER} + "/../" + name, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

std::vector<std::string> examples(const std::string& text) {
    std::vector<std::string> found;
    const std::string opening = "```toml\n";
    std::size_t at = 0;
    while ((at = text.find(opening, at)) != std::string::npos) {
        at += opening.size();
        found.push_back(text.substr(at, text.find("```", at) - at));
    }
    return found;
}

// A spec whose one raw table has this field as its key.
std::string spec_with(const std::string& field, const std::string& more = "") {
    return "[store.s]\nkind = \"rocksdb_raw\"\npath = \"p\"\n"
           "[store.s.tables.T]\nkey = [ " + field + " ]\nvalue = \"empty\"\n" + more +
           "[store.s.tables.I]\nfamily = \"i\"\nkey = { name = \"a\" }\nvalue = { name = \"p\" }\n"
           "[base.b]\nstore = \"s\"\ntable = \"T\"\nkey = [\"a\"]\n"
           "[[index]]\nname = \"i\"\nof = \"b\"\nstore = \"s\"\ntable = \"I\"\n"
           "key = { a = \"x{a}\" }\npointer = { p = \"{a}\" }\n";
}

// The words of the one complaint's hint "one of: a, b, c".
std::vector<std::string> words_offered(const std::string& spec) {
    const auto outcome = audit::read_spec("spec", spec);
    std::vector<std::string> words;
    for (const audit::Complaint& complaint : std::get<1>(outcome)) {
        const std::string mark = "one of: ";
        std::size_t at = complaint.hint.find(mark);
        if (at == std::string::npos) continue;
        for (at += mark.size(); at < complaint.hint.size();) {
            const std::size_t end = std::min(complaint.hint.find(", ", at), complaint.hint.size());
            words.push_back(complaint.hint.substr(at, end - at));
            at = end + 2;
        }
    }
    return words;
}

}  // namespace

TEST_CASE("the page on other people's RocksDB, and the manual, have every key of a layout") {
    const std::string own = page("store/rocksdb/RAW.md");
    const std::string manual = page("audit/SPEC.md");
    const auto keys = words_offered(spec_with("{ name = \"a\", rest = true, qqqqqqqq = 1 }"));
    const auto tables =
        words_offered(spec_with("{ name = \"a\", rest = true }", "qqqqqqqq = 1\n"));
    CHECK(keys.size() >= 11);
    CHECK(tables == std::vector<std::string>{"family", "prefix"});
    for (const auto* const words : {&keys, &tables}) {
        for (const std::string& key : *words) {
            CAPTURE(key);
            CHECK(own.find("`" + key) != std::string::npos);
            CHECK(manual.find("`" + key) != std::string::npos);
        }
    }
}

TEST_CASE("the page on other people's RocksDB has every word of a layout") {
    const std::string own = page("store/rocksdb/RAW.md");
    std::size_t words = 0;
    for (const std::string field :
         {"integer = 4, order = \"qqqqqqqq\"", "integer = 4, sign = \"qqqqqqqq\"",
          "integer = 4, kind = \"qqqqqqqq\"", "rest = true, as = \"qqqqqqqq\"",
          "varint = \"qqqqqqqq\"", "length = \"qqqqqqqq\""}) {
        CAPTURE(field);
        for (const std::string& word :
             words_offered(spec_with("{ name = \"a\", " + field + " }"))) {
            CAPTURE(word);
            CHECK(own.find("\"" + word + "\"") != std::string::npos);
            ++words;
        }
    }
    CHECK(words == 2 + 3 + 3 + 9 + 3 + 2);
}

TEST_CASE("the examples of the page on other people's RocksDB are specs") {
    const std::vector<std::string> all = examples(page("store/rocksdb/RAW.md"));
    REQUIRE(all.size() == 3);
    for (const std::string& text : all) {
        INFO(text);
        const auto outcome = audit::read_spec("example", text);
        REQUIRE(std::holds_alternative<audit::Spec>(outcome));
        CHECK(std::get<audit::Spec>(outcome).stores.at(0).raw_tables.size() == 2);
    }
}

TEST_CASE("a layout is read as it is written") {
    const std::string table =
        "[store.s.tables.U]\nfamily = \"f\"\nprefix = \"hex:ff00\"\n"
        "key = [ { literal = \"u:\" }, { name = \"a\", integer = 3, order = \"little\", "
        "sign = \"flipped\", kind = \"int32\", complement = true }, "
        "{ name = \"b\", bytes = 16, as = \"guid\" } ]\n"
        "value = [ { name = \"c\", varint = \"zigzag\" }, { name = \"d\", end = \"::\" }, "
        "{ name = \"e\", length = \"bitcoin\", as = \"HEX\" }, "
        "{ name = \"f\", length = 2, order = \"little\" }, { members = \"json\", rest = true } ]\n";
    const auto outcome =
        audit::read_spec("spec", spec_with("{ name = \"a\", rest = true }", table));
    if (const auto* const complaints = std::get_if<1>(&outcome)) {
        FAIL(complaints->at(0).text << ": " << complaints->at(0).seen);
    }
    const store::RawTable& read = std::get<audit::Spec>(outcome).stores.at(0).raw_tables.at(2);
    CHECK(read.name == "U");
    CHECK(read.family == "f");
    CHECK(read.prefix == store::Bytes("\xff\0", 2));
    CHECK(store::raw_schema(read).key == std::vector<store::Bytes>{"a", "b"});
    store::RawField a;
    a.name = "a";
    a.part = store::RawPart::integer;
    a.width = 3;
    a.order = store::RawOrder::little;
    a.sign = store::RawSign::flipped;
    a.kind = store::Kind::int32;
    a.complement = true;
    CHECK(read.key.at(1) == a);
    CHECK(read.key.at(0).literal == "u:");
    CHECK(read.key.at(2).form == store::RawForm::guid);
    REQUIRE(read.value.size() == 5);
    CHECK(read.value[0].varint == store::RawVarint::zigzag);
    CHECK(read.value[1].part == store::RawPart::ended);
    CHECK(read.value[1].literal == "::");
    CHECK(read.value[2].varint == store::RawVarint::bitcoin);
    CHECK(read.value[2].form == store::RawForm::hex_upper);
    CHECK(read.value[3].width == 2);
    CHECK(read.value[3].order == store::RawOrder::little);
    CHECK(read.value[4].members);
}
