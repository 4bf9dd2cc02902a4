// tests/store/conformance.hpp
//
// The contract of store/reader.hpp and store/writer.hpp as checks that run against every store.
//
// A new store is one more Subject in conformance_test.cpp. The checks are in conformance_reads.cpp
// and conformance_writes.cpp; each starts from a Subject without tables.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace idxfsck::store::conformance {

// A store and a way to look at it: the same object, or a reader of its own.
class Subject {
public:
    virtual ~Subject() = default;

    virtual Store& writer() = 0;
    virtual Reader& reader() = 0;
    // Makes a table and its rows, and lets the reader see them.
    virtual void fill(const TableSchema& schema, const std::vector<Row>& rows) = 0;
    // Puts bytes that are no row, in the encoding of key and attributes.
    virtual void damage(BytesView table, const Key& key) = 0;
    // Is there a way to do so? A store that checks every row has none.
    virtual bool can_be_damaged() const { return true; }
    // The most partitions that a table is cut into: each may be a request to a server.
    virtual std::size_t partitions_max() const { return 1000; }
    // The bytes by which the store tells of a damaged row.
    virtual Bytes raw_key(BytesView table, const Key& key);
    // Rows of one(): one of every key kind that the store holds.
    virtual std::vector<Row> key_rows();

    // A store whose tables all have one key schema, or fewer kinds of values, says so here.
    virtual TableSchema one() const;  // named "one"
    virtual TableSchema two() const;  // named "two"
    virtual Key key(const Key& key) const { return key; }
    virtual Value number(int number) const { return Value::number(std::to_string(number)); }
    // Second components of keys of two() that are easily taken for others.
    virtual std::vector<Value> parts() const;
    // Of two().
    std::vector<Row> numbered(int count) const;
};

struct SubjectKind {
    std::string name;
    std::function<std::unique_ptr<Subject>()> make;
};

// Keeps what a scan hands over. Stops after `pages_max` pages.
class Collector : public RowSink {
public:
    explicit Collector(std::size_t pages_max = static_cast<std::size_t>(-1))
        : pages_max_{pages_max} {}

    void row(const RowView& view) override;
    bool page_end(const Position& position) override;
    void damaged(BytesView raw_key) override { damaged_keys.emplace_back(raw_key); }

    struct Page {
        Position position;
        std::size_t rows;  // handed over up to there
    };

    std::vector<Row> rows;
    std::vector<Page> pages;
    std::vector<Bytes> damaged_keys;

private:
    std::size_t pages_max_;
};

// All rows of a partition from `resume` on.
std::vector<Row> rows_in(const Reader& reader, BytesView table, const Partition& partition,
                         std::optional<Position> resume = std::nullopt);

// Sorted by encoded key, versions taken away: for comparing.
std::vector<Row> plain(std::vector<Row> rows);

// As the store hands them out: it may keep fewer kinds of numbers.
std::vector<Row> stored(Subject& subject, BytesView table, std::vector<Row> rows);

// One row a key kind and value that could trip an encoding.
std::vector<Row> rows_of_every_key_kind();
std::vector<Row> numbered_rows(int count);
const TableSchema& one_component();
const TableSchema& two_components();

void check_tables(Subject& subject);
void check_scan_sees_each_row_once(Subject& subject);
void check_resume_from_every_position(Subject& subject);
void check_split_rest_at_every_position(Subject& subject);
void check_pages(Subject& subject);
void check_foreign_tokens(Subject& subject);
void check_projection(Subject& subject);
void check_damage_is_told(Subject& subject);
void check_read(Subject& subject);
void check_order(Subject& subject);

void check_every_expectation(Subject& subject);
void check_guards(Subject& subject);
void check_refused_writes(Subject& subject);
void check_write_all(Subject& subject);
void check_versions(Subject& subject);
void check_as_stored(Subject& subject);
void check_view(Subject& subject);
void check_racing_inserts(Subject& subject);
void check_racing_counters(Subject& subject);
void check_no_write_skew(Subject& subject);

}  // namespace idxfsck::store::conformance
