// What a script or a terminal gets from the built program: JSON that parses and nothing beside it,
// a progress line that leaves nothing behind, an exit status that tells of output that was lost.

#include <catch2/catch.hpp>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "sample_result.hpp"
#include "shop.hpp"

namespace idxfsck::reports {
namespace {

using Json = nlohmann::json;

// Fails the test if the text is not one JSON document in ASCII.
Json parsed(const std::string& text) {
    for (const char byte : text) {
        if (byte != '\n' && (byte < ' ' || byte > '~')) FAIL("a byte that is not tame");
    }
    Json json = Json::parse(text, nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    CHECK(json["format_version"] == 1);
    return json;
}

TEST_CASE("JSON on standard output is one document, and agrees with the exit status") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings here;
    here.folder = folder.path();
    const auto run = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--format", "json"});
        const Ran ran = run_idxfsck(words, here);
        INFO(ran.error);
        const Json json = parsed(ran.out);
        if (json.contains("exit_code")) CHECK(json["exit_code"] == ran.status);
        CHECK(ran.error.empty());
        return json;
    };
    const Json audit = run({"audit", "shop.toml"});
    CHECK(audit["verdict"] == "drift");
    CHECK(audit["findings_count"] == 3);
    CHECK(audit["findings"].size() == 3);
    CHECK(audit["findings"][0]["key"] == Json::parse("[\"ann@x.org\"]"));
    CHECK(run({"report", "shop.audit"}) == audit);
    CHECK(run({"check", "shop.toml"})["valid"] == true);
    CHECK(run({"plan", "shop.audit"})["counts"]["put_entry"] == 1);
    CHECK(run({"repair", "shop.audit", "--max-deletes", "1"})["counts"]["would_apply"] == 3);
    CHECK(run({"why", "shop.toml", "--key", "gone@x.org"})["entries"].size() == 1);
    CHECK(run({"repair", "shop.audit", "--apply", "--max-deletes", "1"})["counts"]["applied"] == 3);
    CHECK(run({"undo", "shop.audit"})["counts"]["would_apply"] == 3);
    CHECK(run({"audit", "shop.toml", "--out", "after"})["verdict"] == "consistent");
}

TEST_CASE("values of copies are shown and kept only when they are asked for") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings here;
    here.folder = folder.path();
    for (const char* format : {"text", "json"}) {
        const Ran ran = run_idxfsck({"audit", "shop.toml", "--format", format}, here);
        CHECK(ran.out.find("Rob") == std::string::npos);
    }
    CHECK(folder.read("shop.audit/findings.ndjson").find("Rob") == std::string::npos);
    const Ran shown = run_idxfsck({"audit", "shop.toml", "--show-values"}, here);
    CHECK(shown.out.find("\"Name\": base \"Bob\", index \"Rob\"") != std::string::npos);
    const Ran redacted = run_idxfsck({"audit", "shop.toml", "--redact", "--show-values"}, here);
    for (const char* secret : {"ann@x.org", "u1", "Rob", "Bob"}) {
        CHECK(redacted.out.find(secret) == std::string::npos);
    }
    CHECK(redacted.status == 4);
}

TEST_CASE("hostile keys are harmless in every output of every command") {
    const TemporaryFolder folder;
    std::string emails;
    for (const std::string& text : hostile_texts()) {
        // Only what a JSON text can hold; other bytes are tried on the reports directly.
        if (text.find('\xff') != std::string::npos) continue;
        emails += Json{{"Email", text}, {"UserId", text}, {"Name", text}}.dump() + "\n";
    }
    make_shop(folder, emails);
    RunSettings here;
    here.folder = folder.path();
    const std::vector<std::vector<std::string>> lines{
        {"audit", "shop.toml", "--max-shown", "0", "--show-values"},
        {"audit", "shop.toml", "--format", "json"},
        {"report", "shop.audit", "--verbose"},
        {"plan", "shop.audit"},
        {"repair", "shop.audit", "--max-deletes", "100"},
        {"why", "shop.toml", "--key", hostile_texts()[1]},
        {"why", "shop.toml", "--key", hostile_texts()[5], "--format", "json"},
        {"repair", "shop.audit", "--apply", "--max-deletes", "100", "--verbose"},
        {"undo", "shop.audit"},
        {"audit", "shop.toml", "--index", hostile_texts()[0]},
        {"audit", hostile_texts()[1]},
        {"explain", hostile_texts()[5]},
        {"audit", "shop.toml", "--" + hostile_texts()[0]}};
    for (const auto& line : lines) {
        const Ran ran = run_idxfsck(line, here);
        INFO(line[0] << " " << line[1] << "\n" << ran.out << ran.error);
        for (const std::string* text : {&ran.out, &ran.error}) {
            CHECK(text->find('\x1b') == std::string::npos);
            CHECK(text->find('\r') == std::string::npos);
            CHECK(text->find("\n::") == std::string::npos);
            CHECK(text->find("\u202e") == std::string::npos);
        }
        CHECK(ran.status <= 16);
    }
    // The keys come through whole where a program reads them.
    const Ran report = run_idxfsck({"report", "shop.audit", "--format", "json"}, here);
    const Json findings = parsed(report.out);
    std::size_t whole = 0;
    for (const Json& finding : findings["findings"]) {
        for (const std::string& text : hostile_texts()) {
            if (text.find('\xff') == std::string::npos) whole += finding["key"][0] == text;
        }
    }
    CHECK(whole == hostile_texts().size() - 1);
}

TEST_CASE("output that cannot be written is noticed") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings full;
    full.folder = folder.path();
    full.out_file = "/dev/full";
    const Ran ran = run_idxfsck({"audit", "shop.toml"}, full);
    CHECK(ran.status == 12);
    CHECK(ran.error.find("cannot write to standard output: cause=\"No space left on device\"") !=
          std::string::npos);
    CHECK(run_idxfsck({"--help"}, full).status == 8);
    RunSettings closed;
    closed.folder = folder.path();
    closed.out_closed = true;
    CHECK(run_idxfsck({"audit", "shop.toml"}, closed).status == 12);
    CHECK(run_idxfsck({"dump", "shop.idxfsck", "Users"}, closed).status == 8);
    // The store is still what it was: none of its files was taken for standard output.
    RunSettings here;
    here.folder = folder.path();
    CHECK(run_idxfsck({"audit", "shop.toml"}, here).status == 4);
}

TEST_CASE("on a terminal there is a progress line, and nothing of it stays") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings terminal;
    terminal.folder = folder.path();
    terminal.on_terminal = true;
    const Ran ran = run_idxfsck({"audit", "shop.toml"}, terminal);
    CHECK(ran.status == 4);
    CHECK(ran.error.find("scan: ") != std::string::npos);
    CHECK(ran.error.find(" of 6 rows") != std::string::npos);
    CHECK(ran.error.find('\x1b') == std::string::npos);
    CHECK(ran.error.find('\n') == std::string::npos);
    REQUIRE(ran.error.ends_with('\r'));
    const std::string last = ran.error.substr(0, ran.error.size() - 1);
    CHECK(last.find_first_not_of(' ', last.rfind('\r') + 1) == std::string::npos);
    CHECK(run_idxfsck({"audit", "shop.toml", "--quiet"}, terminal).error.empty());
}

TEST_CASE("colour goes to terminals only, and NO_COLOR takes it away") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    const auto colours = [&](std::map<std::string, std::string> environment,
                             std::vector<std::string> more = {}) {
        RunSettings settings;
        settings.folder = folder.path();
        settings.environment = std::move(environment);
        settings.environment.emplace("CLICOLOR_FORCE", "");
        std::vector<std::string> words{"audit", "shop.toml"};
        words.insert(words.end(), more.begin(), more.end());
        return run_idxfsck(words, settings).out.find('\x1b') != std::string::npos;
    };
    CHECK_FALSE(colours({}));
    CHECK(colours({{"CLICOLOR_FORCE", "1"}}));
    CHECK_FALSE(colours({{"CLICOLOR_FORCE", "0"}}));
    CHECK_FALSE(colours({{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "0"}}));
    CHECK(colours({{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", ""}}));
    CHECK(colours({{"NO_COLOR", "1"}}, {"--color", "always"}));
    CHECK_FALSE(colours({{"CLICOLOR_FORCE", "1"}}, {"--color", "never"}));
}

TEST_CASE("a signal stops a repair between two groups, and running it again goes on") {
    const TemporaryFolder folder;
    RunSettings here;
    here.folder = folder.path();
    REQUIRE(run_idxfsck({"seed", "shop", "--rows", "1000", "--indexes", "unique", "--drift",
                         "orphaned_write=150"},
                        here)
                .status == 0);
    REQUIRE(run_idxfsck({"audit", "shop/spec.toml", "--out", "a"}, here).status == 4);
    REQUIRE(run_idxfsck({"plan", "a"}, here).status == 4);
    RunSettings interrupted = here;
    const std::string journal = folder.file("a/journal.ndjson");
    interrupted.interrupt_when = [&] {
        std::error_code ignored;
        return std::filesystem::file_size(journal, ignored) > 2000 && !ignored;
    };
    const Ran ran = run_idxfsck({"repair", "a", "--apply", "--rate", "2"}, interrupted);
    INFO(ran.out << ran.error);
    CHECK(ran.status == 36);
    CHECK(ran.out.find("stopped by a signal; run the same command again") != std::string::npos);
    const Ran again = run_idxfsck({"repair", "a", "--apply"}, here);
    CHECK(again.status == 0);
    CHECK(run_idxfsck({"audit", "shop/spec.toml", "--out", "b"}, here).status == 0);
}

TEST_CASE("the folder of an audit is for its owner alone, and moves with its spec") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings here;
    here.folder = folder.path();
    REQUIRE(run_idxfsck({"audit", "shop.toml"}, here).status == 4);
    using std::filesystem::perms;
    const auto mode = [&](const std::string& name) {
        return std::filesystem::status(folder.file(name)).permissions();
    };
    CHECK(mode("shop.audit") == perms::owner_all);
    CHECK(mode("shop.audit/audit.json") == (perms::owner_read | perms::owner_write));
    CHECK(mode("shop.audit/findings.ndjson") == (perms::owner_read | perms::owner_write));
    CHECK(folder.read("shop.audit/audit.json").find(folder.path()) == std::string::npos);
    const TemporaryFolder other;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()}) {
        std::filesystem::rename(entry.path(),
                                std::filesystem::path{other.path()} / entry.path().filename());
    }
    CHECK(run_idxfsck({"plan", other.file("shop.audit")}).status == 4);
    CHECK(run_idxfsck({"repair", other.file("shop.audit"), "--max-deletes", "1"}).status == 4);
}

}  // namespace
}  // namespace idxfsck::reports
