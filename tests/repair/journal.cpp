// The journal of a repair.
//
// Promised: whatever byte the disk stopped at, the records that were synced before are read, and
// the journal can go on; damage anywhere else is refused and named. Method: every cut, every
// flipped byte.

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "repair/journal.hpp"
#include "store/error.hpp"
#include "tests/repair/journal_memory.hpp"
#include "tests/repair/temp_folder.hpp"

using namespace idxfsck;
using repair::Done;
using repair::Intent;
using repair::Journal;
using repair::JournalHeader;
using store::Value;
using tests::MemoryJournalFile;

namespace {

const std::string hostile = std::string{"\0\n\"\x1b", 4} + "\xff";

JournalHeader header() { return {"repair", "plan", "spec", {{"main", "id"}}, 5, "0.1.0"}; }

store::Row row(const std::string& name) {
    return {{Value::text("k"), Value::null()},
            store::encode_attributes({{"Name", Value::text(name)}}),
            hostile};
}

const std::vector<repair::JournalRecord> records{
    Intent{"1", "main", "ByEmail", {Value::text("k"), Value::null()}, std::nullopt, row("a"),
           false},
    Intent{"2", "main", hostile, {Value::text(hostile)}, row(hostile), std::nullopt, true},
    Done{"1", repair::Outcome::applied, hostile, false},
    Done{"2", repair::Outcome::superseded, std::nullopt, true},
};

void add(Journal& journal, const repair::JournalRecord& record) {
    if (const auto* intent = std::get_if<Intent>(&record)) journal.intend(*intent);
    else journal.done(std::get<Done>(record));
    journal.sync();
}

std::string whole_journal() {
    std::string text;
    Journal journal{std::make_unique<MemoryJournalFile>(text), header()};
    for (const auto& record : records) add(journal, record);
    return text;
}

}  // namespace

TEST_CASE("a journal is read back as it was written") {
    const auto contents = repair::read_journal(whole_journal());
    REQUIRE(contents);
    CHECK(contents->header == header());
    CHECK(contents->records == records);
    CHECK_FALSE(contents->torn);
    CHECK(contents->whole_bytes == whole_journal().size());
}

TEST_CASE("a journal that is cut anywhere is read up to the cut, and goes on to the same end") {
    const std::string whole = whole_journal();
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        INFO("cut at " << size);
        std::string text = whole.substr(0, size);
        const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        const auto contents = repair::read_journal(text);
        REQUIRE(contents.has_value() == (lines > 0));
        if (contents) {
            CHECK(contents->records ==
                  std::vector(records.begin(), records.begin() + static_cast<long>(lines) - 1));
            CHECK(contents->torn == (text.back() != '\n'));
        }
        Journal journal{std::make_unique<MemoryJournalFile>(text), header()};
        const std::size_t kept = lines == 0 ? 0 : lines - 1;
        REQUIRE(journal.earlier().size() == kept);
        CHECK(journal.continued() == (lines > 0));
        for (std::size_t place = kept; place < records.size(); ++place) {
            add(journal, records[place]);
        }
        REQUIRE(text == whole);
    }
}

TEST_CASE("a last line of zeros is a torn tail") {
    const std::string whole = whole_journal();
    const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
    std::string text = whole.substr(0, last) + std::string(whole.size() - last - 1, '\0') + "\n";
    const auto contents = repair::read_journal(text);
    REQUIRE(contents);
    CHECK(contents->torn);
    CHECK(contents->records.size() == records.size() - 1);
}

TEST_CASE("a header of which the disk kept zeros is a journal that was torn at its birth") {
    const std::string whole = whole_journal();
    const std::string line = whole.substr(0, whole.find('\n') + 1);
    for (std::size_t begin = 0; begin + 1 < line.size(); ++begin) {
        for (const bool has_end : {true, false}) {
            INFO("zeros from " << begin << " on");
            std::string text = line.substr(0, begin) + std::string(line.size() - begin - 1, '\0');
            if (has_end) text += '\n';
            CHECK_FALSE(repair::read_journal(text));
            Journal journal{std::make_unique<MemoryJournalFile>(text), header()};
            for (const auto& record : records) add(journal, record);
            REQUIRE(text == whole);
        }
    }
    CHECK_THROWS_AS(repair::read_journal(std::string(1 << 20, '\0')), store::Error);
    CHECK_THROWS_AS(repair::read_journal(line + std::string(9, '\0') + "\n" + line), store::Error);
}

TEST_CASE("a byte that was changed anywhere is damage, named by record") {
    const std::string whole = whole_journal();
    const std::size_t last = whole.size() - 1;
    const std::size_t first = whole.find('\n') + 1;
    for (std::size_t place = first; place < last; ++place) {
        std::string text = whole;
        text[place] = static_cast<char>(text[place] ^ 1);
        INFO("byte " << place);
        try {
            repair::read_journal(text);
            FAIL("read");
        } catch (const store::Error& error) {
            CHECK(error.trouble() == store::Trouble::refused);
            CHECK(error.fields().at(0).first == "record");
        }
    }
}

TEST_CASE("a record that is lost, moved or written twice is damage") {
    const std::string whole = whole_journal();
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < whole.size();) {
        const std::size_t end = whole.find('\n', begin) + 1;
        lines.push_back(whole.substr(begin, end - begin));
        begin = end;
    }
    REQUIRE(lines.size() == 5);
    CHECK_THROWS_AS(repair::read_journal(lines[0] + lines[2] + lines[3]), store::Error);
    CHECK_THROWS_AS(repair::read_journal(lines[0] + lines[2] + lines[1] + lines[3]), store::Error);
    CHECK_THROWS_AS(repair::read_journal(lines[0] + lines[1] + lines[1] + lines[2]), store::Error);
}

TEST_CASE("a file that is no journal is neither read nor overwritten") {
    for (const std::string other : {"x", "{\"idxfsck\":\"plan\"}\n", "\n", "# notes"}) {
        INFO(other);
        CHECK_THROWS_AS(repair::read_journal(other), store::Error);
        std::string text = other;
        CHECK_THROWS_AS(Journal(std::make_unique<MemoryJournalFile>(text), header()), store::Error);
        CHECK(text == other);
    }
}

TEST_CASE("a journal of another plan or store is not continued") {
    std::string text = whole_journal();
    JournalHeader other = header();
    other.plan_digest = "another";
    CHECK_THROWS_AS(Journal(std::make_unique<MemoryJournalFile>(text), other), store::Error);
    other = header();
    other.stores = {{"main", "another"}};
    CHECK_THROWS_AS(Journal(std::make_unique<MemoryJournalFile>(text), other), store::Error);
    other = header();
    other.started_ms = 99;
    CHECK_NOTHROW(Journal(std::make_unique<MemoryJournalFile>(text), other));
    CHECK(text == whole_journal());
}

TEST_CASE("after the disk failed a journal takes no more records") {
    std::string text;
    auto file = std::make_unique<MemoryJournalFile>(text);
    MemoryJournalFile& disk = *file;
    Journal journal{std::move(file), header()};
    disk.bytes_left = 10;
    journal.done(Done{"1", repair::Outcome::applied, std::nullopt, false});
    CHECK_THROWS_AS(journal.sync(), store::Error);
    disk.bytes_left = 1 << 20;
    CHECK_THROWS_AS(journal.sync(), store::Error);
    const auto contents = repair::read_journal(text);
    REQUIRE(contents);
    CHECK(contents->torn);
}

TEST_CASE("a journal on disk is for its owner alone and goes on where it was") {
    const tests::TempFolder folder;
    const std::string path = folder.path() + "/journal.ndjson";
    for (const auto& record : records) {
        Journal journal{repair::open_journal_file(path), header()};
        add(journal, record);
    }
    const auto contents = repair::load_journal(path);
    REQUIRE(contents);
    CHECK(contents->records == records);
    struct stat seen = {};
    REQUIRE(::stat(path.c_str(), &seen) == 0);
    CHECK((seen.st_mode & 0777) == 0600);
}
