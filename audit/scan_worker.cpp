#include "audit/scan_worker.hpp"

#include <algorithm>
#include <tuple>

#include "audit/state_file.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::audit {

namespace {

void save_table(StateWriter& writer, const TableCounts& table) {
    writer.number(table.rows);
    writer.number(table.rows_other);
    writer.number(table.rows_damaged);
    writer.number(table.damaged.size());
    for (const store::Bytes& key : table.damaged) writer.bytes(key);
    for (const bool seen : table.slots_seen) writer.number(seen ? 1 : 0);
}

void load_table(StateReader& reader, TableCounts& table) {
    table.rows = reader.number();
    table.rows_other = reader.number();
    table.rows_damaged = reader.number();
    table.damaged.resize(reader.count());
    for (store::Bytes& key : table.damaged) key = reader.bytes();
    for (std::size_t slot = 0; slot < table.slots_seen.size(); ++slot) {
        table.slots_seen[slot] = reader.number() != 0;
    }
}

void add_table(TableCounts& sum, const TableCounts& more) {
    sum.rows += more.rows;
    sum.rows_other += more.rows_other;
    sum.rows_damaged += more.rows_damaged;
    for (const store::Bytes& key : more.damaged) keep_damaged(sum.damaged, key);
    for (std::size_t slot = 0; slot < sum.slots_seen.size(); ++slot) {
        if (more.slots_seen[slot]) sum.slots_seen[slot] = true;
    }
}

}  // namespace

// So that the report is the same whichever worker met a row, and however many there were.
void keep_damaged(std::vector<store::Bytes>& keys, store::BytesView key) {
    keys.emplace(std::upper_bound(keys.begin(), keys.end(), key), key);
    if (keys.size() > damaged_keys_max) keys.pop_back();
}

ScanWorker::ScanWorker(std::size_t number, const Programs& programs, std::uint64_t seed)
    : queue{seed},
      book{number},
      lanes(programs.indexes.size()),
      tables(programs.tables.size()),
      bases(programs.bases.size()),
      indexes(programs.indexes.size()) {
    for (std::size_t table = 0; table < tables.size(); ++table) {
        tables[table].slots_seen.resize(programs.tables[table].projection.names.size());
    }
}

// The page book is left out: after a break, the store may show another moment.
void ScanWorker::save(StateWriter& writer) const {
    for (const TableCounts& table : tables) save_table(writer, table);
    for (const BaseCounts& base : bases) {
        writer.number(base.real);
        writer.number(base.partial);
        writer.number(base.expired);
    }
    for (const IndexCounts& index : indexes) {
        writer.number(index.expected);
        writer.number(index.held);
        writer.number(index.exempt);
        writer.number(index.uncovered);
    }
    writer.number(damaged.size());
    for (const DamagedRow& row : damaged) {
        writer.number(row.index);
        writer.number(row.side == Side::index ? 1 : 0);
        writer.bytes(store::encode_key(row.key));
    }
}

void ScanWorker::load(StateReader& reader) {
    for (TableCounts& table : tables) load_table(reader, table);
    for (BaseCounts& base : bases) {
        base.real = reader.number();
        base.partial = reader.number();
        base.expired = reader.number();
    }
    for (IndexCounts& index : indexes) {
        index.expected = reader.number();
        index.held = reader.number();
        index.exempt = reader.number();
        index.uncovered = reader.number();
    }
    damaged.resize(reader.count());
    for (DamagedRow& row : damaged) {
        row.index = reader.number();
        row.side = reader.number() != 0 ? Side::index : Side::base;
        const auto key = store::decode_key(reader.bytes());
        if (!key || row.index >= indexes.size()) reader.fail();
        row.key = *key;
    }
}

void ScanWorker::add(const ScanWorker& other) {
    for (std::size_t table = 0; table < tables.size(); ++table) {
        add_table(tables[table], other.tables[table]);
    }
    for (std::size_t base = 0; base < bases.size(); ++base) {
        bases[base].real += other.bases[base].real;
        bases[base].partial += other.bases[base].partial;
        bases[base].expired += other.bases[base].expired;
    }
    for (std::size_t index = 0; index < indexes.size(); ++index) {
        indexes[index].expected += other.indexes[index].expected;
        indexes[index].held += other.indexes[index].held;
        indexes[index].exempt += other.indexes[index].exempt;
        indexes[index].uncovered += other.indexes[index].uncovered;
    }
    damaged.insert(damaged.end(), other.damaged.begin(), other.damaged.end());
}

void ScanWorker::sort_damaged() {
    std::vector<std::tuple<std::size_t, Side, store::Bytes, std::size_t>> order;
    for (const DamagedRow& row : damaged) {
        order.emplace_back(row.index, row.side, store::encode_key(row.key), order.size());
    }
    std::sort(order.begin(), order.end());
    std::vector<DamagedRow> sorted;
    for (const auto& place : order) sorted.push_back(std::move(damaged[std::get<3>(place)]));
    damaged = std::move(sorted);
}

}  // namespace idxfsck::audit
