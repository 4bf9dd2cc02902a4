#include "store/rocksdb/table_access.hpp"

#include <algorithm>

#include <rocksdb/table_properties.h>

#include "store/rocksdb/key_split.hpp"
#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

// Large enough for a spinning disk, small enough for many partitions at once.
constexpr std::size_t readahead_size = 1 << 20;

// Turns what a walk stands on into rows for a sink. Lives for one scan.
class Handover {
public:
    Handover(const TableSchema& schema, const RowForm& form, const ScanOptions& options,
             RowSink& sink)
        : projector_{schema.key, options.projection ? *options.projection : whole_},
          decoder_{form.scan_decoder()},
          sink_{sink} {}

    void row(BytesView key, BytesView value) {
        if (!decoder_->decode(key, value)) return sink_.damaged(key);
        const RowView view =
            projector_.project(decoder_->key(), decoder_->attributes(), decoder_->version());
        if (projector_.damaged()) return sink_.damaged(key);
        sink_.row(view);
    }

private:
    const Projection whole_{{}, true};
    Projector projector_;
    const std::unique_ptr<RowDecoder> decoder_;
    RowSink& sink_;
};

rocksdb::ReadOptions scan_options() {
    rocksdb::ReadOptions out;
    out.verify_checksums = true;
    out.fill_cache = false;
    out.readahead_size = readahead_size;
    return out;
}

// The first key behind all that begin with `prefix`; empty if there is none.
Bytes behind_prefix(BytesView prefix) {
    Bytes out{prefix};
    while (!out.empty() && out.back() == '\xff') out.pop_back();
    if (!out.empty()) ++out.back();
    return out;
}

}  // namespace

TableAccess::TableAccess(const Database& database, Family* family, const TableSchema& schema,
                         std::shared_ptr<const RowForm> form)
    : database_{database},
      family_{family},
      schema_{schema},
      form_{std::move(form)},
      whole_{Bytes{form_->prefix()}, behind_prefix(form_->prefix()), false} {}

KeyRange TableAccess::inside(KeyRange range) const {
    if (range.begin < whole_.begin) {
        range.begin = whole_.begin;
        range.after_begin = false;
    }
    if (range.end.empty() || (!whole_.end.empty() && whole_.end < range.end)) {
        range.end = whole_.end;
    }
    return range;
}

std::vector<Partition> TableAccess::cut(const KeyRange& range, BytesView label_key,
                                        std::size_t parts) const {
    std::vector<Bytes> begins = cut_keys(space(), range, parts);
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
    // Other tables share the files.
    if (!form_->prefix().empty()) return std::nullopt;
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
    return cut(whole_, {}, std::max<std::size_t>(target, 1));
}

std::vector<Partition> TableAccess::split_rest(const Partition& partition,
                                               const Position& position) const {
    const KeyRange rest = inside(parse_rest(partition, position));
    const KeyWalk at{space(), rest, scan_options()};
    if (!at.valid()) return {};
    return cut(rest, at.key(), 2);
}

ScanEnd TableAccess::scan(const Partition& partition, const ScanOptions& options,
                          RowSink& sink) const {
    Position position = options.resume.value_or(Position{});
    const KeyRange range = inside(parse_rest(partition, position));
    Handover handover{schema_, *form_, options, sink};
    const std::size_t page_rows_max = std::max<std::size_t>(options.page_rows_max, 1);
    std::size_t page_rows = 0;
    const SortedRun* const run = database_.run(family_);
    for (const RunPiece& piece : run ? run->pieces(range) : std::vector{RunPiece{range, {}}}) {
        const std::unique_ptr<rocksdb::SstFileReader> file = run ? run->open(piece) : nullptr;
        KeyWalk at{space(), piece.range, scan_options(), file.get()};
        for (; at.valid(); at.next()) {
            handover.row(at.key(), at.value());
            if (++page_rows < page_rows_max) continue;
            page_rows = 0;
            position = make_position(at.key());
            if (!sink.page_end(position)) return ScanEnd::stopped;
        }
        at.check();
    }
    KeyWalk last{space(), range, scan_options()};
    if (last.seek_last()) position = make_position(last.key());
    return sink.page_end(position) ? ScanEnd::complete : ScanEnd::stopped;
}

std::vector<std::optional<Row>> TableAccess::read(std::span<const Key> keys) const {
    std::vector<Bytes> places;
    std::vector<std::size_t> owners;  // the answer that each place is for
    for (std::size_t index = 0; index < keys.size(); ++index) {
        std::optional<Bytes> place = form_->encode_key(keys[index]);
        if (!place) continue;
        places.push_back(std::move(*place));
        owners.push_back(index);
    }
    const std::vector<rocksdb::Slice> slices{places.begin(), places.end()};
    std::vector<rocksdb::PinnableSlice> values(places.size());
    std::vector<rocksdb::Status> statuses(places.size());
    database_.db().MultiGet(rocksdb::ReadOptions{}, family_, places.size(), slices.data(),
                            values.data(), statuses.data());
    const std::unique_ptr<RowDecoder> decoder = form_->read_decoder();
    std::vector<std::optional<Row>> out(keys.size());
    for (std::size_t index = 0; index < places.size(); ++index) {
        if (statuses[index].IsNotFound()) continue;
        check_status(statuses[index], database_.path());
        out[owners[index]] = to_row(*decoder, places[index], values[index].ToStringView());
    }
    return out;
}

// The key as stored, not as asked for: 1.0 finds the row of 1.
Row TableAccess::to_row(RowDecoder& decoder, BytesView place, BytesView value) const {
    if (decoder.decode(place, value) && well_formed(decoder.attributes())) {
        return decoded_row(decoder);
    }
    throw Error{"the stored bytes are no row"}
        .with("store", database_.path())
        .with("table", schema_.name)
        .with("key", readable_key(place));
}

Row TableAccess::to_row(const Key& key, BytesView value) const {
    return to_row(*form_->read_decoder(), encode(key), value);
}

Bytes TableAccess::encode(const Key& key) const {
    std::optional<Bytes> place = form_->encode_key(key);
    if (place) return std::move(*place);
    throw Error{"the layout of the table has no room for this key"}
        .with("store", database_.path())
        .with("table", schema_.name)
        .with("key", readable_key(key));
}

}  // namespace idxfsck::store
