#include "store/rocksdb/raw_reader.hpp"

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

// What is not RocksDB's own may be why a call fails.
template <typename Call>
auto naming(const std::string& foreign, Call call) {
    try {
        return call();
    } catch (Error& error) {
        if (!foreign.empty()) error.with("foreign", foreign);
        throw;
    }
}

}  // namespace

RawReader::RawReader(std::string path, RawTables tables, bool checkpoint)
    : path_{std::move(path)},
      tables_{std::move(tables)},
      checkpoint_{checkpoint},
      capabilities_{raw_capabilities(true)} {
    refresh();
    foreign_ = raw_foreign_part(path_);
}

std::optional<std::uint64_t> RawReader::rows_estimate(BytesView table) const {
    return view_->access(table).rows_estimate();
}

StoreInspection RawReader::inspect() const {
    StoreInspection out;
    out.facts = {{"path", path_}, {"opened", "for reading only"}};
    return out;
}

std::vector<Partition> RawReader::split(BytesView table, std::size_t target) const {
    return naming(foreign_, [&] { return view_->access(table).split(target); });
}

std::vector<Partition> RawReader::split_rest(BytesView table, const Partition& partition,
                                             const Position& position) const {
    return naming(foreign_, [&] { return view_->access(table).split_rest(partition, position); });
}

ScanEnd RawReader::scan(BytesView table, const Partition& partition, const ScanOptions& options,
                        RowSink& sink) const {
    return naming(foreign_, [&] { return view_->access(table).scan(partition, options, sink); });
}

std::vector<std::optional<Row>> RawReader::read(BytesView table,
                                                std::span<const Key> keys) const {
    return naming(foreign_, [&] { return view_->access(table).read(keys); });
}

Row RawReader::as_stored(BytesView table, const Row& row) const {
    return view_->form(table).as_stored_or_same(row);
}

void RawReader::refresh() {
    std::unique_ptr<Database> fresh = Database::open_for_reading(
        path_, raw_reading_plan(raw_opening(tables_, checkpoint_)));
    view_ = std::make_unique<RawTablesAccess>(std::move(fresh), tables_);
}

}  // namespace idxfsck::store
