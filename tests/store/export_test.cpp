// Promised: a data file of an export is complete only if it has the items and the MD5 that its
// manifest says, however often its scan is stopped, in one process or several; and it is not read
// twice for that.
// Method: exports that the test writes; scans stopped at each page, gone on with by the same reader
// or by another; a reader that has seen the whole file once.

#include <catch2/catch.hpp>

#include <filesystem>

#include "json_lines.hpp"
#include "store/error.hpp"
#include "store/files/files_reader.hpp"
#include "store/json/base64.hpp"

using namespace idxfsck::store;

namespace {

constexpr int rows_count = 40;

struct World {
    TestFolder folder;
    FileTables tables{{}};

    explicit World(int promised_items, bool right_md5 = true) {
        Bytes text;
        for (int row = 0; row < rows_count; ++row) {
            text += "{\"Item\":{\"pk\":{\"S\":\"u" + std::to_string(row) + "\"}}}\n";
            if (row % 9 == 0) text += "\n";
        }
        const Bytes data = gzip(text);
        const std::string items = std::to_string(promised_items);
        std::filesystem::create_directories(folder.path("Users/data"));
        folder.file("Users/data/a.json.gz", data);
        folder.file("Users/manifest-files.json",
                    "{\"itemCount\":" + items + ",\"md5Checksum\":\"" +
                        to_base64(md5_of(right_md5 ? data : text)) +
                        "\",\"dataFileS3Key\":\"x/AWSDynamoDB/1/data/a.json.gz\"}\n");
        folder.file("Users/manifest-summary.json",
                    "{\"outputFormat\":\"DYNAMODB_JSON\",\"itemCount\":" + items +
                        ",\"exportTime\":\"2026-11-29T22:00:00.000Z\"}");
        tables[0].name = "Users";
        tables[0].key = {"pk"};
    }

    std::unique_ptr<FilesReader> open() const {
        return std::make_unique<FilesReader>(folder.path(""), tables);
    }
};

// Stops at each page if it is told to.
class CountingSink : public RowSink {
public:
    explicit CountingSink(bool stops) : stops_{stops} {}

    void row(const RowView&) override { ++rows; }
    bool page_end(const Position& place) override {
        position = place;
        return !stops_;
    }

    int rows = 0;
    std::optional<Position> position;

private:
    bool stops_;
};

enum class Stops { never, same_reader, other_reader };

// The rows of the scan, page by page.
int scan(const World& world, Stops stops) {
    std::unique_ptr<FilesReader> reader = world.open();
    const Partition whole = reader->split("Users", 4).at(0);
    CountingSink sink{stops != Stops::never};
    ScanOptions options;
    options.page_rows_max = 7;
    for (int turn = 0; turn < 2 * rows_count; ++turn) {
        if (reader->scan("Users", whole, options, sink) == ScanEnd::complete) return sink.rows;
        if (options.resume && sink.position->token == options.resume->token) return sink.rows;
        options.resume = sink.position;
        if (stops == Stops::other_reader) reader = world.open();
    }
    return -1;
}

std::string complaint(const World& world, Stops stops) {
    try {
        scan(world, stops);
        return "";
    } catch (const Error& error) {
        return error.text();
    }
}

}  // namespace

TEST_CASE("the items and the MD5 of an export are checked however its scan is stopped") {
    for (const Stops stops : {Stops::never, Stops::same_reader, Stops::other_reader}) {
        CAPTURE(static_cast<int>(stops));
        CHECK(scan(World{rows_count}, stops) == rows_count);
        CHECK(complaint(World{rows_count + 1}, stops) ==
              "a data file of the export has another number of items than its manifest says");
        CHECK(complaint(World{rows_count - 1}, stops) ==
              "a data file of the export has another number of items than its manifest says");
        CHECK(complaint(World{rows_count, false}, stops) ==
              "a data file of the export has another MD5 than its manifest says");
    }
}

TEST_CASE("the first row of an export tells of what kind the keys of its table are") {
    World world{rows_count};
    const TableSchema schema{"Users", {"pk"}, {Kind::text}};
    CHECK(world.open()->table("Users") == schema);
    CHECK(world.open()->tables() == std::vector<TableSchema>{schema});
    const std::unique_ptr<FilesReader> reader = world.open();
    std::filesystem::remove(world.folder.path("Users/data/a.json.gz"));
    CHECK(reader->table("Users") == TableSchema{"Users", {"pk"}});
    CHECK(world.open()->table("Users") == TableSchema{"Users", {"pk"}});
}

TEST_CASE("an export says of when its rows are, and is another store at another time") {
    const World world{rows_count};
    const auto reader = world.open();
    CHECK(reader->as_of_ms("Users") == 1795989600000);
    const Bytes before = reader->identity();
    world.folder.file("Users/manifest-summary.json",
                      "{\"outputFormat\":\"DYNAMODB_JSON\",\"itemCount\":40,"
                      "\"exportTime\":\"2026-11-29T23:00:00.000Z\"}");
    CHECK(world.open()->identity() != before);
}

TEST_CASE("an export whose manifests change while it is read is not complete") {
    const World world{rows_count};
    const auto reader = world.open();
    world.folder.file("Users/data/b.json.gz", gzip(""));
    CountingSink sink{false};
    CHECK_THROWS_AS(reader->scan("Users", reader->split("Users", 1).at(0), {}, sink), Error);
}

TEST_CASE("MD5 is that of RFC 1321") {
    CHECK(to_hex(md5_of("")) == "d41d8cd98f00b204e9800998ecf8427e");
    Md5 md5;
    md5.add("message ");
    md5.add("digest");
    CHECK(to_hex(md5.finish()) == "f96b697d7cb7938d525a2f31aaf161d0");
}
