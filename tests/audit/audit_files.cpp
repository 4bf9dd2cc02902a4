// Promised: tables in files are audited as they lie there, in a small and fixed number of walks
// over each; what cannot be read, stands there twice or changes meanwhile makes the answer "could
// not tell" and never a clean one, nor an accusation that rests on it.
// Method: files written out by the test; a reader in between counts the walks.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "store/error.hpp"
#include "store/files/files_reader.hpp"
#include "tests/audit/world.hpp"
#include "tests/store/scratch_folder.hpp"

using namespace idxfsck;
using Words = std::set<std::string>;

namespace {

const std::string head = R"(
[store.main]
kind = "files"
path = "."
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
)";

const std::string by_email = R"(
[[index]]
name = "email"
of = "user"
store = "main"
table = "ByEmail"
key = { Email = "{Email}" }
pointer = { UserId = "{UserId}" }
copies = { Name = "{Name}" }
)";

// Counts the walks over each table: each begins with a cut. The page of the base table by which the
// width of a sketch is chosen is cut off in one piece.
class CountingReader : public store::FilesReader {
public:
    using FilesReader::FilesReader;

    std::vector<store::Partition> split(store::BytesView table,
                                        std::size_t target) const override {
        if (target > 1) ++walks[store::Bytes{table}];
        return FilesReader::split(table, target);
    }

    mutable std::map<store::Bytes, int> walks;
};

struct Files {
    store::ScratchFolder folder;
    tests::TestClock clock;
    audit::AuditOptions options;
    std::map<store::Bytes, int> walks;

    Files() {
        options.threads = 1;
        options.partitions = 2;
        options.seed = 7;
    }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream{folder.path() + "/" + name, std::ios::binary} << text;
    }

    audit::AuditResult audit(const std::string& text) {
        const audit::Spec spec = tests::spec_of(text);
        CountingReader reader{folder.path(), spec.stores.at(0).file_tables};
        auto result = audit::run_audit(spec, {{"main", &reader}}, clock, options);
        walks = reader.walks;
        return result;
    }

    // Rows u0 to u(count-1) and their entries; of every `step`th one the entry is missing.
    void write_users(int count, int step) const {
        std::string users;
        std::string entries;
        for (int row = 0; row < count; ++row) {
            const std::string number = std::to_string(row);
            const std::string email = "e" + number + "@x";
            users += "{\"UserId\":{\"S\":\"u" + number + "\"},\"Email\":{\"S\":\"" + email +
                     "\"},\"Name\":{\"S\":\"n\"}}\n";
            if (row % step == 0) continue;
            entries += "{\"Email\":{\"S\":\"" + email + "\"},\"UserId\":{\"S\":\"u" + number +
                       "\"},\"Name\":{\"S\":\"n\"}}\n";
        }
        write("Users.ndjson", users);
        write("ByEmail.ndjson", entries);
    }
};

bool has_gap(const audit::AuditResult& result, const std::string& words) {
    for (const audit::Gap& gap : result.coverage.gaps) {
        const std::string line = gap.table + " " + gap.partition + ": " + gap.cause;
        if (line.find(words) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("an audit of files with two thousand suspects walks twice over each table") {
    Files files;
    files.write_users(6000, 3);
    SECTION("with the sketch") {}
    SECTION("with several threads and partitions") {
        files.options.threads = 3;
        files.options.partitions = 5;
    }
    SECTION("with the exact engine, whose places in the files are looked for in a third walk") {
        files.options.engine = audit::EngineChoice::exact;
    }
    const bool exact = files.options.engine == audit::EngineChoice::exact;
    const auto result = files.audit(head + by_email);
    CHECK(result.findings.size() == 2000);
    CHECK(result.findings[0].reason == audit::Reason::entry_missing);
    CHECK(result.coverage.whole());
    CHECK(result.coverage.snapshot);
    CHECK(files.walks == std::map<store::Bytes, int>{{"ByEmail", exact ? 3 : 2},
                                                     {"Users", exact ? 3 : 2}});
}

TEST_CASE("a right entry in the place of another takes one more walk over the base table alone") {
    Files files;
    files.write("Users.ndjson", "{\"UserId\":\"u1\",\"Email\":\"a\",\"Name\":\"n\"}\n"
                                "{\"UserId\":\"u2\",\"Email\":\"a\",\"Name\":\"n\"}\n");
    files.write("ByEmail.ndjson", "{\"Email\":\"a\",\"UserId\":\"u2\",\"Name\":\"n\"}\n");
    const auto result = files.audit(head + by_email + "unique = true\n");
    CHECK(tests::words(result) == Words{"duplicate_claim email a -> u1 u2 (u2)"});
    CHECK(files.walks == std::map<store::Bytes, int>{{"ByEmail", 2}, {"Users", 3}});
}

TEST_CASE("a stale entry in the place of another takes no more walks") {
    Files files;
    files.write("Users.ndjson", "{\"UserId\":\"u1\",\"Email\":\"a\",\"Name\":\"n\"}\n"
                                "{\"UserId\":\"u2\",\"Email\":\"b\",\"Name\":\"n\"}\n");
    files.write("ByEmail.ndjson", "{\"Email\":\"a\",\"UserId\":\"u3\",\"Name\":\"n\"}\n"
                                  "{\"Email\":\"b\",\"UserId\":\"u2\",\"Name\":\"old\"}\n");
    const auto result = files.audit(head + by_email);
    CHECK(tests::words(result) == Words{"orphaned_write/entry_elsewhere email a -> u1",
                                        "stale_pointer/base_missing email a -> u3",
                                        "divergent_copy email b -> u2"});
    CHECK(result.coverage.whole());
    CHECK(files.walks == std::map<store::Bytes, int>{{"ByEmail", 2}, {"Users", 2}});
}

TEST_CASE("files without drift are walked over once") {
    Files files;
    files.write_users(50, 1000);
    files.write("ByEmail.ndjson", "");
    files.write_users(50, 1);
    files.write("ByEmail.ndjson", [] {
        std::string entries;
        for (int row = 0; row < 50; ++row) {
            const std::string number = std::to_string(row);
            entries += "{\"Email\":\"e" + number + "@x\",\"UserId\":\"u" + number +
                       "\",\"Name\":\"n\"}\n";
        }
        return entries;
    }());
    const auto result = files.audit(head + by_email);
    CHECK(result.verdict() == audit::Verdict::consistent);
    CHECK(files.walks == std::map<store::Bytes, int>{{"ByEmail", 1}, {"Users", 1}});
}

TEST_CASE("claims without a pointer in files are judged from the base side") {
    Files files;
    files.write("Users.ndjson", "{\"UserId\":\"u1\",\"Handle\":\"ann\"}\n"
                                "{\"UserId\":\"u2\",\"Handle\":\"bob\"}\n"
                                "{\"UserId\":\"u3\",\"Handle\":\"bob\"}\n");
    files.write("Handles.ndjson", "{\"K\":\"ann\"}\n{\"K\":\"bob\"}\n{\"K\":\"eve\"}\n");
    const auto result = files.audit(head + R"(
[[index]]
name = "handle"
of = "user"
store = "main"
table = "Handles"
key = { K = "{Handle}" }
unique = true
)");
    CHECK(tests::words(result) == Words{"duplicate_claim handle bob -> u2 u3",
                                        "stale_pointer/unclaimed handle eve ->"});
    CHECK(result.coverage.whole());
}

TEST_CASE("a line that is no row keeps the answer from being clean, and accuses nobody") {
    Files files;
    files.write("Users.ndjson", "{\"UserId\":\"u1\",\"Email\":\"a\",\"Name\":\"n\"}\n"
                                "{\"UserId\":\"u2\",\"Email\":\"b\",\"Name\":\"n\"}\n"
                                "{\"UserId\":\"u4\",\"Email\":\"d\",\"Name\":\"new\"}\n");
    // The damaged line may be the entry of u2, or any other; that of u4 is there and differs.
    files.write("ByEmail.ndjson", "{\"Email\":\"a\",\"UserId\":\"u1\",\"Name\":\"n\"}\n"
                                  "{\"Email\":\"b\",\"UserId\":\"u2\",\"Na\n"
                                  "{\"Email\":\"c\",\"UserId\":\"u3\",\"Name\":\"n\"}\n"
                                  "{\"Email\":\"d\",\"UserId\":\"u4\",\"Name\":\"old\"}\n");
    const auto result = files.audit(head + by_email);
    CHECK(tests::words(result) == Words{"stale_pointer/base_missing email c -> u3",
                                        "divergent_copy email d -> u4"});
    CHECK(result.verdict() == audit::Verdict::could_not_tell);
    CHECK(result.coverage.indexes[0].unverifiable == 1);
    CHECK(has_gap(result, "ByEmail row ByEmail.ndjson at byte 39: "));
}

TEST_CASE("a file that is cut short is a gap, and what it would have held is not missed") {
    Files files;
    files.write_users(300, 1000);
    const std::string path = files.folder.path() + "/ByEmail.ndjson";
    REQUIRE(std::system(("gzip " + path).c_str()) == 0);
    const auto whole = files.audit(head + by_email);
    CHECK(whole.coverage.whole());
    CHECK(whole.findings.size() == 1);
    std::filesystem::resize_file(path + ".gz", std::filesystem::file_size(path + ".gz") / 2);
    const auto cut = files.audit(head + by_email);
    CHECK(cut.findings.empty());
    CHECK(cut.verdict() == audit::Verdict::could_not_tell);
    CHECK(has_gap(cut, "cut off"));
    CHECK(cut.coverage.tables.at(1).partitions_read == 0);
}

TEST_CASE("a key in two rows is named, and the rows accuse nobody") {
    Files files;
    files.write("Users.ndjson", "{\"UserId\":\"u1\",\"Email\":\"a\",\"Name\":\"n\"}\n"
                                "{\"UserId\":\"u1\",\"Email\":\"old\",\"Name\":\"n\"}\n"
                                "{\"UserId\":\"u2\",\"Email\":\"b\",\"Name\":\"n\"}\n");
    files.write("ByEmail.ndjson", "{\"Email\":\"a\",\"UserId\":\"u1\",\"Name\":\"n\"}\n");
    SECTION("that differ") {}
    SECTION("that are alike") {
        files.write("Users.ndjson", "{\"UserId\":\"u1\",\"Email\":\"a\",\"Name\":\"n\"}\n"
                                    "{\"UserId\":\"u1\",\"Email\":\"a\",\"Name\":\"n\"}\n"
                                    "{\"UserId\":\"u2\",\"Email\":\"b\",\"Name\":\"n\"}\n");
    }
    const auto result = files.audit(head + by_email);
    CHECK(tests::words(result) == Words{"orphaned_write/entry_missing email b -> u2"});
    CHECK(result.verdict() == audit::Verdict::could_not_tell);
    CHECK(has_gap(result, "Users key u1: it stands in two rows"));
}

TEST_CASE("a file that changes while it is audited is a gap, whenever it does") {
    Files files;
    files.write_users(100, 10);
    const std::string phase = GENERATE("scan", "reconcile", "confirm");
    bool done = false;
    files.options.progress = [&](const audit::Progress& progress) {
        if (done || progress.phase != phase) return;
        done = true;
        std::ofstream{files.folder.path() + "/Users.ndjson", std::ios::app}
            << "{\"UserId\":{\"S\":\"u\"}}\n";
    };
    const auto result = files.audit(head + by_email);
    CHECK(done);
    CHECK(result.verdict() == audit::Verdict::could_not_tell);
    CHECK(has_gap(result, "changed while"));
    CHECK(result.findings.empty());
}

TEST_CASE("a part that comes while a folder of parts is audited is a gap") {
    Files files;
    files.write_users(10, 1000);
    std::filesystem::create_directory(files.folder.path() + "/Users");
    std::filesystem::rename(files.folder.path() + "/Users.ndjson",
                            files.folder.path() + "/Users/0.ndjson");
    bool done = false;
    files.options.progress = [&](const audit::Progress&) {
        if (!std::exchange(done, true)) files.write("Users/1.ndjson", "{\"UserId\":\"u99\"}\n");
    };
    const auto result = files.audit(head + by_email);
    CHECK(has_gap(result, "the files of a table changed"));
    CHECK(result.verdict() == audit::Verdict::could_not_tell);
}

TEST_CASE("an audit of files that is stopped goes on, and not with other files") {
    Files files;
    files.write_users(9000, 100);
    const bool compressed = GENERATE(false, true);
    CAPTURE(compressed);
    if (compressed) {
        REQUIRE(std::system(("gzip " + files.folder.path() + "/*.ndjson").c_str()) == 0);
    }
    const auto whole = files.audit(head + by_email);
    REQUIRE(whole.findings.size() == 90);
    files.options.checkpoint_file = files.folder.path() + "/_checkpoint";
    int asked = 0;
    files.options.stop_requested = [&] { return ++asked > 5; };
    const auto stopped = files.audit(head + by_email);
    CHECK(stopped.verdict() == audit::Verdict::could_not_tell);
    REQUIRE(std::filesystem::exists(files.options.checkpoint_file));
    files.options.resume = true;
    files.options.stop_requested = {};
    SECTION("with the same files") {
        const auto resumed = files.audit(head + by_email);
        CHECK(tests::words(resumed) == tests::words(whole));
        CHECK(resumed.coverage.whole());
        CHECK(resumed.coverage.tables == whole.coverage.tables);
    }
    SECTION("with others") {
        files.write(compressed ? "Users.ndjson.gz" : "Users.ndjson", "");
        REQUIRE_THROWS_AS(files.audit(head + by_email), store::Error);
    }
}

TEST_CASE("base and index in files of two folders are looked at twice") {
    Files base;
    Files index;
    base.write_users(100, 10);
    index.write_users(100, 10);
    const audit::Spec spec = tests::spec_of(R"(
[store.a]
kind = "files"
path = "a"
[store.b]
kind = "files"
path = "b"
[base.user]
store = "a"
table = "Users"
key = ["UserId"]
[[index]]
name = "email"
of = "user"
store = "b"
table = "ByEmail"
key = { Email = "{Email}" }
pointer = { UserId = "{UserId}" }
)");
    CountingReader a{base.folder.path(), spec.store("a")->file_tables};
    CountingReader b{index.folder.path(), spec.store("b")->file_tables};
    const auto result =
        audit::run_audit(spec, {{"a", &a}, {"b", &b}}, base.clock, base.options);
    CHECK(result.findings.size() == 10);
    CHECK(result.verdict() == audit::Verdict::drift);
    CHECK_FALSE(result.coverage.snapshot);
    CHECK(a.walks["Users"] == 3);
    CHECK(b.walks["ByEmail"] == 3);
}
