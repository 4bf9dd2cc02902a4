#include "store/json/dump.hpp"

#include "store/error.hpp"
#include "store/json/row_writer.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t buffer_bytes_max = std::size_t{64} * 1024;
constexpr std::uint64_t rows_between_reports = 65'536;

class Dump : public RowSink {
public:
    Dump(Shape shape, const std::vector<Bytes>& key_names, ByteSink& sink,
         const LoadObserver& observer)
        : writer_{shape, key_names}, sink_{sink}, observer_{observer} {}

    void row(const RowView& row) override {
        writer_.append(buffer_, row.key, row.attributes);
        if (buffer_.size() >= buffer_bytes_max) flush();
        if (++count_.rows % rows_between_reports == 0 && observer_) observer_(count_);
    }

    bool page_end(const Position&) override { return true; }

    void damaged(BytesView raw_key) override {
        throw Error{"a row is damaged and cannot be written"}.with("key", raw_key);
    }

    LoadCount finish() {
        flush();
        sink_.finish();
        if (observer_) observer_(count_);
        return count_;
    }

private:
    void flush() {
        sink_.write(buffer_);
        count_.bytes += buffer_.size();
        buffer_.clear();
    }

    RowWriter writer_;
    ByteSink& sink_;
    const LoadObserver& observer_;
    Bytes buffer_;
    LoadCount count_;
};

}  // namespace

LoadCount dump_rows(const Reader& reader, BytesView table, Shape shape, ByteSink& sink,
                    const LoadObserver& observer) {
    const std::optional<TableSchema> schema = reader.table(table);
    if (!schema) throw Error{"no such table", Trouble::usage}.with("table", table);
    Projection projection;
    projection.all = true;
    ScanOptions options;
    options.projection = &projection;
    Dump dump{shape, schema->key, sink, observer};
    for (const Partition& partition : reader.split(table, 1)) {
        const ScanEnd end = reader.scan(table, partition, options, dump);
        ensure(end == ScanEnd::complete, "a scan that nobody stops is complete");
    }
    return dump.finish();
}

}  // namespace idxfsck::store
