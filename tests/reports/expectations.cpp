// An answer key is compared with findings as a multiset, and says what is missing and too much.

#include <catch2/catch.hpp>

#include "reports/expectations.hpp"
#include "sample_result.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {
namespace {

std::vector<Expectation> key_of(const std::string& text) {
    return read_expectations(text, "key.ndjson");
}

std::string complaint(const std::string& text) {
    try {
        key_of(text);
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::usage);
        return error.what();
    }
    return "none";
}

const std::string ann =
    R"({"index":"users-by-email","kind":"orphaned_write","reason":"entry_missing",)"
    R"("key":["ann@x.org"],"pointer":["u1"]})";
const std::string gone =
    R"({"index":"users-by-email","kind":"stale_pointer","reason":"base_missing",)"
    R"("key":["gone@x.org"],"pointer":["u4"]})";

std::vector<audit::Finding> found() {
    return {sample_finding("users-by-email", audit::FindingKind::orphaned_write,
                           audit::Reason::entry_missing, "ann@x.org", "u1"),
            sample_finding("users-by-email", audit::FindingKind::stale_pointer,
                           audit::Reason::base_missing, "gone@x.org", "u4")};
}

TEST_CASE("a key that names exactly the findings is met, in any order") {
    CHECK(compare(key_of(ann + "\n" + gone + "\n"), found()).equal());
    CHECK(compare(key_of(gone + "\r\n\n" + ann), found()).equal());
    CHECK(compare({}, {}).equal());
}

TEST_CASE("what is missing and what is too much is named") {
    const std::vector<audit::Finding> both = found();
    const auto result = compare(key_of(ann + "\n" + ann + "\n"), both);
    CHECK_FALSE(result.equal());
    CHECK(expectation_text(result, 2, 50) ==
          "missing: users-by-email: orphaned_write entry_missing \"ann@x.org\" -> \"u1\"\n"
          "too much: users-by-email: stale_pointer base_missing \"gone@x.org\" -> \"u4\"\n"
          "NOT AS EXPECTED: of 2 findings expected, 1 missing; 1 too much\n");
    CHECK(expectation_text(compare(key_of(ann + "\n" + gone), both), 2, 50) ==
          "AS EXPECTED: 2 findings\n");
    const auto none = compare({}, both);
    CHECK(expectation_text(none, 0, 1).find("showing 1 of 2 too much\n") != std::string::npos);
}

TEST_CASE("another index, kind, reason, key or pointer is another finding") {
    const auto differs = [](const std::string& from, const std::string& to) {
        std::string text = ann;
        text.replace(text.find(from), from.size(), to);
        const auto result = compare(key_of(text + "\n" + gone), found());
        return result.missing.size() == 1 && result.too_much.size() == 1;
    };
    CHECK(differs("users-by-email", "users-by-tag"));
    CHECK(differs("orphaned_write", "divergent_copy"));
    CHECK(differs("entry_missing", "entry_elsewhere"));
    CHECK(differs("ann@x.org", "bob@x.org"));
    CHECK(differs("\"u1\"", "\"u2\""));
    CHECK(differs("[\"u1\"]", "[\"u1\",\"u1\"]"));
    CHECK(differs("[\"u1\"]", "[1]"));
}

TEST_CASE("a key without a pointer takes any, but never robs one that has one") {
    const std::string any =
        R"({"index":"users-by-email","kind":"orphaned_write","reason":"entry_missing",)"
        R"("key":["ann@x.org"]})";
    std::vector<audit::Finding> two = found();
    two.push_back(two[0]);
    two.back().entry.pointer = text_key({"u2"});
    CHECK(compare(key_of(any + "\n" + ann + "\n" + gone), two).equal());
    CHECK(compare(key_of(ann + "\n" + any + "\n" + gone), two).equal());
    CHECK(compare(key_of(any + "\n" + any + "\n" + gone), two).equal());
    CHECK_FALSE(compare(key_of(any + "\n" + gone), two).equal());
}

TEST_CASE("numbers in a key compare as numbers") {
    audit::Finding finding = found()[0];
    finding.entry.key = {store::Value::number("1.0")};
    const std::string text =
        R"({"index":"users-by-email","kind":"orphaned_write","reason":"entry_missing",)"
        R"("key":[1],"pointer":["u1"]})";
    CHECK(compare(key_of(text), {finding}).equal());
}

TEST_CASE("an answer key that cannot be read is refused with file and line") {
    const std::string file = "the answer key cannot be read: file=key.ndjson line=";
    CHECK(complaint("{") == file + "1 problem=it is no JSON object");
    CHECK(complaint(ann + "\n[]\n") == file + "2 problem=it is no JSON object");
    CHECK(complaint("\n\n{}").starts_with(file + "3 problem="));
    CHECK(complaint(R"({"index":"i","kind":"bad","key":["a"]})").starts_with(file + "1 problem="));
    CHECK(complaint(R"({"index":"i","kind":"collision","reason":"bad","key":["a"]})")
              .starts_with(file + "1 problem="));
    CHECK(complaint(R"({"index":"i","kind":"collision","key":"a"})")
              .starts_with(file + "1 problem="));
    CHECK(complaint(std::string(100000, '[')).starts_with(file));
}

}  // namespace
}  // namespace idxfsck::reports
