// The words of a command line become typed values, or a complaint that names the option, the value
// and what would be right.

#include <catch2/catch.hpp>

#include "reports/command.hpp"
#include "reports/help.hpp"
#include "reports/time_text.hpp"

#include <functional>

namespace idxfsck::reports {
namespace {

Command tried() {
    return {.name = "try",
            .summary = "for this test",
            .description = "Never writes.",
            .positionals = {{"SPEC"}, {"FILE", false, true}},
            .options = {{"out", "FOLDER", "where it goes"},
                        {"index", "NAME", "which", true},
                        {"threads", "COUNT", "how many"},
                        {"memory", "SIZE", "how much"},
                        {"as-of", "TIME", "when"},
                        {"format", "FORMAT", "which"},
                        {"apply", "", "do it"}},
            .exit_statuses = {{0, "fine"}, {4, "not so"}, {16, "wrong"}},
            .examples = {},
            .run = nullptr};
}

Arguments parse(const std::vector<std::string>& words) {
    return Arguments::parse(tried(), words);
}

std::string complaint(const std::function<void()>& call) {
    try {
        call();
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::usage);
        return std::string{error.what()} + (error.hint().empty() ? "" : " | " + error.hint());
    }
    return "none";
}

TEST_CASE("options and words come out as they were given") {
    const Arguments arguments = parse({"shop.toml", "--out", "here", "--index=a", "--index", "b=c",
                                       "--apply", "x", "y", "--threads=4", "--memory", "512M"});
    CHECK(arguments.text("SPEC") == "shop.toml");
    CHECK(arguments.list("FILE") == std::vector<std::string>{"x", "y"});
    CHECK(arguments.text("out") == "here");
    CHECK(arguments.list("index") == std::vector<std::string>{"a", "b=c"});
    CHECK(arguments.has("apply"));
    CHECK_FALSE(arguments.has("format"));
    CHECK(arguments.count("threads") == 4u);
    CHECK(arguments.size_bytes("memory") == 512u * 1024 * 1024);
    CHECK(arguments.text("format", "text") == "text");
    CHECK(arguments.list("none").empty());
}

TEST_CASE("two dashes end the options, and a value may be anything") {
    const Arguments arguments = parse({"--out", "[\"-x\"]", "--", "--apply", "-y"});
    CHECK(arguments.text("SPEC") == "--apply");
    CHECK(arguments.list("FILE") == std::vector<std::string>{"-y"});
    CHECK_FALSE(arguments.has("apply"));
    CHECK(arguments.text("out") == "[\"-x\"]");
}

TEST_CASE("a command line that makes no sense is refused with what would be right") {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{}, "an argument is missing: argument=SPEC"},
        {{"s", "--inde", "a"}, "unknown option: option=--inde | did you mean `--index`?"},
        {{"s", "--zzzzzzzz"}, "unknown option: option=--zzzzzzzz"},
        {{"s", "--out"}, "this option needs a value: option=--out"},
        {{"s", "--out=a", "--out=b"}, "this option is given twice: option=--out"},
        {{"s", "--apply=yes"}, "this option takes no value: option=--apply"},
        {{"s", "--apply", "--apply"}, "this option is given twice: option=--apply"},
        {{"s", "--thr", "4"}, "unknown option: option=--thr"}};
    for (const auto& [words, expected] : wrong) {
        const auto& line = words;
        CHECK(complaint([&] { parse(line); }) == expected);
    }
}

TEST_CASE("one word too many is named") {
    Command command = tried();
    command.positionals = {{"SPEC"}};
    CHECK(complaint([&] { Arguments::parse(command, {"a", "b"}); }) ==
          "an argument too many: argument=b");
}

TEST_CASE("values of the wrong form are refused") {
    const auto count = [](const std::string& value) {
        return complaint([&] { parse({"s", "--threads=" + value}).count("threads"); });
    };
    CHECK(count("7") == "none");
    CHECK(count("18446744073709551615") == "none");
    for (const char* value : {"x", "-1", "1.5", "18446744073709551616", " 1", "1 "}) {
        CHECK(count(value) == "this option takes a whole number: option=--threads value=" +
                                  std::string{value});
    }
    const auto size = [](const std::string& value) {
        return complaint([&] { parse({"s", "--memory=" + value}).size_bytes("memory"); });
    };
    CHECK(size("64K") == "none");
    CHECK(size("16777216T") != "none");
    CHECK(size("M") != "none");
    CHECK(size("5m") != "none");
    const auto choice = [](const std::string& value) {
        const Arguments arguments = parse({"s", "--format", value});
        return complaint([&] { arguments.choice("format", {"text", "json"}); });
    };
    CHECK(choice("json") == "none");
    CHECK(choice("jsn") == "this option does not take that value: option=--format value=jsn | "
                           "did you mean `json`?");
    CHECK(choice("yaml") == "this option does not take that value: option=--format value=yaml | "
                            "one of: text, json");
    CHECK(complaint([] { parse({"s", "--as-of=yesterday"}).time_ms("as-of"); }) ==
          "this option takes a time such as 2026-11-29T22:12:00Z: option=--as-of value=yesterday");
}

TEST_CASE("times are read and written to the millisecond") {
    const std::vector<std::pair<std::string, std::int64_t>> right{
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-29T22:12:00Z", 1795990320000},
        {"2026-11-29T23:12:00+01:00", 1795990320000},
        {"2026-11-29T16:42:00-05:30", 1795990320000},
        {"2000-02-29T12:00:00.25z", 951825600250},
        {"1969-12-31t23:59:59.999Z", -1}};
    for (const auto& [text, time_ms] : right) CHECK(parse_time(text) == time_ms);
    for (const char* text :
         {"", "2026-11-29", "2026-11-29T22:12:00", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
          "2026-11-29T24:00:00Z", "2026-11-29T22:60:00Z", "2026-11-29T22:12:00.Z",
          "2026-11-29T22:12:00+1:00", "x026-11-29T22:12:00Z", "2026-11-29 22:12:00Z",
          "-026-11-29T22:12:00Z", "2026-11-29T22:12:00Zz"}) {
        CHECK_FALSE(parse_time(text).has_value());
    }
    CHECK(time_text(1795990320250) == "2026-11-29T22:12:00.250Z");
    CHECK(time_text(-1) == "1969-12-31T23:59:59.999Z");
    CHECK(time_text(INT64_MAX) == "9999-12-31T23:59:59.999Z");
    CHECK(time_text(INT64_MIN) == "0000-01-01T00:00:00.000Z");
    CHECK(duration_text(42'999) == "42 s");
    CHECK(duration_text(200'000) == "3 min 20 s");
    CHECK(duration_text(7'500'000) == "2 h 5 min");
    CHECK(duration_text(-5) == "0 s");
}

TEST_CASE("help shows what the parser knows") {
    const std::string help = command_help(tried());
    for (const Option& option : tried().options) {
        CHECK(help.find("--" + std::string{option.name}) != std::string::npos);
    }
    CHECK(help.find("Usage: idxfsck try SPEC [FILE...] [options]\n") != std::string::npos);
    CHECK(help.find("Codes are summed") != std::string::npos);
}

TEST_CASE("text is wrapped at spaces") {
    CHECK(wrapped("aaa bbb ccc", 7, 2) == "aaa bbb\n  ccc");
    CHECK(wrapped("a-very-long-word b", 5, 0) == "a-very-long-word\nb");
    CHECK(wrapped("", 5, 0).empty());
}

}  // namespace
}  // namespace idxfsck::reports
