// Writes the tables of the benchmarks: users and their index by e-mail address, with differences
// that are known.
//
// make_tables store FOLDER ROWS ORPHANED STALE    an embedded store, and the answer key beside it
// make_tables ndjson|csv TABLE ROWS ORPHANED STALE PART PARTS    one part of one table, to stdout
//
// Rows are those of `idxfsck seed`, cut to six attributes, so that a row is about as long as the
// ones that the goals were set with: 197 bytes of DynamoDB JSON for a user, 86 for an entry. All
// forms hold the same rows. In files they lie in an order that has nothing to do with any key, as
// in an export of a table that is spread by hash.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fixtures/random.hpp"
#include "fixtures/seed_rows.hpp"
#include "fixtures/seed_tables.hpp"
#include "fixtures/store_tables.hpp"
#include "store/error.hpp"
#include "store/json/byte_sink.hpp"
#include "store/json/row_writer.hpp"

namespace {

using namespace idxfsck;

constexpr std::size_t buffer_bytes_max = 1 << 20;

struct Row {
    store::Key key;
    std::vector<store::NamedValue> attributes;
};

struct World {
    fixtures::SeedOptions options;
    std::vector<fixtures::Fault> faults;

    const fixtures::SeedIndex& index() const { return *options.indexes.front(); }
};

World make_world(char** words) {
    World world;
    world.options.rows = std::strtoull(words[0], nullptr, 10);
    world.options.indexes = {fixtures::seed_index("unique")};
    world.options.drift = {
        {fixtures::DriftKind::orphaned_write, std::strtoull(words[1], nullptr, 10)},
        {fixtures::DriftKind::base_missing, std::strtoull(words[2], nullptr, 10)}};
    world.faults = choose_faults(world.options);
    return world;
}

const fixtures::Fault* fault_of(const World& world, std::uint64_t row) {
    const auto found = std::lower_bound(
        world.faults.begin(), world.faults.end(), row,
        [](const fixtures::Fault& fault, std::uint64_t wanted) { return fault.row < wanted; });
    return found != world.faults.end() && found->row == row ? &*found : nullptr;
}

Row user_of(const World& world, std::uint64_t number) {
    using store::Value;
    const fixtures::Person person = fixtures::make_person(world.options.seed, number);
    return {{Value::text(person.user_id)},
            {{"City", Value::text(person.city)},
             {"CreatedAt", Value::text(person.created_at)},
             {"Email", Value::text(person.email)},
             {"Name", Value::text(person.name)},
             {"Plan", Value::text(person.plan)}}};
}

template <typename Take>
void each_row(const World& world, bool base, std::uint64_t number, const Take& take) {
    if (base) return take(user_of(world, number));
    for (fixtures::SeedEntry& entry :
         held_entries(world.options, world.index(), number, fault_of(world, number))) {
        take(Row{std::move(entry.key), std::move(entry.attributes)});
    }
}

store::TableSchema schema_of(const World& world, bool base) {
    if (base) return fixtures::schema_of(fixtures::SeedBase::users);
    return {store::Bytes{world.index().table}, world.index().key};
}

void print(store::BytesView bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()) return;
    std::fprintf(stderr, "make_tables: cannot write\n");
    std::exit(8);
}

class NdjsonPrinter {
public:
    explicit NdjsonPrinter(const store::TableSchema& schema)
        : writer_{store::Shape::dynamodb, schema.key} {}

    void append(store::Bytes& out, const Row& row) {
        const std::vector<store::ValueView> key(row.key.begin(), row.key.end());
        writer_.append(out, key, store::encode_attributes(row.attributes));
    }

private:
    store::RowWriter writer_;
};

class CsvPrinter {
public:
    explicit CsvPrinter(const store::TableSchema& schema) : schema_{schema} {}

    void append(store::Bytes& out, const Row& row) {
        if (!has_header_) append_header(out, row);
        bool first = true;
        for (const store::Value& part : row.key) append_field(out, part.payload, first);
        for (const auto& [name, value] : row.attributes) append_field(out, value.payload, first);
        out += '\n';
    }

private:
    void append_header(store::Bytes& out, const Row& row) {
        bool first = true;
        for (const store::Bytes& name : schema_.key) append_field(out, name, first);
        for (const auto& [name, value] : row.attributes) append_field(out, name, first);
        out += '\n';
        has_header_ = true;
    }

    static void append_field(store::Bytes& out, store::BytesView field, bool& first) {
        if (!first) out += ',';
        first = false;
        if (field.find_first_of(",\"\r\n") == store::BytesView::npos) {
            out += field;
            return;
        }
        out += '"';
        for (const char letter : field) out.append(letter == '"' ? 2 : 1, letter);
        out += '"';
    }

    const store::TableSchema& schema_;
    bool has_header_ = false;
};

template <typename Printer>
void print_part(const World& world, bool base, std::uint64_t part, std::uint64_t parts) {
    const store::TableSchema schema = schema_of(world, base);
    const fixtures::Shuffle order{world.options.rows, base ? 1U : 2U};
    Printer printer{schema};
    store::Bytes buffer;
    const std::uint64_t end = world.options.rows * (part + 1) / parts;
    for (std::uint64_t place = world.options.rows * part / parts; place < end; ++place) {
        each_row(world, base, order.at(place),
                 [&](const Row& row) { printer.append(buffer, row); });
        if (buffer.size() < buffer_bytes_max) continue;
        print(buffer);
        buffer.clear();
    }
    print(buffer);
}

void write_store(const World& world, const std::string& folder) {
    fixtures::StoreTables tables{folder + "/store"};
    for (const bool base : {true, false}) {
        tables.begin_table(schema_of(world, base));
        for (std::uint64_t number = 0; number < world.options.rows; ++number) {
            each_row(world, base, number, [&](const Row& row) {
                tables.row({row.key, store::encode_attributes(row.attributes), {}});
            });
        }
        tables.end_table();
    }
    const std::unique_ptr<store::ByteSink> key = store::open_sink(folder + "/expected.ndjson");
    key->write(expected_findings(world.options, world.faults));
    key->finish();
}

int usage() {
    std::fprintf(stderr, "make_tables store FOLDER ROWS ORPHANED STALE\n"
                         "make_tables ndjson|csv TABLE ROWS ORPHANED STALE PART PARTS\n");
    return 16;
}

int run(int count, char** words) {
    const std::string form = count > 1 ? words[1] : "";
    if (form == "store" && count == 6) {
        write_store(make_world(words + 3), words[2]);
        return 0;
    }
    if ((form != "ndjson" && form != "csv") || count != 8) return usage();
    const World world = make_world(words + 3);
    const bool base = std::string{words[2]} == "Users";
    const std::uint64_t part = std::strtoull(words[6], nullptr, 10);
    const std::uint64_t parts = std::strtoull(words[7], nullptr, 10);
    if (form == "csv") {
        print_part<CsvPrinter>(world, base, part, parts);
    } else {
        print_part<NdjsonPrinter>(world, base, part, parts);
    }
    return std::fflush(stdout) == 0 ? 0 : 8;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(count, words);
    } catch (const store::Error& error) {
        std::fprintf(stderr, "make_tables: %s\n", error.what());
        return 8;
    }
}
