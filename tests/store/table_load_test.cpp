// Loads into the embedded store (store/rocksdb/table_load.hpp). Promised: all rows or none, in any
// order; a key that comes twice is an error that names it; nothing stays behind of a load that
// ends early. Method: small loads through budgets so small that rows go through many sorted runs.

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <random>

#include "conformance.hpp"
#include "scratch_folder.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"
#include "store/rocksdb/table_load.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace {

const TableSchema schema{"t", {"id"}};

Row make_row(int number, int value) {
    return {{Value::int32(number)}, encode_attributes({{"v", Value::int32(value)}}), {}};
}

// The values by key, as a reader sees them.
std::vector<std::pair<int, int>> content(const Reader& reader) {
    std::vector<std::pair<int, int>> out;
    for (const Row& row : rows_in(reader, "t", reader.split("t", 1).at(0))) {
        out.emplace_back(row.key[0].view().as_integer(), row.attribute("v")->as_integer());
    }
    return out;
}

void load(RocksdbStore& store, LoadMode mode, const std::vector<Row>& rows,
          std::size_t memory = TableLoad::memory_bytes_default) {
    TableLoad one{store, schema, mode, memory};
    for (const Row& row : rows) one.add(row);
    REQUIRE(one.rows() == rows.size());
    one.commit();
}

std::string key_of_error(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        for (const auto& [name, value] : error.fields()) {
            if (name == "key") return value;
        }
    }
    return "no error";
}

using Content = std::vector<std::pair<int, int>>;

struct World {
    World() { create_store(path); }
    const ScratchFolder folder;
    const std::string path = folder.path() + "/store";
};

}  // namespace

TEST_CASE("rows come in any order and are there after the commit") {
    const World world;
    RocksdbStore store{world.path};
    std::vector<Row> rows;
    for (int number = 0; number < 2000; ++number) rows.push_back(make_row(number, -number));
    std::mt19937 random{7};
    for (const std::size_t memory : {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 20}) {
        std::shuffle(rows.begin(), rows.end(), random);
        const std::vector<Row> some{rows.begin(), rows.begin() + (memory == 1 ? 40 : 2000)};
        load(store, LoadMode::replace, some, memory);
        REQUIRE(plain(rows_in(store, "t", store.split("t", 1).at(0))) == plain(some));
    }
}

TEST_CASE("a load shows at its commit, in one step, and a reader keeps its view") {
    const World world;
    RocksdbStore store{world.path};
    RocksdbReader before{world.path};
    TableLoad first{store, schema, LoadMode::create};
    first.add(make_row(1, 1));
    REQUIRE_FALSE(store.table("t"));
    first.commit();
    REQUIRE_FALSE(before.table("t"));
    RocksdbReader between{world.path};
    load(store, LoadMode::replace, {make_row(2, 2)});
    REQUIRE(content(between) == Content{{1, 1}});
    REQUIRE(content(store) == Content{{2, 2}});
    between.refresh();
    REQUIRE(content(between) == Content{{2, 2}});
}

TEST_CASE("modes are held to what is there") {
    const World world;
    RocksdbStore store{world.path};
    REQUIRE_THROWS_AS(load(store, LoadMode::append, {}), Error);
    load(store, LoadMode::create, {});
    REQUIRE(content(store).empty());
    load(store, LoadMode::create, {make_row(1, 1), make_row(3, 3)});
    REQUIRE_THROWS_AS(load(store, LoadMode::create, {make_row(2, 2)}), Error);
    REQUIRE(content(store) == Content{{1, 1}, {3, 3}});
    load(store, LoadMode::append, {make_row(4, 4), make_row(2, 2)});
    REQUIRE(content(store) == Content{{1, 1}, {2, 2}, {3, 3}, {4, 4}});
    load(store, LoadMode::append, {});
    REQUIRE(content(store).size() == 4);
    const auto other_key = [&] { TableLoad{store, {"t", {"other"}}, LoadMode::append}; };
    REQUIRE_THROWS_AS(other_key(), Error);
    const auto no_key = [&] { TableLoad{store, {"u", {}}, LoadMode::create}; };
    REQUIRE_THROWS_AS(no_key(), Error);
    load(store, LoadMode::replace, {});
    REQUIRE(content(store).empty());
}

TEST_CASE("an append of a row that is there changes nothing, also beside rows that were written") {
    const World world;
    RocksdbStore store{world.path};
    load(store, LoadMode::create, {make_row(1, 1)});
    const GuardedWrite write{"t", {Value::int32(5)}, ExpectAbsent{}, make_row(5, 5), {}};
    REQUIRE(store.write(write) == WriteOutcome::applied);
    for (const int present : {1, 5}) {
        const auto append = [&] {
            load(store, LoadMode::append, {make_row(0, 0), make_row(present, 9)});
        };
        REQUIRE(key_of_error(append) == std::to_string(present));
        REQUIRE(content(store) == Content{{1, 1}, {5, 5}});
    }
    // What is appended lies over what was deleted before.
    GuardedWrite erase = write;
    erase.expected = ExpectAttributes{};
    erase.after.reset();
    REQUIRE(store.write(erase) == WriteOutcome::applied);
    load(store, LoadMode::append, {make_row(5, 6)});
    REQUIRE(content(store) == Content{{1, 1}, {5, 6}});
}

TEST_CASE("a key that comes twice is named, in one run or across runs") {
    const World world;
    RocksdbStore store{world.path};
    for (const std::size_t memory : {std::size_t{200}, std::size_t{1} << 20}) {
        const auto twice = [&] {
            std::vector<Row> rows;
            for (int number = 0; number < 100; ++number) rows.push_back(make_row(number, 1));
            rows.push_back(make_row(42, 2));
            load(store, LoadMode::create, rows, memory);
        };
        REQUIRE(key_of_error(twice) == "42");
        REQUIRE_FALSE(store.table("t"));
    }
    // 1 and 1.0 are one key.
    const auto spelt = [&] {
        load(store, LoadMode::create,
             {{{Value::number("1")}, {}, {}}, {{Value::number("1.0")}, {}, {}}});
    };
    REQUIRE(key_of_error(spelt) == "1");
}

TEST_CASE("rows that cannot be are refused") {
    const World world;
    RocksdbStore store{world.path};
    TableLoad one{store, schema, LoadMode::create};
    REQUIRE_THROWS_AS(one.add({{Value::int32(1), Value::int32(2)}, {}, {}}), Error);
    REQUIRE_THROWS_AS(one.add({{Value::list({})}, {}, {}}), Error);
    REQUIRE_THROWS_AS(one.add({{Value::int32(1)}, "no attribute", {}}), Error);
}

TEST_CASE("a load that is dropped leaves nothing") {
    const World world;
    RocksdbStore store{world.path};
    load(store, LoadMode::create, {make_row(1, 1)});
    {
        TableLoad dropped{store, schema, LoadMode::replace, 100};
        for (int number = 0; number < 100; ++number) dropped.add(make_row(number, number));
        REQUIRE_FALSE(std::filesystem::is_empty(world.path + "/loading"));
    }
    REQUIRE(std::filesystem::is_empty(world.path + "/loading"));
    REQUIRE(content(store) == Content{{1, 1}});
}

TEST_CASE("what a killed load left is gone after the next opening for writing") {
    const World world;
    {
        RocksdbStore store{world.path};
        load(store, LoadMode::create, {make_row(1, 1)});
    }
    {
        // As if killed between taking over the files and the write of the catalog.
        const auto database = Database::open_for_writing(world.path);
        Family* const family = database->add_family("t2");
        REQUIRE(database->db().Put({}, family, "key", "value").ok());
        std::filesystem::create_directories(world.path + "/loading/1");
    }
    REQUIRE(content(RocksdbReader{world.path}) == Content{{1, 1}});
    RocksdbStore store{world.path};
    REQUIRE_FALSE(std::filesystem::exists(world.path + "/loading"));
    REQUIRE(content(store) == Content{{1, 1}});
    load(store, LoadMode::replace, {make_row(2, 2)});
    REQUIRE(content(store) == Content{{2, 2}});
}

TEST_CASE("tables are made, dropped and made again, and rows outlive the process") {
    const World world;
    {
        RocksdbStore store{world.path};
        store.create_table(schema);
        REQUIRE_THROWS_AS(store.create_table(schema), Error);
        REQUIRE(content(store).empty());
        REQUIRE(store.drop_table("t"));
        REQUIRE_FALSE(store.drop_table("t"));
        REQUIRE_FALSE(store.table("t"));
        store.create_table(schema);
        const GuardedWrite write{"t", {Value::int32(1)}, ExpectAbsent{}, make_row(1, 7), {}};
        REQUIRE(store.write(write) == WriteOutcome::applied);
        store.sync();
    }
    RocksdbStore store{world.path};
    REQUIRE(content(store) == Content{{1, 7}});
    REQUIRE(store.tables() == std::vector<TableSchema>{schema});
}

TEST_CASE("versions are new across processes") {
    const World world;
    Bytes before;
    for (int round = 0; round < 3; ++round) {
        RocksdbStore store{world.path};
        load(store, LoadMode::replace, {make_row(1, 1)});
        const std::vector<Key> key{{Value::int32(1)}};
        const Bytes version = store.read("t", key)[0]->version;
        REQUIRE(version == std::to_string(round + 1) + ".1");
        REQUIRE(version != before);
        before = version;
    }
}
