// Promised: a database that some other application wrote is audited by a spec alone, repaired in
// place, and put back byte by byte.
// Method: databases written with RocksDB alone, in layouts that are in use, with drift made by
// hand; the built program as a shell runs it; then every key and value is compared.

#include <catch2/catch.hpp>

#include "../store/raw_layouts.hpp"
#include "run_program.hpp"

namespace idxfsck::reports {
namespace {

using store::Bytes;
using store::big_endian;
using store::of_hex;
using store::RawDatabase;
using Contents = std::map<Bytes, Bytes>;

struct Shop {
    TemporaryFolder folder;

    Shop(const std::string& spec, const std::map<std::string, Contents>& families,
         const rocksdb::Options& options = {}) {
        folder.write("shop.toml", spec + "\n[limits]\ndeletes_share_max = 1.0\n");
        std::vector<std::string> names;
        for (const auto& [name, contents] : families) names.push_back(name);
        RawDatabase database{folder.file("data"), options, names};
        for (const auto& [name, contents] : families) {
            for (const auto& [key, value] : contents) database.put(name, key, value);
        }
    }

    Ran run(const std::vector<std::string>& words) const {
        RunSettings here;
        here.folder = folder.path();
        const Ran ran = run_idxfsck(words, here);
        INFO(ran.out << ran.error);
        CHECK(ran.status >= 0);
        return ran;
    }

    Contents all(const std::string& family, const rocksdb::Options& options = {}) const {
        return RawDatabase{folder.file("data"), options}.all(family);
    }
};

bool has(const std::string& text, const std::string& part) {
    UNSCOPED_INFO("looking for: " << part << "\nin: " << text);
    return text.find(part) != std::string::npos;
}

// Audit, plan, repair: afterwards `family` holds `mended`, an audit is clean, and undo puts back
// `drifted`.
void check_mending(const Shop& shop, const std::string& family, const Contents& drifted,
                   const Contents& mended) {
    CHECK(shop.run({"plan", "shop.audit"}).status == 4);
    CHECK(shop.run({"repair", "shop.audit/plan.ndjson"}).status == 4);
    CHECK(shop.all(family) == drifted);
    const Ran repaired = shop.run({"repair", "shop.audit/plan.ndjson", "--apply"});
    CHECK(has(repaired.out, "all read back"));
    CHECK(shop.all(family) == mended);
    const Ran again = shop.run({"audit", "shop.toml", "--out", "again"});
    CHECK(again.status == 0);
    CHECK(has(again.out, "CONSISTENT: 1 index, nothing differs"));
    CHECK(has(shop.run({"undo", "shop.audit/journal.ndjson", "--apply"}).out, "UNDONE"));
    CHECK(shop.all(family) == drifted);
}

const char* const txindex_spec = R"([store.chain]
kind = "rocksdb_raw"
path = "data"

[store.chain.tables.Transactions]
prefix = "r"
key    = { name = "Hash", as = "hex" }
value  = [ { name = "File", varint = "bitcoin" }, { name = "Block", varint = "bitcoin" },
           { name = "Body", length = 2, order = "little", as = "hex" } ]

[store.chain.tables.TxIndex]
prefix = "t"
key    = { name = "Hash", bytes = 32, as = "hex" }
value  = [ { name = "File", varint = "bitcoin" }, { name = "Block", varint = "bitcoin" } ]

[base.transaction]
store = "chain"
table = "Transactions"
key   = ["Hash"]

[[index]]
name    = "tx"
of      = "transaction"
store   = "chain"
table   = "TxIndex"
key     = { Hash = "{Hash}" }
copies  = { File = "{File}", Block = "{Block}" }
)";

TEST_CASE("a transaction index with varints and binary hashes is audited and mended") {
    const auto hash = [](char byte) { return Bytes(32, byte); };
    const Bytes body = of_hex("0200beef");
    // 300 is 81 2c in Bitcoin's varint: (1 + 1) << 7 | 0x2c.
    const Bytes file_2_block_300 = of_hex("02812c");
    const Contents drifted{
        {"r" + hash(1), of_hex("0105") + body},
        {"r" + hash(2), file_2_block_300 + body},
        {"r" + hash(3), of_hex("0307") + body},
        {"t" + hash(1), of_hex("0105")},
        {"t" + hash(3), of_hex("0308")},
        {"t" + hash(9), of_hex("0901")},
        {"B", "the best block, which is of no table"},
    };
    const Shop shop{txindex_spec, {{"default", drifted}}};
    const Ran audited = shop.run({"audit", "shop.toml"});
    CHECK(audited.status == 4);
    CHECK(has(audited.out, "tx: 3 findings: 1 orphaned_write, 1 stale_pointer, 1 divergent_copy"));
    CHECK(has(audited.out, "read 2 tables to the end: 6 rows"));
    Contents mended = drifted;
    mended["t" + hash(2)] = file_2_block_300;
    mended["t" + hash(3)] = of_hex("0307");
    mended.erase("t" + hash(9));
    check_mending(shop, "default", drifted, mended);
}

const char* const status_spec = R"([store.jobs]
kind = "rocksdb_raw"
path = "data"

[store.jobs.tables.Jobs]
family = "jobs"
key    = { name = "Id", integer = 8 }
value  = "json"

[store.jobs.tables.ByStatus]
family = "by_status"
key    = [ { name = "Status", end = "hex:00" },
           { name = "Made", integer = 8, complement = true }, { name = "Id", integer = 8 } ]
value  = "empty"

[base.job]
store = "jobs"
table = "Jobs"
key   = ["Id"]

[[index]]
name    = "jobs-by-status"
of      = "job"
store   = "jobs"
table   = "ByStatus"
key     = { Status = "{status|lower}", Made = "{made}", Id = "{Id}" }
)";

Bytes by_status(const Bytes& status, std::uint64_t made, std::uint64_t id) {
    return status + '\0' + big_endian(~made, 8) + big_endian(id, 8);
}

TEST_CASE("an index of keys alone, newest first, over JSON rows is audited and mended") {
    const Contents jobs{
        {big_endian(1, 8), R"({"status": "Open", "made": 1700000000})"},
        {big_endian(2, 8), R"({"made":1700000001,"status":"done"})"},
        {big_endian(0xffffffffffffffff, 8), R"({"made":5,"status":"open","$ref":{"$oid":"7"}})"},
        {big_endian(4, 8), R"({"made":6})"},
    };
    const Contents drifted{
        {by_status("open", 1700000000, 1), ""},
        {by_status("open", 1700000001, 2), ""},
        {by_status("gone", 1, 77), ""},
    };
    const Shop shop{status_spec, {{"jobs", jobs}, {"by_status", drifted}, {"other", {{"x", "y"}}}}};
    const Ran audited = shop.run({"audit", "shop.toml"});
    CHECK(audited.status == 4);
    CHECK(has(audited.out, "4 findings: 2 orphaned_write, 2 stale_pointer; 1 moved"));
    const Contents mended{
        {by_status("open", 1700000000, 1), ""},
        {by_status("done", 1700000001, 2), ""},
        {by_status("open", 5, 0xffffffffffffffff), ""},
    };
    check_mending(shop, "by_status", drifted, mended);
    CHECK(shop.all("jobs") == jobs);
    CHECK(shop.all("other") == Contents{{"x", "y"}});
}

const char* const email_spec = R"([store.users]
kind = "rocksdb_raw"
path = "data"

[store.users.tables.Users]
prefix = "u:"
key    = { name = "Id" }
value  = "json"

[store.users.tables.Emails]
prefix = "e:"
key    = { name = "Email" }
value  = "json"

[base.user]
store = "users"
table = "Users"
key   = ["Id"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "users"
table   = "Emails"
key     = { Email = "{email|lower}" }
pointer = { id = "{Id}" }
copies  = { name = "{name}" }
unique  = true
)";

TEST_CASE("JSON entries that another program spelled are put back as it spelled them") {
    const Contents drifted{
        {"u:1", R"({"email": "Ann@x.org", "name": "Ann", "age": 4.50})"},
        {"u:2", R"({"email": "bob@x.org", "name": "Bob"})"},
        {"e:ann@x.org", R"({ "name": "\u0041nna", "id": "1" })"},
        {"e:eve@x.org", "{\"name\": \"Eve\",\n \"id\": \"9\"}"},
    };
    const Shop shop{email_spec, {{"default", drifted}}};
    const Ran audited = shop.run({"audit", "shop.toml"});
    CHECK(audited.status == 4);
    CHECK(has(audited.out, "3 findings: 1 orphaned_write, 1 stale_pointer, 1 divergent_copy"));
    Contents mended = drifted;
    mended["e:ann@x.org"] = R"({"id":"1","name":"Ann"})";
    mended["e:bob@x.org"] = R"({"id":"2","name":"Bob"})";
    mended.erase("e:eve@x.org");
    check_mending(shop, "default", drifted, mended);
}

const char* const mixed_spec = R"([store.own]
kind = "rocksdb"
path = "own"

[store.others]
kind = "rocksdb_raw"
path = "data"

[store.others.tables.Ranks]
key   = [ { name = "Rank", integer = 4 }, { name = "Id" , rest = true } ]
value = [ { name = "Points", varint = true }, { name = "Extra", as = "json", rest = true } ]

[base.player]
store = "own"
table = "Players"
key   = ["Id"]

[[index]]
name    = "ranks"
of      = "player"
store   = "others"
table   = "Ranks"
key     = { Rank = "{rank}", Id = "{Id}" }
copies  = { Points = "{points}", Extra = "{extra}" }
)";

TEST_CASE("a repair from another store is undone although its numbers change their kinds") {
    const Shop shop{mixed_spec, {{"default", {{big_endian(3, 4) + "z", of_hex("05") + "null"}}}}};
    shop.folder.write("players.ndjson",
                      "{\"Id\":\"a\",\"rank\":{\"$int32\":7},\"points\":{\"$int64\":\"300\"},"
                      "\"extra\":[{\"$int32\":1}]}\n"
                      "{\"Id\":\"b\",\"rank\":8.0,\"points\":1e2,\"extra\":\"x\"}\n");
    CHECK(shop.run({"load", "own", "Players", "players.ndjson", "--key", "Id"}).status == 0);
    CHECK(shop.run({"audit", "shop.toml"}).status == 4);
    const Contents drifted = shop.all("default");
    const Contents mended{{big_endian(7, 4) + "a", of_hex("ac02") + "[1]"},
                          {big_endian(8, 4) + "b", of_hex("64") + "\"x\""}};
    check_mending(shop, "default", drifted, mended);
}

TEST_CASE("a row that does not fit its layout is damage, and the answer is not clean") {
    const Contents contents{
        {"u:1", R"({"email": "ann@x.org", "name": "Ann"})"},
        {"u:2", "not JSON"},
        {"u:\xff\xfe", R"({"email": "x"})"},
        {"e:ann@x.org", R"({"id":"1","name":"Ann"})"},
    };
    const Shop shop{email_spec, {{"default", contents}}};
    const Ran audited = shop.run({"audit", "shop.toml"});
    CHECK(audited.status == 8);
    CHECK(audited.out.find('\xff') == std::string::npos);
}

TEST_CASE("a repair of a database that its application has open is refused") {
    const Contents contents{{"u:1", R"({"email": "ann@x.org", "name": "Ann"})"},
                            {"e:eve@x.org", R"({"id":"9","name":"Eve"})"}};
    const Shop shop{email_spec, {{"default", contents}}};
    RawDatabase application{shop.folder.file("data"), {}};
    CHECK(shop.run({"audit", "shop.toml"}).status == 4);
    CHECK(shop.run({"plan", "shop.audit"}).status == 4);
    const Ran refused = shop.run({"repair", "shop.audit/plan.ndjson", "--apply"});
    CHECK(refused.status == 8);
    CHECK(has(refused.error, "the store is open for writing in another process"));
    CHECK(application.all() == contents);
}

TEST_CASE("a raw store is dumped by its spec, and nothing is loaded into it") {
    const Contents contents{{"u:1", R"({"name": "Ann", "email": "ann@x.org"})"}};
    const Shop shop{email_spec, {{"default", contents}}};
    const Ran dumped = shop.run({"dump", "users", "Users", "--spec", "shop.toml"});
    CHECK(dumped.status == 0);
    CHECK(dumped.out == "{\"Id\":\"1\",\"email\":\"ann@x.org\",\"name\":\"Ann\"}\n");
    const Ran unknown = shop.run({"dump", "user", "Users", "--spec", "shop.toml"});
    CHECK(unknown.status == 16);
    CHECK(has(unknown.error, "the spec declares no such store"));
    shop.folder.write("rows.ndjson", "{\"Id\":\"2\"}\n");
    const Ran loaded = shop.run({"load", "data", "Users", "rows.ndjson", "--key", "Id"});
    CHECK(loaded.status == 16);
    CHECK(has(loaded.error, "this RocksDB database is not a store of this tool"));
    CHECK(shop.all("default") == contents);
}

}  // namespace
}  // namespace idxfsck::reports
