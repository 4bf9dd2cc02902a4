// Promised: a table of another application that is too large to count is cut into parts that hold
// every row once and about as much each, whichever way the database sorts, and whatever else lies
// in the family.
// Method: 12,000 rows between rows of two other tables, in each order.

#include <catch2/catch.hpp>

#include <set>

#include "conformance.hpp"
#include "raw_layouts.hpp"
#include "scratch_folder.hpp"
#include "store/rocksdb/raw_reader.hpp"

using namespace idxfsck::store;
using conformance::Collector;

namespace {

constexpr int rows_count = 12'000;

RawTables tables() {
    RawTable table;
    table.name = "t";
    table.prefix = "m";
    table.key = {integer_field("n", 4)};
    table.value = {rest_field("v")};
    return {table};
}

void fill(const std::string& path, const rocksdb::Options& options) {
    RawDatabase database{path, options};
    for (int number = 0; number < rows_count; ++number) {
        const auto key = big_endian(static_cast<std::uint64_t>(number) * 2654435761u % 4294967291u,
                                    4);
        database.put("default", "m" + key, Bytes(40, 'v'));
        if (number % 10 == 0) database.put("default", "a" + key, "before");
        if (number % 10 == 0) database.put("default", "z" + key, "behind");
        if (number == rows_count / 2) database.flush();
    }
    database.flush();
}

}  // namespace

TEST_CASE("a large table of others is cut into parts of about one size") {
    for (const bool reverse : {false, true}) {
        CAPTURE(reverse);
        const ScratchFolder folder;
        rocksdb::Options options;
        if (reverse) options.comparator = rocksdb::ReverseBytewiseComparator();
        fill(folder.path() + "/database", options);
        const RawReader reader{folder.path() + "/database", tables()};
        const std::vector<Partition> parts = reader.split("t", 8);
        CHECK(parts.size() == 8);
        std::set<Bytes> keys;
        std::size_t seen = 0;
        for (const Partition& part : parts) {
            Collector all;
            REQUIRE(reader.scan("t", part, {}, all) == ScanEnd::complete);
            CHECK(all.damaged_keys.empty());
            CHECK(all.rows.size() > rows_count / 8 / 2);
            CHECK(all.rows.size() < rows_count / 8 * 2);
            seen += all.rows.size();
            for (const Row& row : all.rows) keys.insert(row.key[0].payload);
        }
        CHECK(seen == rows_count);
        CHECK(keys.size() == rows_count);
        // What is left after the first page of the whole can be cut again.
        Collector page{1};
        const Partition whole = reader.split("t", 1).at(0);
        REQUIRE(reader.scan("t", whole, {}, page) == ScanEnd::stopped);
        std::size_t rest = 0;
        for (const Partition& part : reader.split_rest("t", whole, page.pages[0].position)) {
            rest += conformance::rows_in(reader, "t", part).size();
        }
        CHECK(rest + page.rows.size() == rows_count);
    }
}
