#include "store/memory/memory_store.hpp"

#include <algorithm>
#include <utility>

#include "store/error.hpp"
#include "store/expectation.hpp"
#include "store/key_codec.hpp"
#include "store/memory/scan_place.hpp"

namespace idxfsck::store {

namespace {

using Lock = std::lock_guard<std::mutex>;

// The first place in `range`, and the first one behind it.
template <typename Rows>
auto bounds(const Rows& rows, const KeyRange& range) {
    const auto begin = range.after_begin ? rows.upper_bound(range.begin)
                                         : rows.lower_bound(range.begin);
    auto end = range.end.empty() ? rows.end() : rows.lower_bound(range.end);
    return std::pair{begin, end};
}

// Cuts the rows between two places into `target` parts of equal count.
template <typename Iterator>
std::vector<Partition> cut(Iterator first, Iterator last, const KeyRange& whole,
                           std::size_t target) {
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    const std::size_t parts = std::clamp<std::size_t>(target, 1, std::max<std::size_t>(count, 1));
    std::vector<Partition> out;
    KeyRange range = whole;
    Bytes label;
    for (std::size_t part = 0; part < parts; ++part) {
        std::advance(first, count * (part + 1) / parts - count * part / parts);
        range.end = part + 1 == parts ? whole.end : first->first;
        out.push_back(make_partition(range, label));
        range = {range.end, {}, false};
        if (part + 1 < parts) label = first->second.encoded_key;
    }
    return out;
}

// Hands copied rows to a sink, as one scan sees them.
class Handover {
public:
    Handover(const TableSchema& schema, const ScanOptions& options, RowSink& sink)
        : projection_{options.projection ? *options.projection : whole_},
          projector_{schema.key, projection_},
          components_{schema.key.size()},
          sink_{sink} {}

    void row(BytesView encoded_key, BytesView attributes, BytesView version) {
        const std::span<const ValueView> key = decoder_.decode(encoded_key);
        if (key.size() != components_) return sink_.damaged(encoded_key);
        RowView view = projector_.project(key, attributes, version);
        if (projector_.damaged()) return sink_.damaged(encoded_key);
        // A caller that forgot to ask for all must not get them by luck.
        if (!projection_.all) view.attributes = {};
        sink_.row(view);
    }

private:
    const Projection whole_{{}, true};
    const Projection& projection_;
    Projector projector_;
    std::size_t components_;
    KeyDecoder decoder_;
    RowSink& sink_;
};

}  // namespace

Capabilities memory_capabilities() {
    Capabilities out;
    out.order = ScanOrder::by_bytes;
    out.row_versions = true;
    out.guard = GuardReach::store;
    return out;
}

MemoryStore::MemoryStore(Capabilities capabilities, Bytes identity)
    : capabilities_{std::move(capabilities)}, identity_{std::move(identity)} {}

void MemoryStore::create_table(TableSchema schema) {
    const Lock lock{mutex_};
    const Bytes name = schema.name;
    live_[name] = {std::move(schema), {}};
}

void MemoryStore::put(BytesView table, const Row& row) {
    put_bytes(table, encode_key(row.key), row.attributes);
}

bool MemoryStore::erase(BytesView table, const Key& key) {
    const Lock lock{mutex_};
    return live_table(table).rows.erase(place(encode_key(key))) > 0;
}

void MemoryStore::put_bytes(BytesView table, BytesView encoded_key, BytesView attributes) {
    const Lock lock{mutex_};
    store_bytes(live_table(table), encoded_key, attributes);
}

std::vector<Row> MemoryStore::rows(BytesView table) const {
    const Lock lock{mutex_};
    const auto found = live_.find(table);
    std::vector<std::pair<Bytes, Row>> sorted;
    if (found == live_.end()) return {};
    for (const auto& [at, stored] : found->second.rows) {
        const std::optional<Key> key = decode_key(stored.encoded_key);
        if (key && well_formed(stored.attributes)) {
            sorted.emplace_back(stored.encoded_key, to_row(stored));
        }
    }
    const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::sort(sorted.begin(), sorted.end(), by_key);
    std::vector<Row> out;
    for (auto& [key, row] : sorted) out.push_back(std::move(row));
    return out;
}

std::vector<TableSchema> MemoryStore::tables() const {
    const Lock lock{mutex_};
    std::vector<TableSchema> out;
    for (const auto& [name, table] : view()) out.push_back(table.schema);
    return out;
}

std::optional<TableSchema> MemoryStore::table(BytesView name) const {
    const Lock lock{mutex_};
    const auto found = view().find(name);
    if (found == view().end()) return std::nullopt;
    return found->second.schema;
}

std::vector<Partition> MemoryStore::split(BytesView table, std::size_t target) const {
    const Lock lock{mutex_};
    const auto& rows = viewed_table(table).rows;
    return cut(rows.begin(), rows.end(), KeyRange{}, target);
}

std::vector<Partition> MemoryStore::split_rest(BytesView table, const Partition& partition,
                                               const Position& position) const {
    const Lock lock{mutex_};
    const auto& rows = viewed_table(table).rows;
    const KeyRange rest = parse_rest(partition, position);
    const auto [begin, end] = bounds(rows, rest);
    if (begin == end) return {};
    std::vector<Partition> out = cut(begin, end, rest, 2);
    out[0].label = "from " + readable_key(begin->second.encoded_key);
    return out;
}

ScanEnd MemoryStore::scan(BytesView table, const Partition& partition, const ScanOptions& options,
                          RowSink& sink) const {
    const TableSchema schema = [&] {
        const Lock lock{mutex_};
        return viewed_table(table).schema;
    }();
    Handover handover{schema, options, sink};
    Position position = options.resume.value_or(Position{});
    KeyRange rest = parse_rest(partition, position);
    while (true) {
        const Page page = next_page(table, rest, std::max<std::size_t>(options.page_rows_max, 1));
        for (const auto& [at, row] : page.rows) {
            const bool versions = capabilities_.row_versions;
            handover.row(row.encoded_key, row.attributes,
                         versions ? std::to_string(row.version) : Bytes{});
        }
        if (!page.rows.empty()) {
            rest.begin = page.rows.back().first;
            rest.after_begin = true;
            position = make_position(rest.begin);
        }
        if (!sink.page_end(position)) return ScanEnd::stopped;
        if (page.last) return ScanEnd::complete;
    }
}

std::vector<std::optional<Row>> MemoryStore::read(BytesView table,
                                                  std::span<const Key> keys) const {
    const Lock lock{mutex_};
    const Table& found = viewed_table(table);
    std::vector<std::optional<Row>> out;
    for (const Key& key : keys) out.push_back(find_row(found, key));
    return out;
}

void MemoryStore::refresh() {
    const Lock lock{mutex_};
    if (capabilities_.snapshot) frozen_ = live_;
}

WriteOutcome MemoryStore::write(const GuardedWrite& write) {
    const Lock lock{mutex_};
    Table& table = live_table(write.table);
    check_write(write, table.schema, capabilities_.guard);
    check_key(capabilities_.key_limits, table.schema, write.key);
    for (const Guard& guard : write.guards) {
        if (!holds(guard)) return WriteOutcome::superseded;
    }
    const WriteOutcome outcome = judge(write, find_row(table, write.key), table.schema);
    if (outcome != WriteOutcome::applied) return outcome;
    const Bytes encoded_key = encode_key(write.key);
    if (write.after) {
        store_bytes(table, encoded_key, write.after->attributes);
    } else {
        table.rows.erase(place(encoded_key));
    }
    return outcome;
}

const MemoryStore::Tables& MemoryStore::view() const {
    if (!capabilities_.snapshot) return live_;
    if (!frozen_) frozen_ = live_;
    return *frozen_;
}

const MemoryStore::Table& MemoryStore::viewed_table(BytesView name) const {
    const auto found = view().find(name);
    if (found != view().end()) return found->second;
    throw Error{"there is no such table"}.with("store", identity_).with("table", name);
}

MemoryStore::Table& MemoryStore::live_table(BytesView name) {
    const auto found = live_.find(name);
    if (found != live_.end()) return found->second;
    throw Error{"there is no such table"}.with("store", identity_).with("table", name);
}

Bytes MemoryStore::place(BytesView encoded_key) const {
    return scan_place(capabilities_.order, encoded_key);
}

std::optional<Row> MemoryStore::find_row(const Table& table, const Key& key) const {
    const auto found = table.rows.find(place(encode_key_of(table.schema, key)));
    if (found == table.rows.end()) return std::nullopt;
    if (!well_formed(found->second.attributes)) {
        throw Error{"the stored bytes are no row"}
            .with("store", identity_)
            .with("table", table.schema.name)
            .with("key", readable_key(key));
    }
    return to_row(found->second);
}

Row MemoryStore::to_row(const StoredRow& stored) const {
    const bool versions = capabilities_.row_versions;
    return {decode_key(stored.encoded_key).value_or(Key{}), stored.attributes,
            versions ? std::to_string(stored.version) : Bytes{}};
}

MemoryStore::Page MemoryStore::next_page(BytesView table, const KeyRange& range,
                                         std::size_t rows_max) const {
    const Lock lock{mutex_};
    auto [row, end] = bounds(viewed_table(table).rows, range);
    Page page;
    for (; row != end && page.rows.size() < rows_max; ++row) page.rows.push_back(*row);
    page.last = row == end;
    return page;
}

bool MemoryStore::holds(const Guard& guard) {
    const Table& table = live_table(guard.table);
    return meets(guard.expected, find_row(table, guard.key), table.schema);
}

void MemoryStore::store_bytes(Table& table, BytesView encoded_key, BytesView attributes) {
    table.rows[place(encoded_key)] = {Bytes{encoded_key}, Bytes{attributes}, ++version_};
}

}  // namespace idxfsck::store
