// Walking a table file by file (store/rocksdb/sorted_run.hpp). Promised: the rows are those that
// the database gives, whatever the range; a table that is not one run of files has no pieces; a
// file that is gone is walked through the database. Method: three loads of three ranges of keys.

#include <catch2/catch.hpp>

#include <filesystem>

#include "conformance.hpp"
#include "scratch_folder.hpp"
#include "store/key_codec.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"
#include "store/rocksdb/row_format.hpp"
#include "store/rocksdb/table_access.hpp"
#include "store/rocksdb/table_load.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace files = std::filesystem;

namespace {

const TableSchema schema{"t", {"id"}};

Row make_row(int number) {
    return {{Value::int32(number)}, encode_attributes({{"v", Value::text("x")}}), {}};
}

void load(const std::string& path, LoadMode mode, int begin, int end) {
    RocksdbStore store{path};
    TableLoad one{store, schema, mode};
    for (int number = begin; number < end; ++number) one.add(make_row(number));
    one.commit();
}

// Rows 0 to 299, in three files.
struct World {
    World() {
        create_store(path);
        load(path, LoadMode::create, 0, 100);
        load(path, LoadMode::append, 100, 200);
        load(path, LoadMode::append, 200, 300);
    }

    const ScratchFolder folder;
    const std::string path = folder.path() + "/store";
};

Bytes key_of(int number) { return encode_key(make_row(number).key); }

// How the table lies, and how many of its pieces can be walked in their file.
struct Pieces {
    std::vector<RunPiece> all;
    std::size_t opened = 0;
};

Pieces pieces_of(const std::string& path, const KeyRange& range) {
    const auto database = Database::open_for_reading(path);
    for (const auto& [name, family] : database->families()) {
        if (name == "default") continue;
        Pieces out{database->run(family)->pieces(range)};
        for (const RunPiece& piece : out.all) {
            if (database->run(family)->open(piece)) ++out.opened;
        }
        return out;
    }
    return {};
}

// The numbers of the rows of a scan that stops at each page and is resumed there.
std::vector<std::int64_t> numbers(const Reader& reader, std::size_t partitions) {
    std::vector<std::int64_t> out;
    for (const Partition& partition : reader.split("t", partitions)) {
        for (const Row& row : rows_in(reader, "t", partition)) {
            out.push_back(row.key[0].view().as_integer());
        }
    }
    return out;
}

std::vector<std::int64_t> first_numbers(std::int64_t count) {
    std::vector<std::int64_t> out;
    for (std::int64_t number = 0; number < count; ++number) out.push_back(number);
    return out;
}

}  // namespace

TEST_CASE("a table of three loads is walked in three files, with every row once and in order") {
    const World world;
    const Pieces whole = pieces_of(world.path, {});
    REQUIRE(whole.all.size() == 3);
    REQUIRE(whole.opened == 3);
    const RocksdbReader reader{world.path};
    for (const std::size_t partitions : {1U, 2U, 7U, 64U}) {
        CAPTURE(partitions);
        REQUIRE(numbers(reader, partitions) == first_numbers(300));
    }
}

TEST_CASE("a range is cut where files meet, and nowhere else") {
    const World world;
    const auto files_in = [&](int begin, int end, bool after) {
        return pieces_of(world.path, {key_of(begin), key_of(end), after}).all.size();
    };
    CHECK(files_in(0, 100, false) == 1);
    CHECK(files_in(0, 101, false) == 2);
    CHECK(files_in(99, 201, false) == 3);
    CHECK(files_in(99, 201, true) == 3);
    CHECK(files_in(100, 200, false) == 1);
    CHECK(files_in(250, 260, false) == 1);
    const auto pieces = pieces_of(world.path, {key_of(50), key_of(150), true}).all;
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0].range == KeyRange{key_of(50), key_of(100), true});
    CHECK(pieces[1].range == KeyRange{key_of(100), key_of(150), false});
}

TEST_CASE("a table with rows outside its files is walked through the database") {
    const World world;
    {
        const auto database = Database::open_for_writing(world.path);
        for (const auto& [name, family] : database->families()) {
            if (name == "default") continue;
            Bytes value;
            append_row_value(value, "1", encode_attributes({}));
            REQUIRE(database->db().Put({}, family, key_of(300), value).ok());
        }
    }
    const Pieces pieces = pieces_of(world.path, {});
    REQUIRE(pieces.all.size() == 1);
    REQUIRE(pieces.all[0].file.empty());
    const RocksdbReader reader{world.path};
    REQUIRE(numbers(reader, 3) == first_numbers(301));
}

TEST_CASE("a table whose files overlap is walked through the database") {
    const World world;
    const auto database = Database::open_for_writing(world.path);
    for (const auto& [name, family] : database->families()) {
        if (name == "default") continue;
        REQUIRE(database->db().Delete({}, family, key_of(7)).ok());
        REQUIRE(database->db().Flush({}, family).ok());
    }
    const Pieces pieces = pieces_of(world.path, {});
    REQUIRE(pieces.all.size() == 1);
    REQUIRE(pieces.all[0].file.empty());
    std::vector<std::int64_t> expected = first_numbers(300);
    expected.erase(expected.begin() + 7);
    REQUIRE(numbers(RocksdbReader{world.path}, 2) == expected);
}

TEST_CASE("files that a compaction has taken away are walked through the database") {
    const World world;
    const RocksdbReader reader{world.path};
    std::size_t removed = 0;
    for (const auto& file : files::directory_iterator{world.path}) {
        if (file.path().extension() == ".sst") removed += files::remove(file.path()) ? 1 : 0;
    }
    REQUIRE(removed >= 3);
    REQUIRE(numbers(reader, 2) == first_numbers(300));
}
