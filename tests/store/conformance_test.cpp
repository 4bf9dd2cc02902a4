// The store contract, tried on every store: the memory store in each of its characters, and the
// embedded store and databases of others through a writer and a reader beside an open writer.

#include <catch2/catch.hpp>

#include "conformance.hpp"
#include "raw_subject.hpp"
#include "scratch_folder.hpp"
#include "store/key_codec.hpp"
#include "store/memory/memory_store.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"
#include "store/rocksdb/table_load.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace {

class MemorySubject : public Subject {
public:
    explicit MemorySubject(const Capabilities& capabilities) : store_{capabilities} {}

    Store& writer() override { return store_; }
    Reader& reader() override { return store_; }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        store_.create_table(schema);
        for (const Row& row : rows) store_.put(schema.name, row);
        store_.refresh();
    }

    void damage(BytesView table, const Key& key) override {
        store_.put_bytes(table, encode_key(key), "no attribute");
        store_.refresh();
    }

private:
    MemoryStore store_;
};

class RocksdbSubject : public Subject {
public:
    explicit RocksdbSubject(bool separate) {
        create_store(path());
        writer_ = std::make_unique<RocksdbStore>(path());
        if (separate) reader_ = std::make_unique<RocksdbReader>(path());
    }

    Store& writer() override { return *writer_; }
    Reader& reader() override { return reader_ ? *reader_ : static_cast<Reader&>(*writer_); }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        // A budget so small that the rows are sorted in many runs.
        TableLoad load{*writer_, schema, LoadMode::create, 4096};
        for (const Row& row : rows) load.add(row);
        load.commit();
        reader().refresh();
    }

    // There is no way through the store, so it is closed and opened.
    void damage(BytesView table, const Key& key) override {
        const bool separate = reader_ != nullptr;
        reader_.reset();
        writer_.reset();
        {
            const auto database = Database::open_for_writing(path());
            const Catalog catalog = read_catalog(database->db(), path());
            Family* const family = database->family(catalog.tables.find(table)->second.family);
            REQUIRE(database->db().Put({}, family, encode_key(key), "no row").ok());
        }
        writer_ = std::make_unique<RocksdbStore>(path());
        if (separate) reader_ = std::make_unique<RocksdbReader>(path());
    }

private:
    std::string path() const { return folder_.path() + "/store"; }

    const ScratchFolder folder_;
    std::unique_ptr<RocksdbStore> writer_;
    std::unique_ptr<RocksdbReader> reader_;
};

SubjectKind memory(const std::string& name, const std::function<void(Capabilities&)>& change) {
    Capabilities capabilities = memory_capabilities();
    change(capabilities);
    return {"memory, " + name, [=] { return std::make_unique<MemorySubject>(capabilities); }};
}

std::vector<SubjectKind> kinds() {
    return {
        memory("live, ordered, versions, guards on any row", [](Capabilities&) {}),
        memory("snapshot", [](Capabilities& can) { can.snapshot = true; }),
        memory("no order, no versions, guards on the row alone",
               [](Capabilities& can) {
                   can.order = ScanOrder::none;
                   can.row_versions = false;
                   can.guard = GuardReach::row;
               }),
        memory("order of UTF-16, guards on the partition",
               [](Capabilities& can) {
                   can.order = ScanOrder::by_utf16;
                   can.guard = GuardReach::partition;
               }),
        {"rocksdb, writer", [] { return std::make_unique<RocksdbSubject>(false); }},
        {"rocksdb, reader", [] { return std::make_unique<RocksdbSubject>(true); }},
        {"raw rocksdb, writer", [] { return std::make_unique<RawSubject>(false, false); }},
        {"raw rocksdb, reader", [] { return std::make_unique<RawSubject>(true, false); }},
        {"raw rocksdb, keys in reverse order, reader",
         [] { return std::make_unique<RawSubject>(true, true); }},
    };
}

void for_each_kind(void (*check)(Subject&)) {
    for (const SubjectKind& kind : kinds()) {
        CAPTURE(kind.name);
        const std::unique_ptr<Subject> subject = kind.make();
        check(*subject);
    }
}

}  // namespace

TEST_CASE("a store names its tables and itself") { for_each_kind(check_tables); }

TEST_CASE("however a table is cut, each row is seen once") {
    for_each_kind(check_scan_sees_each_row_once);
}

TEST_CASE("a scan goes on from each position that it gave") {
    for_each_kind(check_resume_from_every_position);
}

TEST_CASE("what is left after each position can be cut again") {
    for_each_kind(check_split_rest_at_every_position);
}

TEST_CASE("a page ends where the sink was told, and a stopped scan goes on there") {
    for_each_kind(check_pages);
}

TEST_CASE("tokens that the store did not make are refused or harmless") {
    for_each_kind(check_foreign_tokens);
}

TEST_CASE("a scan cuts rows to the projection, and lets the sink's errors through") {
    for_each_kind(check_projection);
}

TEST_CASE("bytes that are no row are told, not skipped and not read") {
    for_each_kind(check_damage_is_told);
}

TEST_CASE("reads answer in order, for keys of every kind") { for_each_kind(check_read); }

TEST_CASE("a scan keeps the order that the store claims") { for_each_kind(check_order); }

TEST_CASE("a write happens if the row is as expected, and then once") {
    for_each_kind(check_every_expectation);
}

TEST_CASE("a write happens if the guards on other rows hold") { for_each_kind(check_guards); }

TEST_CASE("a write that makes no sense is an error and changes nothing") {
    for_each_kind(check_refused_writes);
}

TEST_CASE("of several writes each comes to what it would come to by itself") {
    for_each_kind(check_write_all);
}

TEST_CASE("a version is new with every write, also after a delete") {
    for_each_kind(check_versions);
}

TEST_CASE("a store foretells how a row will be read back") { for_each_kind(check_as_stored); }

TEST_CASE("a reader with a snapshot sees one moment, without one the last write") {
    for_each_kind(check_view);
}

TEST_CASE("of ten racing inserts one is applied") { for_each_kind(check_racing_inserts); }

TEST_CASE("racing counters lose no step") { for_each_kind(check_racing_counters); }

TEST_CASE("two guarded deletes cannot both win") { for_each_kind(check_no_write_skew); }

TEST_CASE("the memory store plays key limits") {
    Capabilities capabilities = memory_capabilities();
    KeyLimits& limits = capabilities.key_limits;
    limits.bytes_max = 8;
    limits.characters_max = 4;
    limits.empty_text = false;
    limits.null = false;
    limits.forbidden = "/#";
    limits.control_characters = false;
    MemoryStore store{capabilities};
    store.create_table({"t", {"id"}});
    struct Example {
        Value key;
        bool right;
    };
    for (const auto& [key, right] : std::initializer_list<Example>{
             {Value::text("abcd"), true},
             {Value::text("abcde"), false},
             {Value::text("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"), true},
             {Value::text("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), true},
             {Value::text("\xf0\x9f\x98\x80" "abc"), false},
             {Value::binary("123456789"), false},
             {Value::binary("12345678"), true},
             {Value::text(""), false},
             {Value::null(), false},
             {Value::text("a/b"), false},
             {Value::binary("a/b"), true},
             {Value::text("a\tb"), false},
             {Value::text("a\xc2\x85"), false},
             {Value::text("a\xc2\xa0"), true},
         }) {
        CAPTURE(to_hex(key.payload));
        const GuardedWrite write{"t", {key}, ExpectAbsent{}, Row{{key}, "", ""}, {}};
        if (right) {
            REQUIRE(store.write(write) == WriteOutcome::applied);
        } else {
            REQUIRE_THROWS(store.write(write));
        }
    }
}

TEST_CASE("the order of UTF-16 differs from that of bytes, and the memory store plays it") {
    Capabilities capabilities = memory_capabilities();
    capabilities.order = ScanOrder::by_utf16;
    MemoryStore store{capabilities};
    store.create_table({"t", {"id"}});
    // U+FF5E is EF BD 9E and FF5E; U+1F600 is F0 9F 98 80 and D83D DE00.
    store.put("t", {{Value::text("\xef\xbd\x9e")}, "", ""});
    store.put("t", {{Value::text("\xf0\x9f\x98\x80")}, "", ""});
    const std::vector<Row> rows = rows_in(store, "t", store.split("t", 1).at(0));
    REQUIRE(rows.at(0).key == Key{Value::text("\xf0\x9f\x98\x80")});
    REQUIRE(rows.at(1).key == Key{Value::text("\xef\xbd\x9e")});
}
