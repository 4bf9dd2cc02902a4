// The bytes of the embedded store are those of store/rocksdb/FORMAT.md: a later version must read
// what this one wrote.

#include <catch2/catch.hpp>

#include "conformance.hpp"
#include "scratch_folder.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"
#include "store/rocksdb/table_load.hpp"

using namespace idxfsck::store;

namespace {

const char* const catalog_value = "02743101026964";
const char* const row_key = "0775310001";
const char* const row_value = "0103312e3103616765030428000000046e616d650703416e6e";

Bytes from_hex(std::string_view digits) {
    Bytes out;
    for (std::size_t index = 0; index + 1 < digits.size(); index += 2) {
        out.push_back(static_cast<char>(std::stoi(Bytes{digits.substr(index, 2)}, nullptr, 16)));
    }
    return out;
}

Row ann() {
    return {{Value::text("u1")},
            encode_attributes({{"age", Value::int32(40)}, {"name", Value::text("Ann")}}),
            "1.1"};
}

}  // namespace

TEST_CASE("what is written has the bytes of the format page") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/store";
    create_store(path);
    {
        RocksdbStore store{path};
        TableLoad load{store, {"user", {"id"}}, LoadMode::create};
        load.add(ann());
        load.commit();
    }
    const auto database = Database::open_for_reading(path);
    Bytes value;
    REQUIRE(database->db().Get({}, "table/user", &value).ok());
    REQUIRE(to_hex(value) == catalog_value);
    REQUIRE(database->db().Get({}, database->family("t1"), from_hex(row_key), &value).ok());
    REQUIRE(to_hex(value) == row_value);
    REQUIRE(database->db().Get({}, "format", &value).ok());
    REQUIRE(value == "\x01");
}

TEST_CASE("the bytes of the format page are read") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/store";
    create_store(path);
    {
        const auto database = Database::open_for_writing(path);
        Family* const family = database->add_family("t1");
        REQUIRE(database->db().Put({}, "table/user", from_hex(catalog_value)).ok());
        REQUIRE(database->db().Put({}, "an unknown key", "is ignored").ok());
        REQUIRE(database->db().Put({}, family, from_hex(row_key), from_hex(row_value)).ok());
    }
    const RocksdbReader reader{path};
    REQUIRE(reader.tables() == std::vector<TableSchema>{{"user", {"id"}}});
    const std::vector<Key> key{{Value::text("u1")}};
    REQUIRE(reader.read("user", key).at(0) == ann());
}
