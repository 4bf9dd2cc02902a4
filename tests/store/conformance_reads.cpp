// What every store promises a reader (store/reader.hpp). Expected rows are those that were put.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "conformance.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::store::conformance {

namespace {

Row make_row(Key key, std::vector<NamedValue> attributes) {
    return {std::move(key), encode_attributes(std::move(attributes)), {}};
}

void append(std::vector<Row>& out, const std::vector<Row>& more) {
    out.insert(out.end(), more.begin(), more.end());
}

}  // namespace

Bytes Subject::raw_key(BytesView, const Key& key) { return encode_key(key); }

std::vector<Row> Subject::key_rows() { return rows_of_every_key_kind(); }

TableSchema Subject::one() const { return one_component(); }

TableSchema Subject::two() const { return two_components(); }

std::vector<Value> Subject::parts() const {
    return {Value::int32(7), Value::number("8.0"), Value::number("9e0")};
}

std::vector<Row> Subject::numbered(int count) const {
    std::vector<Row> out = numbered_rows(count);
    for (Row& row : out) row.key = key(row.key);
    return out;
}

void Collector::row(const RowView& view) {
    Key key;
    for (const ValueView& component : view.key) key.emplace_back(component);
    rows.push_back({std::move(key), Bytes{view.attributes}, Bytes{view.version}});
}

bool Collector::page_end(const Position& position) {
    pages.push_back({position, rows.size()});
    return pages.size() < pages_max_;
}

std::vector<Row> rows_in(const Reader& reader, BytesView table, const Partition& partition,
                         std::optional<Position> resume) {
    Collector all;
    ScanOptions options;
    options.resume = std::move(resume);
    REQUIRE(reader.scan(table, partition, options, all) == ScanEnd::complete);
    return all.rows;
}

std::vector<Row> plain(std::vector<Row> rows) {
    std::multimap<Bytes, Row> sorted;
    for (Row& row : rows) {
        row.version.clear();
        const Bytes place = encode_key(row.key);
        sorted.emplace(place, std::move(row));
    }
    std::vector<Row> out;
    for (auto& [place, row] : sorted) out.push_back(std::move(row));
    return out;
}

std::vector<Row> stored(Subject& subject, BytesView table, std::vector<Row> rows) {
    for (Row& row : rows) row = subject.reader().as_stored(table, row);
    return rows;
}

std::vector<Row> rows_of_every_key_kind() {
    const std::vector<Value> keys{
        Value::null(), Value::boolean(false), Value::boolean(true), Value::int32(-1),
        Value::int32(1), Value::int64(std::numeric_limits<std::int64_t>::min()), Value::int64(1),
        Value::real(1.0), Value::real(-0.0), Value::real(0.0), Value::real(std::nan("")),
        Value::real(-std::numeric_limits<double>::infinity()), Value::number("0"),
        Value::number("-12345678901234567890123456789012345678"), Value::number("1"),
        Value::number("0.5"), Value::text(""), Value::text("1"), Value::text(Bytes(1, '\0')),
        Value::text(Bytes("a\0b", 3)), Value::text("a"), Value::text("\xc3\xa9"),
        Value::text("\xff\xfe"), Value::text(Bytes(2048, 'x')), Value::binary(""),
        Value::binary(Bytes("\0\x01\xff", 3)), Value::date_time(637000000000000001),
        Value::guid("0123456789abcdef")};
    std::vector<Row> out;
    for (const Value& key : keys) {
        out.push_back(make_row({key}, {{"copy", key}, {"list", Value::list({key, key})}}));
    }
    return out;
}

std::vector<Row> numbered_rows(int count) {
    std::vector<Row> out;
    for (int number = 0; number < count; ++number) {
        const Bytes name = "user/" + std::to_string(number * 7919 % 10007);
        out.push_back(make_row({Value::text(name), Value::int32(number)},
                               {{"name", Value::text(name)}, {"number", Value::int32(number)}}));
    }
    return out;
}

const TableSchema& one_component() {
    static const TableSchema schema{"one", {"id"}};
    return schema;
}

const TableSchema& two_components() {
    static const TableSchema schema{"two", {"id", "part"}};
    return schema;
}

void check_tables(Subject& subject) {
    REQUIRE(subject.reader().tables().empty());
    subject.fill(subject.two(), {});
    subject.fill(subject.one(), subject.key_rows());
    const Reader& reader = subject.reader();
    REQUIRE(reader.tables() == std::vector<TableSchema>{subject.one(), subject.two()});
    REQUIRE(reader.table("two") == subject.two());
    REQUIRE_FALSE(reader.table("three"));
    REQUIRE_FALSE(reader.identity().empty());
    REQUIRE(reader.identity() == subject.writer().identity());
    Collector none;
    REQUIRE_THROWS_AS(reader.split("three", 1), Error);
    REQUIRE_THROWS_AS(reader.read("three", {}), Error);
    REQUIRE_THROWS_AS(reader.scan("three", {}, {}, none), Error);
}

void check_scan_sees_each_row_once(Subject& subject) {
    subject.fill({"empty", {"id"}}, {});
    subject.fill(subject.one(), subject.key_rows());
    subject.fill(subject.two(), subject.numbered(400));
    const Reader& reader = subject.reader();
    for (const TableSchema& table : reader.tables()) {
        std::vector<Row> expected;
        if (table.name == "one") expected = plain(stored(subject, "one", subject.key_rows()));
        if (table.name == "two") expected = plain(stored(subject, "two", subject.numbered(400)));
        for (const std::size_t target : {0, 1, 2, 7, 16, 100, 1000}) {
            CAPTURE(table.name, target);
            if (target > subject.partitions_max()) continue;
            const std::vector<Partition> partitions = reader.split(table.name, target);
            REQUIRE_FALSE(partitions.empty());
            REQUIRE(partitions.size() <= std::max<std::size_t>(target * 2, 1));
            std::vector<Row> seen;
            for (const Partition& partition : partitions) {
                REQUIRE_FALSE(partition.label.empty());
                append(seen, rows_in(reader, table.name, partition));
            }
            REQUIRE(plain(seen) == expected);
        }
    }
    REQUIRE(reader.split("two", 16).size() > 4);
}

void check_resume_from_every_position(Subject& subject) {
    subject.fill(subject.two(), subject.numbered(60));
    const Reader& reader = subject.reader();
    for (const Partition& partition : reader.split("two", 3)) {
        const std::vector<Row> whole = rows_in(reader, "two", partition);
        for (const std::size_t page_rows : {1, 3, 1000}) {
            Collector all;
            ScanOptions options;
            options.page_rows_max = page_rows;
            REQUIRE(reader.scan("two", partition, options, all) == ScanEnd::complete);
            REQUIRE(all.rows == whole);
            for (const Collector::Page& page : all.pages) {
                std::vector<Row> seen{whole.begin(), whole.begin() + std::ptrdiff_t(page.rows)};
                append(seen, rows_in(reader, "two", partition, page.position));
                REQUIRE(seen == whole);
            }
        }
    }
}

void check_split_rest_at_every_position(Subject& subject) {
    subject.fill(subject.two(), subject.numbered(60));
    const Reader& reader = subject.reader();
    for (const Partition& partition : reader.split("two", 3)) {
        Collector all;
        ScanOptions options;
        options.page_rows_max = 1;
        reader.scan("two", partition, options, all);
        for (const Collector::Page& page : all.pages) {
            std::vector<Row> seen{all.rows.begin(), all.rows.begin() + std::ptrdiff_t(page.rows)};
            const std::vector<Partition> rest = reader.split_rest("two", partition, page.position);
            const bool nothing_left = page.rows == all.rows.size();
            REQUIRE(rest.size() <= 2);
            // That it has come to its end a store may learn only by asking once more.
            REQUIRE((nothing_left || !rest.empty()));
            if (&page == &all.pages.back()) REQUIRE(rest.empty());
            for (const Partition& part : rest) append(seen, rows_in(reader, "two", part));
            REQUIRE(plain(seen) == plain(all.rows));
        }
    }
}

void check_pages(Subject& subject) {
    subject.fill({"empty", {"id"}}, {});
    subject.fill(subject.two(), subject.numbered(50));
    const Reader& reader = subject.reader();
    Collector nothing;
    const Partition empty = reader.split("empty", 1).at(0);
    REQUIRE(reader.scan("empty", empty, {}, nothing) == ScanEnd::complete);
    // Where pages may be empty there may be some.
    REQUIRE_FALSE(nothing.pages.empty());
    const Position end_of_empty = nothing.pages.back().position;
    REQUIRE(rows_in(reader, "empty", empty, end_of_empty).empty());
    REQUIRE(reader.split_rest("empty", empty, end_of_empty).empty());

    // A scan that is stopped after each page and resumed there is one scan.
    const Partition whole = reader.split("two", 1).at(0);
    ScanOptions options;
    options.page_rows_max = 7;
    std::vector<Row> seen;
    for (int round = 0; round < 60; ++round) {
        Collector page{1};
        const ScanEnd end = reader.scan("two", whole, options, page);
        REQUIRE(end == ScanEnd::stopped);
        REQUIRE(page.pages.size() == 1);
        REQUIRE(page.pages[0].rows == page.rows.size());
        const bool at_end = reader.split_rest("two", whole, page.pages[0].position).empty();
        if (page.rows.empty() && at_end) break;
        REQUIRE(page.rows.size() <= 7);
        append(seen, page.rows);
        options.resume = page.pages[0].position;
    }
    REQUIRE(plain(seen) == plain(stored(subject, "two", subject.numbered(50))));
}

void check_foreign_tokens(Subject& subject) {
    subject.fill(subject.two(), subject.numbered(20));
    const Reader& reader = subject.reader();
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    const std::vector<Partition> parts = reader.split("two", 2);
    Collector last;
    reader.scan("two", parts.at(1), {}, last);
    ScanOptions options;
    options.resume = last.pages.back().position;
    Collector none;
    REQUIRE_THROWS_AS(reader.scan("two", parts.at(0), options, none), Error);
    for (int round = 0; round < 500; ++round) {
        Bytes token(random() % 12, '\0');
        for (char& byte : token) byte = static_cast<char>(random() % 2 ? random() % 4 : random());
        options.resume = Position{token};
        const Partition partition = random() % 2 ? parts[0] : Partition{token, "foreign"};
        try {
            Collector sink;
            reader.scan("two", partition, options, sink);
            REQUIRE(sink.rows.size() <= 20);
        } catch (const Error&) {
        }
    }
}

void check_projection(Subject& subject) {
    class Slots : public RowSink {
    public:
        void row(const RowView& row) override {
            REQUIRE(row.slots.size() == 3);
            REQUIRE(is_numeric(row.slots[0].kind));
            REQUIRE_FALSE(row.slots[1].present());
            REQUIRE(row.slots[2] == row.key[0]);
            ++rows;
        }
        bool page_end(const Position&) override { return true; }
        int rows = 0;
    };
    subject.fill(subject.two(), subject.numbered(20));
    const Projection projection{{"number", "missing", subject.two().key[0]}, false};
    ScanOptions options;
    options.projection = &projection;
    Slots slots;
    const Reader& reader = subject.reader();
    reader.scan("two", reader.split("two", 1).at(0), options, slots);
    REQUIRE(slots.rows == 20);

    class Thrower : public Slots {
    public:
        void row(const RowView&) override { throw Error{"the sink had enough"}; }
    };
    Thrower thrower;
    REQUIRE_THROWS_AS(reader.scan("two", reader.split("two", 1).at(0), options, thrower), Error);
}

void check_damage_is_told(Subject& subject) {
    if (!subject.can_be_damaged()) return;
    subject.fill(subject.two(), subject.numbered(10));
    const Key key = subject.key({Value::text("user/damaged"), Value::int32(0)});
    subject.damage("two", key);
    const Reader& reader = subject.reader();
    Collector all;
    const Partition whole = reader.split("two", 1).at(0);
    REQUIRE(reader.scan("two", whole, {}, all) == ScanEnd::complete);
    REQUIRE(plain(all.rows) == plain(stored(subject, "two", subject.numbered(10))));
    REQUIRE(all.damaged_keys == std::vector<Bytes>{subject.raw_key("two", key)});
    const std::vector<Key> keys{key};
    REQUIRE_THROWS_AS(reader.read("two", keys), Error);
}

void check_read(Subject& subject) {
    subject.fill(subject.one(), subject.key_rows());
    const Reader& reader = subject.reader();
    REQUIRE(reader.read("one", {}).empty());
    std::vector<Key> keys;
    for (const Row& row : subject.key_rows()) {
        keys.push_back(row.key);
        keys.push_back(subject.key({Value::text("absent/" + to_hex(row.key[0].payload))}));
    }
    std::reverse(keys.begin(), keys.end());
    keys.push_back(keys[1]);
    const std::vector<std::optional<Row>> found = reader.read("one", keys);
    REQUIRE(found.size() == keys.size());
    std::vector<Row> expected = subject.key_rows();
    std::reverse(expected.begin(), expected.end());
    for (std::size_t index = 0; index < expected.size(); ++index) {
        REQUIRE_FALSE(found[index * 2]);
        REQUIRE(plain({*found[index * 2 + 1]}) == plain({expected[index]}));
    }
    REQUIRE(found.back() == found[1]);
    // One number, whatever its spelling; it comes back in the one that is stored.
    const std::vector<Key> spelt{subject.key({Value::number("1.0")})};
    const std::vector<Row> rows = subject.key_rows();
    const bool numbers = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
        return row.key == Key{Value::number("1")};
    });
    const std::optional<Row> one = reader.read("one", spelt).at(0);
    REQUIRE(one.has_value() == numbers);
    if (one) REQUIRE(one->key == Key{Value::number("1")});
    std::vector<Key> longer{subject.key({Value::text("a")})};
    longer[0].push_back(Value::text("b"));
    REQUIRE_THROWS_AS(reader.read("one", longer), Error);
}

void check_order(Subject& subject) {
    subject.fill(subject.one(), subject.key_rows());
    const Reader& reader = subject.reader();
    const std::vector<Row> rows = rows_in(reader, "one", reader.split("one", 1).at(0));
    if (reader.capabilities().order == ScanOrder::by_bytes) {
        for (std::size_t index = 1; index < rows.size(); ++index) {
            REQUIRE(encode_key(rows[index - 1].key) < encode_key(rows[index].key));
        }
    }
    REQUIRE(rows == rows_in(reader, "one", reader.split("one", 1).at(0)));
}

}  // namespace idxfsck::store::conformance
