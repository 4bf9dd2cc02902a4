// The built program, run as a shell runs it: for each command line its exit status, what stands on
// standard output and what on standard error. Wrong lines get 16, say what would be right, and
// print nothing on standard output.

#include <catch2/catch.hpp>

#include "shop.hpp"

namespace idxfsck::reports {
namespace {

struct Line {
    std::vector<std::string> words;
    int status;
    std::vector<std::string> out;    // each must be in it; none: it must be empty
    std::vector<std::string> error;  // the same
};

void check_stream(const std::string& text, const std::vector<std::string>& wanted) {
    if (wanted.empty()) CHECK(text.empty());
    for (const std::string& part : wanted) {
        INFO("looking for: " << part << "\nin: " << text);
        CHECK(text.find(part) != std::string::npos);
    }
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
}

void check_lines(const std::vector<Line>& lines, const RunSettings& settings) {
    for (const Line& line : lines) {
        std::string shown = "idxfsck";
        for (const std::string& word : line.words) shown.append(" ").append(word);
        INFO(shown);
        const Ran ran = run_idxfsck(line.words, settings);
        CHECK(ran.status == line.status);
        check_stream(ran.out, line.out);
        check_stream(ran.error, line.error);
    }
}

TEST_CASE("command lines that make no sense get 16 and say what would be right") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    folder.write("bad.toml", "[store.main]\nkind = \"rocksdb\"\npath = \"x\"\n\n[[indx]]\n");
    RunSettings here;
    here.folder = folder.path();
    const std::string usage = "usage: idxfsck audit SPEC [options]; `idxfsck audit --help`";
    check_lines(
        {{{}, 16, {}, {"Usage: idxfsck COMMAND"}},
         {{"adit"}, 16, {}, {"unknown command: command=adit", "did you mean `idxfsck audit`?"}},
         {{"xyzzy"}, 16, {}, {"`idxfsck --help` lists the commands"}},
         {{"--apply"}, 16, {}, {"options come after the command"}},
         {{"help", "adit"}, 16, {}, {"did you mean `idxfsck audit`?"}},
         {{"audit"}, 16, {}, {"an argument is missing: argument=SPEC", usage}},
         {{"audit", "a", "b"}, 16, {}, {"an argument too many: argument=b", usage}},
         {{"audit", "shop.toml", "--thread", "4"}, 16, {}, {"did you mean `--threads`?", usage}},
         {{"audit", "shop.toml", "--threads"}, 16, {}, {"needs a value: option=--threads", usage}},
         {{"audit", "shop.toml", "--threads", "many"}, 16, {}, {"whole number", usage}},
         {{"audit", "shop.toml", "--threads", "99999"}, 16, {}, {"smaller number", usage}},
         {{"audit", "shop.toml", "--memory", "lots"}, 16, {}, {"such as 512M", usage}},
         {{"audit", "shop.toml", "--as-of", "yesterday"}, 16, {}, {"2026-11-29T22:12:00Z", usage}},
         {{"audit", "shop.toml", "--format", "jsn"}, 16, {}, {"did you mean `json`?", usage}},
         {{"audit", "shop.toml", "--color", "blue"}, 16, {}, {"one of: auto, always, never"}},
         {{"audit", "shop.toml", "--index", "users-by-emial"},
          16,
          {},
          {"no such index", "did you mean `users-by-email`?"}},
         {{"audit", "nosuch.toml"}, 16, {}, {"cannot open the file: spec=nosuch.toml"}},
         {{"audit", "."}, 16, {}, {"spec=."}},
         {{"audit", "bad.toml"}, 16, {}, {"bad.toml:5:", "^", "nothing was read or written"}},
         {{"audit", "shop.toml", "--expect", "nosuch"}, 16, {}, {"file=nosuch"}},
         {{"check", "bad.toml"}, 16, {"bad.toml:5:", "^"}, {}},
         {{"plan", "nosuch"}, 16, {}, {"nosuch"}},
         {{"report", "nosuch"}, 16, {}, {"nosuch"}},
         {{"repair", "nosuch"}, 16, {}, {"nosuch"}},
         {{"undo", "nosuch"}, 16, {}, {"nosuch"}},
         {{"undo", "."}, 16, {}, {"there is no journal in the folder"}},
         {{"why", "shop.toml"}, 16, {}, {"one of --key and --row must be given"}},
         {{"why", "shop.toml", "--key", "[1,"}, 16, {}, {"it is no JSON"}},
         {{"why", "shop.toml", "--key", "[\"a\",\"b\"]"}, 16, {}, {"components=Email"}},
         {{"explain", "stale_pionter"}, 16, {}, {"did you mean `stale_pointer`?"}},
         {{"load", "s", "t", "f"}, 16, {}, {"the key attributes must be named"}},
         {{"load", "s", "t", "f", "--key", "a,"}, 16, {}, {"a key attribute has no name"}},
         {{"load", "s", "t", "f", "--key", "a", "--replace", "--append"}, 16, {}, {"at most"}},
         {{"dump", "nosuch", "t"}, 16, {}, {"nosuch"}},
         {{"dump", "shop.idxfsck", "nosuch"}, 16, {}, {"nosuch"}}},
        here);
}

TEST_CASE("help and version go to standard output with 0") {
    check_lines({{{"--help"}, 0, {"Commands:", "audit"}, {}},
                 {{"help"}, 0, {"Commands:"}, {}},
                 {{"help", "audit"}, 0, {"Usage: idxfsck audit SPEC [options]"}, {}},
                 {{"audit", "--help"}, 0, {"Usage: idxfsck audit SPEC [options]"}, {}},
                 {{"audit", "x", "--nosuch", "--help"}, 0, {"Exit status:"}, {}},
                 {{"--version"}, 0, {"idxfsck 0."}, {}},
                 {{"explain"}, 0, {"stale_pointer", "superseded"}, {}},
                 {{"explain", "orphaned_write"}, 0, {"How it comes about"}, {}}},
                {});
}

TEST_CASE("from damage to clean: each command's status and streams") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings here;
    here.folder = folder.path();
    check_lines(
        {{{"check", "shop.toml"}, 0, {"index users-by-email", "makes sense"}, {}},
         {{"audit", "shop.toml"},
          4,
          {"3 findings", "+ orphaned_write", "\"ann@x.org\" -> \"u1\"", "- stale_pointer",
           "~ divergent_copy", "DRIFT: 3 findings", "next: idxfsck plan shop.audit"},
          {}},
         {{"report", "shop.audit"}, 4, {"DRIFT: 3 findings"}, {}},
         {{"audit", "shop.toml", "--quiet", "--out", "q"}, 4, {"DRIFT"}, {}},
         {{"plan", "shop.audit", "--kind", "stale_pionter"}, 16, {}, {"`stale_pointer`?"}},
         {{"plan", "shop.audit", "--show"}, 16, {}, {"plan.ndjson"}},
         {{"plan", "shop.audit"},
          4,
          {"PLAN: 1 put_entry, 1 fix_copies, 1 delete_entry",
           "next: idxfsck repair shop.audit/plan.ndjson"},
          {}},
         {{"plan", "shop.audit", "--show"}, 4, {"PLAN: 1 put_entry"}, {}},
         {{"repair", "shop.audit", "--only", "nosuch"}, 16, {}, {"nosuch"}},
         {{"repair", "shop.audit"},
          4,
          {"would_apply", "DRY RUN: 3 would_apply; nothing was written", "more deletes than",
           "next: idxfsck repair shop.audit --apply --max-deletes 1"},
          {}},
         {{"audit", "shop.toml"}, 4, {"DRIFT: 3 findings"}, {}},
         {{"why", "shop.toml", "--key", "ann@x.org"}, 8, {"NO ENTRY"}, {}},
         {{"why", "shop.toml", "--key", "ann@x.org", "--scan"},
          4,
          {"derived by \"u1\"", "verdict   orphaned_write: entry_missing"},
          {}},
         {{"why", "shop.toml", "--row", "[\"u1\"]"}, 4, {"orphaned_write"}, {}},
         {{"why", "shop.toml", "--row", "u3"}, 0, {"CONSISTENT"}, {}},
         {{"why", "shop.toml", "--key", "gone@x.org"}, 4, {"stale_pointer: base_missing"}, {}},
         {{"repair", "shop.audit", "--apply"}, 4, {}, {"refused", "--max-deletes"}}},
        here);
}

TEST_CASE("repair, audit again, undo") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings here;
    here.folder = folder.path();
    const auto dump = [&] {
        return run_idxfsck({"dump", "shop.idxfsck", "UsersByEmail"}, here).out;
    };
    const std::string before = dump();
    check_lines(
        {{{"audit", "shop.toml"}, 4, {"DRIFT"}, {}},
         {{"plan", "shop.audit"}, 4, {"PLAN"}, {}},
         {{"repair", "shop.audit", "--apply", "--max-deletes", "1"},
          0,
          {"REPAIRED: 3 applied", "journal: shop.audit/journal.ndjson",
           "next: idxfsck audit shop.toml"},
          {}},
         {{"repair", "shop.audit", "--apply", "--max-deletes", "1"}, 0, {"3 already"}, {}},
         {{"audit", "shop.toml", "--out", "after"}, 0, {"CONSISTENT"}, {}},
         {{"audit", "shop.toml", "--out", "after", "--quiet"}, 0, {}, {}},
         {{"plan", "after"}, 0, {"PLAN: nothing to do"}, {}},
         {{"repair", "after"}, 0, {"nothing to do"}, {}},
         {{"undo", "shop.audit"}, 4, {"DRY RUN: 3 would_apply"}, {}},
         {{"undo", "shop.audit/journal.ndjson", "--apply"}, 0, {"UNDONE: 3 applied"}, {}}},
        here);
    CHECK(dump() == before);
}

TEST_CASE("an answer key is met, or what differs is printed") {
    const TemporaryFolder folder;
    make_shop(folder, drifted_emails);
    RunSettings here;
    here.folder = folder.path();
    const std::string missing =
        R"({"index":"users-by-email","kind":"orphaned_write","reason":"entry_missing",)"
        R"("key":["ann@x.org"],"pointer":["u1"]})" "\n"
        R"({"index":"users-by-email","kind":"divergent_copy","key":["bob@x.org"]})" "\n";
    folder.write("most.ndjson", missing);
    folder.write("all.ndjson",
                 missing + R"({"index":"users-by-email","kind":"stale_pointer",)"
                           R"("reason":"base_missing","key":["gone@x.org"],"pointer":["u9"]})");
    check_lines({{{"audit", "shop.toml", "--expect", "all.ndjson"}, 0, {"AS EXPECTED: 3"}, {}},
                 {{"audit", "shop.toml", "--expect", "most.ndjson"},
                  4,
                  {"too much: users-by-email: stale_pointer base_missing", "NOT AS EXPECTED"},
                  {}}},
                here);
}

TEST_CASE("nothing of a load with a bad line stays, and the line is named") {
    const TemporaryFolder folder;
    folder.write("bad.ndjson", "{\"UserId\":\"u1\"}\n{\"UserId\":\n");
    folder.write("twice.ndjson", "{\"UserId\":\"u1\"}\n{\"UserId\":\"u1\"}\n");
    RunSettings here;
    here.folder = folder.path();
    check_lines({{{"load", "s", "t", "bad.ndjson", "--key", "UserId"},
                  8,
                  {},
                  {"file=bad.ndjson", "line=2"}},
                 {{"load", "s", "t", "twice.ndjson", "--key", "UserId"}, 8, {}, {"u1"}},
                 {{"dump", "s", "t"}, 16, {}, {"s"}}},
                here);
}

}  // namespace
}  // namespace idxfsck::reports
