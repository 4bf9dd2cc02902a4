// Opening the embedded store (store/rocksdb/database.hpp, store/open.hpp). Promised: each trouble
// has its own text and a hint; reading writes nothing into the folder and works beside a writer,
// whose flushes it never half sees; another program's database is left alone. Method: folders that
// hold something else, bytes flipped in files, a second process that holds the lock.

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rocksdb/db.h>

#include "conformance.hpp"
#include "scratch_folder.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/open_writer.hpp"
#include "store/rocksdb/database.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"
#include "store/rocksdb/table_load.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace files = std::filesystem;

namespace {

struct World {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/store";
};

// Text and trouble of the Error that opening gives, and whether there is a hint.
struct Complaint {
    std::string text;
    Trouble trouble = Trouble::could_not_tell;
    bool hint = false;
};

Complaint complaint_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return {error.text(), error.trouble(), !error.hint().empty()};
    }
    return {"no error", Trouble::could_not_tell, false};
}

Complaint complaint_of_reading(const std::string& path) {
    return complaint_of([&] { RocksdbReader{path}; });
}

void fill(const std::string& path, int rows) {
    create_store(path);
    RocksdbStore store{path};
    TableLoad load{store, two_components(), LoadMode::create};
    for (const Row& row : numbered_rows(rows)) load.add(row);
    load.commit();
}

std::vector<std::string> listing(const std::string& path) {
    std::vector<std::string> out;
    for (const auto& entry : files::recursive_directory_iterator{path}) {
        const auto time = entry.last_write_time().time_since_epoch().count();
        out.push_back(entry.path().string() + " " + std::to_string(time) + " " +
                      std::to_string(entry.is_regular_file() ? entry.file_size() : 0));
    }
    std::sort(out.begin(), out.end());
    return out;
}

// Overwrites bytes in the middle of each file whose name ends so.
void flip_bytes(const std::string& path, const std::string& ending) {
    for (const auto& entry : files::directory_iterator{path}) {
        if (!entry.path().string().ends_with(ending)) continue;
        std::fstream file{entry.path(), std::ios::in | std::ios::out | std::ios::binary};
        file.seekp(static_cast<std::streamoff>(entry.file_size() / 3));
        file << "these bytes are not what was written";
    }
}

}  // namespace

TEST_CASE("a path without a store says so, and nothing is made there") {
    const World world;
    REQUIRE(complaint_of_reading(world.path).text == "there is no store at this path");
    REQUIRE(complaint_of_reading(world.path).trouble == Trouble::usage);
    REQUIRE(complaint_of_reading(world.path).hint);
    const auto write = [&] { RocksdbStore{world.path}; };
    REQUIRE(complaint_of(write).text == "there is no store at this path");
    REQUIRE_FALSE(files::exists(world.path));
    files::create_directory(world.path);
    REQUIRE(complaint_of_reading(world.path).text == "this is not a store");
    std::ofstream{world.path + "/notes.txt"} << "hello";
    REQUIRE(complaint_of_reading(world.path + "/notes.txt").text == "this is not a store");
    REQUIRE(complaint_of([&] { create_store(world.path); }).trouble == Trouble::usage);
    REQUIRE(listing(world.path).size() == 1);
    create_store(world.folder.path() + "/deep/er");
    REQUIRE(store_exists(world.folder.path() + "/deep/er"));
}

TEST_CASE("another program's database is refused and left as it was") {
    const World world;
    {
        rocksdb::Options options;
        options.create_if_missing = true;
        rocksdb::DB* db = nullptr;
        REQUIRE(rocksdb::DB::Open(options, world.path, &db).ok());
        REQUIRE(db->Put({}, "key", "value").ok());
        delete db;
    }
    const std::vector<std::string> before = listing(world.path);
    const std::string text = "this RocksDB database is not a store of this tool";
    REQUIRE(complaint_of_reading(world.path).text == text);
    REQUIRE(complaint_of([&] { RocksdbStore{world.path}; }).text == text);
    REQUIRE(listing(world.path) == before);
}

TEST_CASE("a store of a later format is refused") {
    const World world;
    create_store(world.path);
    {
        const auto database = Database::open_for_writing(world.path);
        REQUIRE(database->db().Put({}, "format", "\x02").ok());
    }
    REQUIRE(complaint_of_reading(world.path).text ==
            "the store was made by a later version of this tool");
}

TEST_CASE("a damaged catalog is an error, never an empty store") {
    const std::vector<std::pair<std::string, std::string>> records{
        {"identity", "short"}, {"generation", ""}, {"family", "\xff"}, {"table/two", "\x02t1\x05"},
        {"table/x", ""}, {"format", "\x01\x01"}};
    for (const auto& [key, value] : records) {
        CAPTURE(key);
        const World world;
        fill(world.path, 3);
        {
            const auto database = Database::open_for_writing(world.path);
            REQUIRE(database->db().Put({}, key, value).ok());
        }
        REQUIRE(complaint_of_reading(world.path).text == "the catalog of the store is damaged");
        const auto write = [&] { RocksdbStore{world.path}; };
        REQUIRE(complaint_of(write).text == "the catalog of the store is damaged");
    }
}

TEST_CASE("flipped bytes in the rows are found by the scan, not handed over") {
    const World world;
    fill(world.path, 2000);
    flip_bytes(world.path, ".sst");
    const auto scan = [&] {
        const RocksdbReader reader{world.path};
        Collector all;
        reader.scan("two", reader.split("two", 1).at(0), {}, all);
    };
    const Complaint found = complaint_of(scan);
    REQUIRE(found.text == "the store is damaged");
    REQUIRE(found.trouble == Trouble::could_not_tell);
    REQUIRE(found.hint);
}

TEST_CASE("a log of writes that is damaged in its middle is an error, not an older view") {
    const World world;
    fill(world.path, 3);
    {
        RocksdbStore store{world.path};
        for (const Row& row : numbered_rows(500)) {
            const std::vector<Key> keys{row.key};
            const auto before = store.read("two", keys).front();
            Expectation expected = ExpectAbsent{};
            if (before) expected = ExpectRow{*before};
            store.write({"two", row.key, expected, row, {}});
        }
    }
    REQUIRE(complaint_of_reading(world.path).text == "no error");
    flip_bytes(world.path, ".log");
    REQUIRE(complaint_of_reading(world.path).text == "the store is damaged");
    REQUIRE(complaint_of([&] { RocksdbStore{world.path}; }).text == "the store is damaged");
}

TEST_CASE("a cut manifest is damage, in reading and in writing") {
    const World world;
    fill(world.path, 10);
    for (const auto& entry : files::directory_iterator{world.path}) {
        if (entry.path().filename().string().starts_with("MANIFEST")) {
            files::resize_file(entry.path(), 20);
        }
    }
    REQUIRE(complaint_of_reading(world.path).text == "the store is damaged");
}

TEST_CASE("reading leaves the folder as it was") {
    const World world;
    fill(world.path, 100);
    const std::vector<std::string> before = listing(world.path);
    {
        RocksdbReader reader{world.path};
        REQUIRE(rows_in(reader, "two", reader.split("two", 1).at(0)).size() == 100);
        reader.refresh();
    }
    REQUIRE(listing(world.path) == before);
}

TEST_CASE("a store that another process has open for writing can be read but not written") {
    const World world;
    fill(world.path, 5);
    int ready[2];
    int done[2];
    REQUIRE(::pipe(ready) == 0);
    REQUIRE(::pipe(done) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const int lock = ::open((world.path + "/LOCK").c_str(), O_RDWR);
        struct flock whole = {};
        whole.l_type = F_WRLCK;
        char byte = ::fcntl(lock, F_SETLK, &whole) == 0 ? '1' : '0';
        if (::write(ready[1], &byte, 1) != 1 || ::read(done[0], &byte, 1) != 1) ::_exit(1);
        ::_exit(0);
    }
    char byte = '0';
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    REQUIRE(byte == '1');
    const Complaint locked = complaint_of([&] { RocksdbStore{world.path}; });
    const std::size_t rows = rows_in(RocksdbReader{world.path}, "two", {Bytes(1, '\0'), ""}).size();
    REQUIRE(::write(done[1], &byte, 1) == 1);
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    for (const int end : {ready[0], ready[1], done[0], done[1]}) ::close(end);
    REQUIRE(locked.text == "the store is open for writing in another process");
    REQUIRE(locked.hint);
    REQUIRE(rows == 5);
    REQUIRE_NOTHROW(RocksdbStore{world.path});
}

// The writer puts row n into one table and then into the other, and flushes often. Whatever
// the moment, a reader must see the rows 0 to n without a hole, and the second table at most one
// row behind.
TEST_CASE("a reader beside a busy writer sees one whole moment") {
    const World world;
    create_store(world.path);
    const auto database = Database::open_for_writing(world.path);
    {
        rocksdb::WriteBatch batch;
        write_table(batch, {{"a", {"id"}}, "t1"});
        write_table(batch, {{"b", {"id"}}, "t2"});
        REQUIRE(database->db().Write({}, &batch).ok());
    }
    Family* const a = database->add_family("t1");
    Family* const b = database->add_family("t2");
    const std::jthread writer{[&](const std::stop_token& stop) {
        const Bytes value("\x01\0", 2);
        for (int number = 0; !stop.stop_requested(); ++number) {
            const Bytes key = [&] {
                const Row row{{Value::int32(number)}, {}, {}};
                return encode_key(row.key);
            }();
            static_cast<void>(database->db().Put({}, a, key, value));
            static_cast<void>(database->db().Put({}, b, key, value));
            if (number % 500 != 0) continue;
            static_cast<void>(database->db().Flush({}, number % 1000 == 0 ? a : b));
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
    }};
    std::string trouble;
    std::size_t moments = 0;
    std::size_t last = 0;
    for (int round = 0; round < 400 && moments < 8 && trouble.empty(); ++round) {
        const RocksdbReader reader{world.path};
        const std::vector<Row> in_a = rows_in(reader, "a", {Bytes(1, '\0'), ""});
        const std::vector<Row> in_b = rows_in(reader, "b", {Bytes(1, '\0'), ""});
        if (in_a.size() - in_b.size() > 1) trouble = "the second table is behind";
        for (std::size_t index = 0; index < in_a.size(); ++index) {
            const auto number = static_cast<std::size_t>(in_a[index].key[0].view().as_integer());
            if (number != index) trouble = "a row is missing";
        }
        moments += in_a.size() > last ? 1 : 0;
        last = in_a.size();
    }
    REQUIRE(trouble.empty());
    REQUIRE(moments == 8);
}

TEST_CASE("a spec opens a store by kind and settings") {
    const World world;
    fill(world.path, 5);
    const auto reader = open_reader("rocksdb", {{"path", "store"}}, world.folder.path());
    REQUIRE(reader->table("two"));
    REQUIRE(reader->identity().size() == 32);
    const auto by_whole_path = open_reader("rocksdb", {{"path", world.path}}, "/nowhere");
    REQUIRE(by_whole_path->identity() == reader->identity());
    const auto writer = open_writer("rocksdb", {{"path", "store"}}, world.folder.path());
    REQUIRE(writer->identity() == reader->identity());

    const auto complaint = [&](const std::string& kind, const Settings& settings) {
        return complaint_of([&] { open_reader(kind, settings, world.folder.path()); });
    };
    REQUIRE(complaint("rockdb", {{"path", "store"}}).text == "unknown kind of store");
    REQUIRE(complaint("rockdb", {}).hint);
    REQUIRE(complaint("rocksdb", {}).text == "the store has no path");
    REQUIRE(complaint("rocksdb", {{"path", "store"}, {"pth", "x"}}).text ==
            "unknown setting of a store");
    REQUIRE(complaint("rocksdb", {{"path", "none"}}).trouble == Trouble::usage);
    REQUIRE(store_kinds() ==
            std::vector<std::string>{"azure_tables", "dynamodb", "files", "rocksdb",
                                     "rocksdb_raw"});
}

TEST_CASE("two stores have two identities") {
    const World one;
    const World two;
    create_store(one.path);
    create_store(two.path);
    REQUIRE(RocksdbReader{one.path}.identity() != RocksdbReader{two.path}.identity());
}

namespace {

// What the files of all tables keep in memory as long as they are open.
std::uint64_t open_files_bytes(const Database& database) {
    std::uint64_t sum = 0;
    for (const auto& [name, family] : database.families()) {
        std::uint64_t bytes = 0;
        database.db().GetIntProperty(family, rocksdb::DB::Properties::kEstimateTableReadersMem,
                                     &bytes);
        sum += bytes;
    }
    return sum;
}

}  // namespace

TEST_CASE("What a reader keeps of open files does not grow with the rows") {
    const World world;
    constexpr int rows = 20'000;
    fill(world.path, rows);
    const std::uint64_t read = open_files_bytes(*Database::open_for_reading(world.path));
    const std::uint64_t written = open_files_bytes(*Database::open_for_writing(world.path));
    const World small;
    fill(small.path, 10);
    // Ten bits a key.
    CHECK(written >= read + rows * 10 / 8);
    CHECK(read <= open_files_bytes(*Database::open_for_reading(small.path)) + 64);
}
