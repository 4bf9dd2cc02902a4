// Promised: a database of some other application is read as it was at one moment, also beside the
// application and from a checkpoint, and nothing that lies in it is overlooked without a word.
// Method: databases made with RocksDB alone.

#include <catch2/catch.hpp>

#include <rocksdb/utilities/checkpoint.h>

#include "raw_world.hpp"
#include "store/open.hpp"

using namespace idxfsck::store;

TEST_CASE("a database is read while its application has it open, and not changed") {
    const World world;
    RawDatabase database{world.path, {}};
    database.put("default", "a", "1");
    database.flush();
    database.put("default", "b", "2");
    const auto before = files_of(world.path);
    RawReader reader{world.path, one_table()};
    CHECK(keys_of(reader) == std::vector<Bytes>{"a", "b"});
    CHECK(reader.identity().size() == 36);
    database.put("default", "c", "3");
    CHECK(keys_of(reader) == std::vector<Bytes>{"a", "b"});
    reader.refresh();
    CHECK(keys_of(reader) == std::vector<Bytes>{"a", "b", "c"});
    CHECK(files_of(world.path).size() == before.size());
    // Its application holds the lock.
    const std::string refused = refusal([&] { RawStore{world.path, one_table()}; });
    CHECK(has(refused, "the store is open for writing in another process"));
    database.put("default", "d", "4");
}

TEST_CASE("tables share a family by their prefixes, and other keys are of none") {
    const World world;
    {
        RawDatabase database{world.path, {}, {"more"}};
        for (const Bytes key : {"a1", "b1", "b2", "b\xff", "c1", "\xff\xff", "\xff\xff" "1"}) {
            database.put("default", key, "v");
        }
        database.put("more", "b3", "v");
    }
    const RawTables tables{text_table("b", "default", "b"), text_table("m", "more"),
                           text_table("last", "default", "\xff\xff")};
    const RawReader reader{world.path, tables};
    conformance::Collector all;
    CHECK(reader.scan("b", reader.split("b", 4).at(0), {}, all) == ScanEnd::complete);
    CHECK(keys_of(reader, "m") == std::vector<Bytes>{"b3"});
    CHECK(keys_of(reader, "last") == std::vector<Bytes>{"", "1"});
    std::vector<Bytes> damaged;
    std::size_t rows = 0;
    for (const Partition& partition : reader.split("b", 4)) {
        conformance::Collector part;
        reader.scan("b", partition, {}, part);
        rows += part.rows.size();
        damaged.insert(damaged.end(), part.damaged_keys.begin(), part.damaged_keys.end());
    }
    // What is no UTF-8 is of the table, by its prefix, and damaged.
    CHECK(rows == 2);
    CHECK(damaged == std::vector<Bytes>{"b\xff"});
    CHECK(reader.rows_estimate("b") == std::nullopt);
    // A token of the whole family shows no other table's rows.
    conformance::Collector foreign;
    reader.scan("b", reader.split("m", 1).at(0), {}, foreign);
    CHECK(foreign.rows.size() == 2);
}

TEST_CASE("a checkpoint is read, and keeps its name between two looks") {
    const World world;
    const std::string copy = world.folder.path() + "/checkpoint";
    {
        RawDatabase database{world.path, {}};
        database.put("default", "a", "1");
        rocksdb::Checkpoint* made = nullptr;
        REQUIRE(rocksdb::Checkpoint::Create(&database.db(), &made).ok());
        REQUIRE(made->CreateCheckpoint(copy).ok());
        delete made;
        database.put("default", "b", "2");
    }
    const auto before = files_of(copy);
    const RawReader reader{copy, one_table()};
    CHECK(keys_of(reader) == std::vector<Bytes>{"a"});
    CHECK(reader.identity() == RawReader{copy, one_table()}.identity());
    CHECK(reader.identity() != RawReader{world.path, one_table()}.identity());
    CHECK(files_of(copy) == before);
    CHECK(has(refusal([&] { RawStore{copy, one_table(), true}; }),
              "usage: a checkpoint is audited, not repaired"));
}

TEST_CASE("a log in another folder is not overlooked") {
    const World world;
    rocksdb::Options options;
    options.wal_dir = world.folder.path() + "/log";
    RawDatabase database{world.path, options};
    database.put("default", "a", "1");
    CHECK(has(refusal([&] { RawReader{world.path, one_table()}; }),
              "usage: the database keeps its log in another folder"));
    const std::string copy = world.folder.path() + "/checkpoint";
    rocksdb::Checkpoint* made = nullptr;
    REQUIRE(rocksdb::Checkpoint::Create(&database.db(), &made).ok());
    REQUIRE(made->CreateCheckpoint(copy).ok());
    delete made;
    const Settings settings{{"path", copy}, {"checkpoint", "true"}};
    const auto reader = open_reader("rocksdb_raw", settings, ".", one_table());
    CHECK(keys_of(*reader) == std::vector<Bytes>{"a"});
    CHECK(has(refusal([&] {
                  open_reader("rocksdb_raw", {{"path", copy}, {"checkpoint", "yes"}}, ".");
              }),
              "usage: a setting of a store is neither true nor false"));
}

TEST_CASE("a log that is damaged in its middle is an error, not an older view") {
    const World world;
    RawDatabase database{world.path, {}};
    database.put("default", "a", Bytes(1000, 'x'));
    database.put("default", "b", "2");
    for (const auto& entry : files::directory_iterator{world.path}) {
        if (entry.path().extension() != ".log") continue;
        std::fstream log{entry.path(), std::ios::binary | std::ios::in | std::ios::out};
        log.seekp(500);
        log.put('y');
    }
    CHECK(has(refusal([&] { RawReader{world.path, one_table()}; }), "the store is damaged"));
}

TEST_CASE("a family that is not there is named, with those that are") {
    const World world;
    RawDatabase{world.path, {}, {"blocks", "peers"}}.put("blocks", "a", "1");
    const RawTables tables{text_table("t", "block")};
    try {
        RawReader{world.path, tables};
        FAIL("opened");
    } catch (const Error& error) {
        CHECK(error.trouble() == Trouble::usage);
        CHECK(has(error.what(), "the database has no such column family"));
        CHECK(error.hint() == "it has: default, blocks, peers");
    }
}

TEST_CASE("values in blob files are read after the application has collected them") {
    const World world;
    rocksdb::Options options;
    options.enable_blob_files = true;
    options.enable_blob_garbage_collection = true;
    options.blob_garbage_collection_age_cutoff = 1.0;
    RawDatabase database{world.path, options};
    const Bytes large(5000, 'x');
    database.put("default", "a", large);
    database.flush();
    const RawReader reader{world.path, one_table()};
    database.put("default", "a", "small");
    database.flush();
    REQUIRE(database.db().CompactRange({}, nullptr, nullptr).ok());
    CHECK(rows_of(reader).at(0).attribute("v")->payload == large);
}

TEST_CASE("a foreign row that does not fit the layout is not written over") {
    const World world;
    RawDatabase{world.path, {}}.put("default", "a", "\xff");
    RawStore store{world.path, one_table()};
    GuardedWrite write = insert("a", "1");
    CHECK_THROWS_AS(store.write(write), Error);
    const Key key{Value::text("\xff")};
    CHECK_FALSE(store.read("t", {&key, 1}).at(0));
    write = insert("\xff", "1");
    CHECK(has(refusal([&] { store.write(write); }), "no room for this row"));
}
