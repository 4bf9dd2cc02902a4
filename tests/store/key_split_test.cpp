// Cutting a table of the embedded store into parts of equal weight (store/rocksdb/key_split.hpp).
// Promised: parts of many rows weigh about the same, whatever the keys look like and wherever the
// rows lie, on disk or still in memory. Method: tables of 60,000 rows with keys that are hard to
// cut, counted part by part.

#include <catch2/catch.hpp>

#include <random>

#include "scratch_folder.hpp"
#include "store/key_codec.hpp"
#include "store/rocksdb/key_split.hpp"
#include "store/rocksdb/table_load.hpp"

using namespace idxfsck::store;

namespace {

constexpr int rows_count = 60'000;
const TableSchema schema{"t", {"id"}};

class Counter : public RowSink {
public:
    void row(const RowView&) override { ++rows; }
    bool page_end(const Position&) override { return true; }
    std::size_t rows = 0;
};

std::vector<std::size_t> part_sizes(const Reader& reader, std::size_t target) {
    std::vector<std::size_t> out;
    for (const Partition& partition : reader.split("t", target)) {
        Counter counter;
        reader.scan("t", partition, {}, counter);
        out.push_back(counter.rows);
    }
    return out;
}

void check_even(const Reader& reader) {
    for (const std::size_t target : {2, 8, 20}) {
        const std::vector<std::size_t> sizes = part_sizes(reader, target);
        CAPTURE(target, sizes);
        REQUIRE(sizes.size() == target);
        std::size_t sum = 0;
        for (const std::size_t size : sizes) {
            REQUIRE(size < 2 * rows_count / target);
            sum += size;
        }
        REQUIRE(sum == rows_count);
    }
}

Bytes value_of(std::mt19937& random) {
    Bytes noise(80, ' ');
    for (char& byte : noise) byte = static_cast<char>(random());
    return encode_attributes({{"noise", Value::binary(noise)}});
}

using KeyOf = std::function<Value(int, std::mt19937&)>;

void load(RocksdbStore& store, const KeyOf& key_of) {
    std::mt19937 random{11};
    TableLoad load{store, schema, LoadMode::create};
    for (int number = 0; number < rows_count; ++number) {
        load.add({{key_of(number, random)}, value_of(random), {}});
    }
    load.commit();
}

}  // namespace

TEST_CASE("the middle of two keys lies between them") {
    REQUIRE(middle_key("a", "c").starts_with("b"));
    REQUIRE(middle_key("user/1000", "user/2000").starts_with("user/1"));
    REQUIRE(middle_key("a", "a") == "a");
    std::mt19937 random{3};
    for (int round = 0; round < 5000; ++round) {
        Bytes low(random() % 12, '\0');
        Bytes high(random() % 12, '\0');
        for (Bytes* const key : {&low, &high}) {
            for (char& byte : *key) {
                byte = static_cast<char>(random() % 2 ? random() : random() % 2);
            }
        }
        if (low >= high) continue;
        const Bytes middle = middle_key(low, high);
        REQUIRE((middle == low || (low < middle && middle <= high)));
    }
}

TEST_CASE("parts are even for counting keys, random keys, and keys that share a long prefix") {
    const Bytes prefix(200, 'p');
    const std::vector<KeyOf> shapes{
        [](int number, std::mt19937&) { return Value::int64(number); },
        [](int number, std::mt19937& random) {
            return Value::text(std::to_string(random()) + "/" + std::to_string(number));
        },
        [&](int number, std::mt19937&) { return Value::text(prefix + std::to_string(number)); },
        // One row in a thousand far from the others.
        [](int number, std::mt19937&) {
            return number % 1000 == 0 ? Value::text("z" + std::to_string(number))
                                      : Value::text("a/b/c/d/e/f/" + std::to_string(number));
        },
    };
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
        CAPTURE(shape);
        const ScratchFolder folder;
        create_store(folder.path() + "/store");
        RocksdbStore store{folder.path() + "/store"};
        load(store, shapes[shape]);
        check_even(store);
    }
}

// The store only guesses how much lies where until it has written its files, so the parts need not
// be even.
TEST_CASE("rows that are still in memory are cut into parts that hold each once") {
    const ScratchFolder folder;
    create_store(folder.path() + "/store");
    {
        RocksdbStore store{folder.path() + "/store"};
        store.create_table(schema);
    }
    const auto database = Database::open_for_writing(folder.path() + "/store");
    Family* const family = database->family("t1");
    std::mt19937 random{5};
    for (int number = 0; number < rows_count; ++number) {
        const std::vector<Value> key{Value::int64(number)};
        const Bytes value = Bytes("\x01\0", 2) + value_of(random);
        REQUIRE(database->db().Put({}, family, encode_key(key), value).ok());
    }
    const TableAccess table{*database, family, schema};
    const std::vector<Partition> parts = table.split(8);
    REQUIRE(parts.size() > 1);
    std::size_t sum = 0;
    for (const Partition& part : parts) {
        Counter counter;
        table.scan(part, {}, counter);
        sum += counter.rows;
    }
    REQUIRE(sum == rows_count);
}
