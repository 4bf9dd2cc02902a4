// Promised: a database is read as some other application set it up, and written to only if its
// options can be kept; what stands in the way is named before anything is changed.
// Method: databases made with RocksDB alone.

#include <catch2/catch.hpp>

#include <rocksdb/compaction_filter.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include "raw_world.hpp"

using namespace idxfsck::store;

namespace {

class LastByteFirst : public rocksdb::Comparator {
public:
    int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
        return turned(a).compare(turned(b));
    }
    const char* Name() const override { return "shop.LastByteFirst"; }
    void FindShortestSeparator(std::string*, const rocksdb::Slice&) const override {}
    void FindShortSuccessor(std::string*) const override {}

private:
    static std::string turned(const rocksdb::Slice& key) {
        const std::string text = key.ToString();
        return {text.rbegin(), text.rend()};
    }
};

class Append : public rocksdb::AssociativeMergeOperator {
public:
    bool Merge(const rocksdb::Slice&, const rocksdb::Slice* before, const rocksdb::Slice& operand,
               std::string* after, rocksdb::Logger*) const override {
        *after = (before != nullptr ? before->ToString() : "") + operand.ToString();
        return true;
    }
    const char* Name() const override { return "shop.Append"; }
};

class KeepAll : public rocksdb::CompactionFilterFactory {
public:
    std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
        const rocksdb::CompactionFilter::Context&) override {
        return nullptr;
    }
    const char* Name() const override { return "shop.KeepAll"; }
};

}  // namespace

TEST_CASE("a comparator that is not RocksDB's own is refused by its name") {
    static const LastByteFirst comparator;
    const World world;
    rocksdb::Options options;
    options.comparator = &comparator;
    RawDatabase{world.path, options}.put("default", "ab", "1");
    const auto before = files_of(world.path);
    const std::string reading = refusal([&] { RawReader{world.path, one_table()}; });
    CHECK(has(reading, "usage: the database sorts its keys by a comparator that is not RocksDB's "
                       "own: comparator=shop.LastByteFirst"));
    CHECK(has(refusal([&] { RawStore{world.path, one_table()}; }), "shop.LastByteFirst"));
    CHECK(files_of(world.path) == before);
}

TEST_CASE("a merge operator that is not RocksDB's own is in the way only where it is needed") {
    const World world;
    rocksdb::Options options;
    options.merge_operator = std::make_shared<Append>();
    {
        RawDatabase database{world.path, options};
        database.put("default", "a", "1");
    }
    CHECK(keys_of(RawReader{world.path, one_table()}) == std::vector<Bytes>{"a"});
    const auto before = files_of(world.path);
    CHECK(has(refusal([&] { RawStore{world.path, one_table()}; }), "MergeOperator: shop.Append"));
    CHECK(files_of(world.path) == before);
    {
        RawDatabase database{world.path, options};
        database.merge("b", "2");
        database.put("default", "c", "3");
    }
    const RawReader reader{world.path, one_table()};
    const std::string scanned = refusal([&] {
        conformance::Collector all;
        reader.scan("t", reader.split("t", 1).at(0), {}, all);
    });
    CHECK(has(scanned, "a row holds operands of a merge operator that is not RocksDB's own"));
    CHECK(has(scanned, "shop.Append"));
    CHECK_FALSE(has(scanned, "usage"));
    const std::vector<Key> keys{{Value::text("b")}};
    CHECK(has(refusal([&] { reader.read("t", keys); }), "shop.Append"));
    const std::vector<Key> others{{Value::text("a")}, {Value::text("c")}};
    CHECK(reader.read("t", others).at(1)->attribute("v")->payload == "3");
}

TEST_CASE("operands of a foreign merge operator are told of wherever they lie") {
    const World world;
    rocksdb::Options options;
    options.merge_operator = std::make_shared<Append>();
    for (const bool in_files : {false, true}) {
        CAPTURE(in_files);
        {
            RawDatabase database{world.path, options};
            database.merge("b", "2");
            database.put("default", "c", "3");
            if (in_files) database.flush();
        }
        const RawReader reader{world.path, one_table()};
        CHECK(has(refusal([&] {
                      conformance::Collector all;
                      reader.scan("t", reader.split("t", 1).at(0), {}, all);
                  }),
                  "operands of a merge operator"));
    }
}

TEST_CASE("keys with timestamps are refused by the name of their comparator") {
    const World world;
    rocksdb::Options options;
    REQUIRE(rocksdb::Comparator::CreateFromString({}, "leveldb.BytewiseComparator.u64ts",
                                                  &options.comparator)
                .ok());
    RawDatabase{world.path, options};
    CHECK(has(refusal([&] { RawReader{world.path, one_table()}; }),
              "comparator=leveldb.BytewiseComparator.u64ts"));
}

TEST_CASE("RocksDB's own merge operators are applied") {
    const World world;
    rocksdb::Options options;
    REQUIRE(rocksdb::MergeOperator::CreateFromString({}, "stringappend", &options.merge_operator)
                .ok());
    {
        RawDatabase database{world.path, options};
        database.merge("a", "1");
        database.merge("a", "2");
    }
    CHECK(rows_of(RawReader{world.path, one_table()}).at(0).attribute("v")->payload == "1,2");
    RawStore store{world.path, one_table()};
    CHECK(store.write(insert("b", "3")) == WriteOutcome::applied);
    CHECK(keys_of(store) == std::vector<Bytes>{"a", "b"});
}

TEST_CASE("a compaction filter that is not RocksDB's own stands in the way of writing alone") {
    const World world;
    rocksdb::Options options;
    options.compaction_filter_factory = std::make_shared<KeepAll>();
    RawDatabase{world.path, options}.put("default", "a", "1");
    CHECK(keys_of(RawReader{world.path, one_table()}) == std::vector<Bytes>{"a"});
    CHECK(has(refusal([&] { RawStore{world.path, one_table()}; }),
              "usage: the database is set up with what is not RocksDB's own: it can be audited, "
              "not repaired"));
}

TEST_CASE("writing keeps the options of the database, to the last one") {
    const World world;
    rocksdb::Options options;
    options.compression = rocksdb::kZSTD;
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(1));
    options.memtable_prefix_bloom_size_ratio = 0.1;
    options.write_buffer_size = 1 << 20;
    options.max_open_files = 77;
    options.persist_stats_to_disk = true;
    options.level_compaction_dynamic_level_bytes = true;
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(12));
    table.whole_key_filtering = false;
    table.index_type = rocksdb::BlockBasedTableOptions::kHashSearch;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    {
        RawDatabase database{world.path, options, {"more"}};
        for (const Bytes key : {"a1", "b1", "c1"}) database.put("default", key, "v");
        database.flush();
        database.put("more", "x", "y");
    }
    const std::string before = options_of(world.path);
    {
        RawStore store{world.path, one_table()};
        CHECK(store.write(insert("b2", "w")) == WriteOutcome::applied);
        store.sync();
        CHECK(keys_of(store) == std::vector<Bytes>{"a1", "b1", "b2", "c1"});
    }
    CHECK(options_of(world.path) == before);
    CHECK(has(before, "compression=kZSTD"));
    CHECK(keys_of(RawReader{world.path, one_table()}) ==
          std::vector<Bytes>{"a1", "b1", "b2", "c1"});
    RawDatabase database{world.path, options, {"more"}};
    CHECK(database.all("more") == std::map<Bytes, Bytes>{{"x", "y"}});
}

TEST_CASE("without a file of its options a database is read, and not written to") {
    const World world;
    RawDatabase{world.path, {}}.put("default", "a", "1");
    for (const auto& entry : files::directory_iterator{world.path}) {
        if (entry.path().filename().string().starts_with("OPTIONS-")) files::remove(entry.path());
    }
    CHECK(keys_of(RawReader{world.path, one_table()}) == std::vector<Bytes>{"a"});
    CHECK(has(refusal([&] { RawStore{world.path, one_table()}; }),
              "usage: the database has no file of its options"));
}

TEST_CASE("an option that this RocksDB does not know stands in the way of writing alone") {
    const World world;
    RawDatabase{world.path, {}}.put("default", "a", "1");
    for (const auto& entry : files::directory_iterator{world.path}) {
        if (!entry.path().filename().string().starts_with("OPTIONS-")) continue;
        std::string text = options_of(world.path);
        text.insert(text.find("  max_open_files"), "  later_option=7\n");
        const std::string version = "rocksdb_version=";
        text.insert(text.find(version) + version.size(), "9");
        std::ofstream{entry.path(), std::ios::binary} << text;
    }
    CHECK(keys_of(RawReader{world.path, one_table()}) == std::vector<Bytes>{"a"});
    const std::string refused = refusal([&] { RawStore{world.path, one_table()}; });
    CHECK(has(refused, "usage: the options of the database are not all known here"));
    CHECK(has(refused, "later_option"));
}
