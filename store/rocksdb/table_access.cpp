#include "store/rocksdb/table_access.hpp"

#include <algorithm>

#include <rocksdb/table_properties.h>

#include "store/key_codec.hpp"
#include "store/rocksdb/key_split.hpp"
#include "store/rocksdb/rocksdb_error.hpp"
#include "store/rocksdb/row_format.hpp"

namespace idxfsck::store {

namespace {

// Large enough for a spinning disk, small enough for many partitions at once.
constexpr std::size_t readahead_size = 1 << 20;

// Turns what an iterator stands on into rows for a sink. Lives for one scan.
class Handover {
public:
    Handover(const TableSchema& schema, const ScanOptions& options, RowSink& sink)
        : projector_{schema.key, options.projection ? *options.projection : whole_},
          components_{schema.key.size()},
          sink_{sink} {}

    void row(BytesView key, BytesView value) {
        BytesView version;
        BytesView attributes;
        const std::span<const ValueView> components = decoder_.decode(key);
        if (components.size() != components_ || !parse_row_value(value, version, attributes)) {
            return sink_.damaged(key);
        }
        const RowView view = projector_.project(components, attributes, version);
        if (projector_.damaged()) return sink_.damaged(key);
        sink_.row(view);
    }

private:
    const Projection whole_{{}, true};
    Projector projector_;
    const std::size_t components_;
    KeyDecoder decoder_;
    RowSink& sink_;
};

rocksdb::ReadOptions scan_options(const rocksdb::Slice& end) {
    rocksdb::ReadOptions out;
    out.verify_checksums = true;
    out.fill_cache = false;
    out.readahead_size = readahead_size;
    if (!end.empty()) out.iterate_upper_bound = &end;
    return out;
}

// The place of the last row of a range, which its scan has just come to the end of.
Position end_position(rocksdb::Iterator& at, const KeyRange& range, Position before) {
    at.SeekToLast();
    if (!at.Valid()) return before;
    const BytesView last = at.key().ToStringView();
    const bool inside = range.after_begin ? last > range.begin : last >= range.begin;
    return inside ? make_position(last) : before;
}

}  // namespace

std::vector<Partition> TableAccess::cut(const KeyRange& range, BytesView label_key,
                                        std::size_t parts) const {
    std::vector<Bytes> begins = cut_keys({database_.db(), family_, database_.path()}, range, parts);
    begins.emplace_back(range.end);
    std::vector<Partition> out;
    KeyRange part = range;
    Bytes label{label_key};
    for (Bytes& end : begins) {
        part.end = end;
        out.push_back(make_partition(part, label));
        label = end;
        part = {std::move(end), {}, false};
    }
    return out;
}

// RocksDB's own estimate is 0 here: it rests on statistics that opening a database leaves out. The
// files are open already, and each says how many entries it holds.
std::optional<std::uint64_t> TableAccess::rows_estimate() const {
    rocksdb::TablePropertiesCollection files;
    if (!database_.db().GetPropertiesOfAllTables(family_, &files).ok()) return std::nullopt;
    std::uint64_t entries = 0;
    std::uint64_t deletions = 0;
    database_.db().GetIntProperty(family_, rocksdb::DB::Properties::kNumEntriesActiveMemTable,
                                  &entries);
    for (const auto& [name, properties] : files) {
        entries += properties->num_entries;
        deletions += properties->num_deletions;
    }
    // A deletion is an entry itself and takes another away.
    return entries - std::min(entries, 2 * deletions);
}

std::vector<Partition> TableAccess::split(std::size_t target) const {
    return cut(KeyRange{}, {}, std::max<std::size_t>(target, 1));
}

std::vector<Partition> TableAccess::split_rest(const Partition& partition,
                                               const Position& position) const {
    const KeyRange rest = parse_rest(partition, position);
    const rocksdb::Slice end{rest.end};
    const std::unique_ptr<rocksdb::Iterator> at{
        database_.db().NewIterator(scan_options(end), family_)};
    at->Seek(rest.begin);
    if (rest.after_begin && at->Valid() && at->key() == rest.begin) at->Next();
    check_status(at->status(), database_.path());
    if (!at->Valid()) return {};
    return cut(rest, at->key().ToStringView(), 2);
}

ScanEnd TableAccess::scan(const Partition& partition, const ScanOptions& options,
                          RowSink& sink) const {
    Position position = options.resume.value_or(Position{});
    const KeyRange range = parse_rest(partition, position);
    const rocksdb::Slice end{range.end};
    const std::unique_ptr<rocksdb::Iterator> at{
        database_.db().NewIterator(scan_options(end), family_)};
    at->Seek(range.begin);
    if (range.after_begin && at->Valid() && at->key() == range.begin) at->Next();
    Handover handover{schema_, options, sink};
    const std::size_t page_rows_max = std::max<std::size_t>(options.page_rows_max, 1);
    std::size_t page_rows = 0;
    for (; at->Valid(); at->Next()) {
        handover.row(at->key().ToStringView(), at->value().ToStringView());
        if (++page_rows < page_rows_max) continue;
        page_rows = 0;
        position = make_position(at->key().ToStringView());
        if (!sink.page_end(position)) return ScanEnd::stopped;
    }
    check_status(at->status(), database_.path());
    position = end_position(*at, range, std::move(position));
    check_status(at->status(), database_.path());
    return sink.page_end(position) ? ScanEnd::complete : ScanEnd::stopped;
}

std::vector<std::optional<Row>> TableAccess::read(std::span<const Key> keys) const {
    std::vector<Bytes> encoded;
    for (const Key& key : keys) encoded.push_back(encode(key));
    const std::vector<rocksdb::Slice> slices{encoded.begin(), encoded.end()};
    std::vector<rocksdb::PinnableSlice> values(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    database_.db().MultiGet(rocksdb::ReadOptions{}, family_, keys.size(), slices.data(),
                            values.data(), statuses.data());
    std::vector<std::optional<Row>> out(keys.size());
    for (std::size_t index = 0; index < keys.size(); ++index) {
        if (statuses[index].IsNotFound()) continue;
        check_status(statuses[index], database_.path());
        out[index] = to_row(keys[index], values[index].ToStringView());
    }
    return out;
}

Row TableAccess::to_row(const Key& key, BytesView value) const {
    BytesView version;
    BytesView attributes;
    if (!parse_row_value(value, version, attributes) || !well_formed(attributes)) {
        throw Error{"the stored bytes are no row"}
            .with("store", database_.path())
            .with("table", schema_.name)
            .with("key", readable_key(key));
    }
    // The key as stored, not as asked for: 1.0 finds the row of 1.
    return {*decode_key(encode(key)), Bytes{attributes}, Bytes{version}};
}

Bytes TableAccess::encode(const Key& key) const { return encode_key_of(schema_, key); }

}  // namespace idxfsck::store
