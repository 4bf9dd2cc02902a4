// Loads and dumps (store/json/load.hpp, load_rocksdb.hpp, dump.hpp). Promised: what was loaded is
// dumped again, value by value; a load that fails leaves nothing behind and names file and line; a
// dump that fails leaves the file that was there. Method: small files; then two tables written by
// other people's libraries, compared line by line as JSON documents.

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "json_lines.hpp"
#include "store/error.hpp"
#include "store/json/dump.hpp"
#include "store/json/load_rocksdb.hpp"
#include "store/memory/memory_store.hpp"
#include "store/open.hpp"

using namespace idxfsck::store;

namespace {

// Puts the rows of a load into a memory store.
class MemoryLoad : public RowAcceptor {
public:
    MemoryLoad(MemoryStore& store, BytesView table) : store_{store}, table_{table} {}

    void accept(std::span<const ValueView> key, BytesView attributes) override {
        Row row{{}, Bytes{attributes}, {}};
        for (const ValueView& component : key) row.key.emplace_back(component);
        if (row.key == refused) throw Error{"refused"};
        store_.put(table_, row);
    }

    Key refused;

private:
    MemoryStore& store_;
    Bytes table_;
};

template <typename Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Bytes dump_of(const Reader& reader, BytesView table, Shape shape) {
    MemorySink sink;
    dump_rows(reader, table, shape, sink);
    return sink.bytes();
}

std::vector<nlohmann::json> documents(const Bytes& lines) {
    std::vector<nlohmann::json> out;
    std::istringstream in{lines};
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
    std::sort(out.begin(), out.end());
    return out;
}

// The file, uncompressed.
Bytes lines_of(const std::string& file) {
    InputStream in{file};
    Bytes out;
    std::vector<char> block(input_block_bytes);
    while (const std::size_t size = in.read(block.data(), block.size())) {
        out.append(block.data(), size);
    }
    return out;
}

std::string real_file(const std::string& name) {
    return std::string{IDXFSCK_TESTS_FOLDER} + "/real/" + name;
}

std::unique_ptr<Reader> open_rocksdb(const std::string& path) {
    return open_reader("rocksdb", {{"path", path}}, ".");
}

}  // namespace

TEST_CASE("a load takes rows apart into key and attributes, from several files and shapes") {
    const TestFolder folder;
    const std::string plain = folder.file("a", R"({"x":1,"sort":"s","hash":"h","y":[true]})");
    const std::string dynamodb =
        folder.file("b.gz", gzip(R"({"Item":{"sort":{"NULL":true},"hash":{"N":"1.0"}}})"));
    MemoryStore store;
    store.create_table({"t", {"hash", "sort"}});
    MemoryLoad acceptor{store, "t"};
    std::vector<LoadCount> seen;
    const LoadCount count = load_rows({{plain, dynamodb}, Shape::automatic, {"hash", "sort"}},
                                      acceptor, [&](const LoadCount& at) { seen.push_back(at); });
    CHECK(count.rows == 2);
    CHECK(count.bytes == read_file(plain).size() + read_file(dynamodb).size());
    CHECK(seen.back() == count);
    const std::vector<Row> rows = store.rows("t");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].key == Key{Value::number("1"), Value::null()});
    CHECK(rows[0].attributes.empty());
    CHECK(rows[1].key == Key{Value::text("h"), Value::text("s")});
    CHECK(rows[1].attributes == encode_attributes({{"x", Value::number("1")},
                                                   {"y", Value::list({Value::boolean(true)})}}));
}

TEST_CASE("a row without a key attribute, or with a container in it, is named") {
    const TestFolder folder;
    MemoryStore store;
    store.create_table({"t", {"hash", "sort"}});
    MemoryLoad acceptor{store, "t"};
    const auto refusal = [&](const Bytes& line) {
        const std::string file = folder.file("rows", "{\"hash\":1,\"sort\":2}\n" + line);
        return error_of([&] {
            load_rows({{file}, Shape::plain, {"hash", "sort"}}, acceptor);
        });
    };
    CHECK(contains(refusal(R"({"hash":1})"),
                   "line=2 column=1 cause=a key attribute is missing attribute=sort"));
    CHECK(contains(refusal(R"({"sort":1,"hash":[1]})"),
                   "line=2 column=18 cause=a key attribute that is a list, map or set "
                   "attribute=hash detail=list"));
    acceptor.refused = {Value::number("7"), Value::number("8")};
    CHECK(contains(refusal(R"({"sort":8,"hash":7})"), "refused: file="));
    CHECK(contains(refusal(R"({"sort":8,"hash":7})"), " line=2"));
    CHECK(contains(error_of([&] { load_rows({{}, Shape::plain, {}}, acceptor); }), "no key"));
    CHECK(contains(error_of([&] { load_rows({{}, Shape::plain, {"a", "a"}}, acceptor); }),
                   "named twice: attribute=a"));
}

TEST_CASE("a dump gives the rows in order of key, and loads again as they were") {
    const TestFolder folder;
    MemoryStore store;
    store.create_table({"t", {"id"}});
    store.put("t", {{Value::text("b")}, encode_attributes({{"a", Value::int32(1)}}), {}});
    store.put("t", {{Value::text("a")}, encode_attributes({{"z", Value::number("1.0")}}), {}});
    store.put("t", {{Value::null()}, {}, {}});
    const Bytes dump = dump_of(store, "t", Shape::plain);
    CHECK(dump == "{\"id\":null}\n"
                  "{\"id\":\"a\",\"z\":1.0}\n"
                  "{\"a\":{\"$int32\":1},\"id\":\"b\"}\n");

    MemoryStore again;
    again.create_table({"t", {"id"}});
    MemoryLoad acceptor{again, "t"};
    load_rows({{folder.file("rows", dump)}, Shape::automatic, {"id"}}, acceptor);
    CHECK(dump_of(again, "t", Shape::plain) == dump);

    CHECK(contains(error_of([&] { dump_of(store, "t", Shape::dynamodb); }),
                   "key=[\"b\"] attribute=a kind=int32 cause=the shape has no such type"));
    CHECK(contains(error_of([&] { dump_of(store, "none", Shape::plain); }), "table=none"));
    store.put_bytes("t", "\xff", "");
    CHECK(contains(error_of([&] { dump_of(store, "t", Shape::plain); }), "damaged"));
}

TEST_CASE("tables written by other people's libraries come back as they were") {
    struct Table {
        const char* file;
        Shape shape;
        std::vector<Bytes> key;
        std::uint64_t rows;
    };
    const std::vector<Table> tables{
        {"auth-azure.ndjson.gz", Shape::azure, {"PartitionKey", "RowKey"}, 6'090},
        {"onetable.ndjson.gz", Shape::dynamodb, {"pk", "sk"}, 2'996}};
    for (const Table& table : tables) {
        INFO(table.file);
        const TestFolder folder;
        const std::string path = folder.path("store");
        const std::string file = real_file(table.file);
        const LoadCount count =
            load_into_rocksdb({path, "t"}, {{file}, Shape::automatic, table.key});
        CHECK(count.rows == table.rows);
        const auto reader = open_rocksdb(path);
        const std::vector<nlohmann::json> before = documents(lines_of(file));
        CHECK(before.size() == table.rows);
        CHECK((documents(dump_of(*reader, "t", table.shape)) == before));

        const std::string plain = folder.path("plain.ndjson.gz");
        dump_rows(*reader, "t", Shape::plain, *open_sink(plain));
        load_into_rocksdb({path, "again"}, {{plain}, Shape::plain, table.key});
        const auto both = open_rocksdb(path);
        CHECK(dump_of(*both, "again", table.shape) == dump_of(*both, "t", table.shape));
    }
}

TEST_CASE("a load that fails leaves nothing of itself behind") {
    const TestFolder folder;
    const std::string path = folder.path("store");
    const std::string good = folder.file("good", "{\"id\":1}\n{\"id\":2}\n");
    const std::string bad = folder.file("bad", "{\"id\":3}\n{\"id\":4\n");
    const std::string twice = folder.file("twice", "{\"id\":5}\n{\"id\":5.0}\n");
    const Bytes two_rows = "{\"id\":1}\n{\"id\":2}\n";
    const auto failure = [&](LoadMode mode, const std::vector<std::string>& files) {
        const LoadRequest request{files, Shape::plain, {"id"}};
        return error_of([&] { load_into_rocksdb({path, "t", mode}, request); });
    };

    CHECK(contains(failure(LoadMode::create, {good, bad}), "file=" + bad + " line=2 "));
    CHECK(contains(failure(LoadMode::create, {good, folder.path("none")}), "No such file"));
    CHECK(folder.names() == std::vector<std::string>{"bad", "good", "twice"});

    std::filesystem::create_directory(path);
    failure(LoadMode::create, {bad});
    CHECK(std::filesystem::is_empty(path));

    load_into_rocksdb({path, "t"}, {{good}, Shape::plain, {"id"}});
    for (const LoadMode mode : {LoadMode::replace, LoadMode::append}) {
        CHECK(contains(failure(mode, {bad}), "line=2"));
        CHECK(contains(failure(mode, {twice}), "key="));
        CHECK(dump_of(*open_rocksdb(path), "t", Shape::plain) == two_rows);
    }
    CHECK(contains(failure(LoadMode::create, {good}), "has rows already"));
    CHECK(contains(failure(LoadMode::append, {good}), "is in the table already"));
    CHECK(dump_of(*open_rocksdb(path), "t", Shape::plain) == two_rows);
}

TEST_CASE("append adds to a table, replace leaves the new rows alone, and both know its key") {
    const TestFolder folder;
    const std::string path = folder.path("store");
    const auto load = [&](LoadMode mode, const Bytes& rows, std::vector<Bytes> key) {
        load_into_rocksdb({path, "t", mode},
                          {{folder.file("rows", rows)}, Shape::plain, std::move(key)});
        return dump_of(*open_rocksdb(path), "t", Shape::plain);
    };
    CHECK(load(LoadMode::create, "{\"id\":1}", {"id"}) == "{\"id\":1}\n");
    CHECK(load(LoadMode::append, "{\"id\":0}", {}) == "{\"id\":0}\n{\"id\":1}\n");
    CHECK(load(LoadMode::replace, "{\"id\":2}", {}) == "{\"id\":2}\n");
    CHECK(contains(error_of([&] { load(LoadMode::append, "{\"x\":3}", {"x"}); }), "another key"));
}

TEST_CASE("a file takes its name when it is finished, and belongs to its owner") {
    const TestFolder folder;
    const std::string path = folder.file("rows.gz", "old");
    {
        const auto sink = open_sink(path);
        sink->write("{\"a\":1}\n");
    }
    CHECK(read_file(path) == "old");
    CHECK(folder.names() == std::vector<std::string>{"rows.gz"});
    const auto sink = open_sink(path);
    const Bytes rows(1'000'000, '7');
    sink->write("{");
    sink->write(rows);
    sink->finish();
    CHECK(lines_of(path) == "{" + rows);
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
    CHECK(folder.names() == std::vector<std::string>{"rows.gz"});
}

TEST_CASE("a full disk, a missing folder and a closed pipe are errors") {
    const TestFolder folder;
    const auto write_to = [](const std::string& file) {
        return error_of([&] {
            const auto sink = open_sink(file);
            sink->write(Bytes(1'000'000, 'x'));
            sink->finish();
        });
    };
    CHECK(contains(write_to("/dev/full"), "file=/dev/full cause=No space left on device"));
    CHECK(write_to("/dev/null") == "no error");
    CHECK(contains(write_to(folder.path("none/rows")), "cause=No such file or directory"));
}
