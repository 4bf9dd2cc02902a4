#include "audit/live_rows.hpp"

#include "audit/spellings.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"

namespace idxfsck::audit {

namespace {

// Keys that stand in two rows: those beyond are doubted as well, but not named.
constexpr std::size_t twice_named_max = 20;

}  // namespace

LiveRows::LiveRows(const Programs& programs, const TableReaders& readers, TaskPool* pool)
    : programs_{programs},
      readers_{readers},
      pool_{pool},
      tables_(programs.tables.size()) {}

void LiveRows::want(std::size_t table, const store::Key& key) {
    if (!can_be_key(key)) return;
    for (const store::Key& spelling : spellings(key)) want_spelling(tables_[table], spelling);
}

void LiveRows::want_spelling(Table& table, const store::Key& key) {
    const auto [place, is_new] = table.rows.try_emplace(store::encode_key(key));
    if (is_new) table.wanted.push_back(key);
}

bool LiveRows::is_searched(std::size_t table) const {
    return pool_ != nullptr && readers_[table]->capabilities().reads_by_scan;
}

// All tables in one walk.
void LiveRows::search() {
    std::vector<SearchedTable> searched(tables_.size());
    for (std::size_t number = 0; number < tables_.size(); ++number) {
        if (is_searched(number)) searched[number].wanted.swap(tables_[number].wanted);
    }
    const std::vector<Gap> gaps = search_rows(programs_, readers_, *pool_, searched);
    gaps_.insert(gaps_.end(), gaps.begin(), gaps.end());
    for (std::size_t number = 0; number < tables_.size(); ++number) {
        if (!searched[number].wanted.empty()) keep_searched(number, searched[number]);
    }
}

void LiveRows::keep_searched(std::size_t number, SearchedTable& searched) {
    Table& table = tables_[number];
    table.whole = table.whole && searched.whole;
    std::unordered_set<store::Bytes> seen;
    for (store::Row& row : searched.rows) {
        const store::Bytes key = store::encode_key(row.key);
        const auto wanted = table.rows.find(key);
        if (wanted == table.rows.end()) continue;
        if (seen.insert(key).second) {
            wanted->second = std::move(row);
            continue;
        }
        if (!table.twice.insert(key).second || table.twice.size() > twice_named_max) continue;
        gaps_.push_back({programs_.tables[number].schema.name,
                         "key " + store::readable_key(key), "it stands in two rows"});
    }
}

void LiveRows::fetch() {
    if (pool_ != nullptr) search();
    for (std::size_t number = 0; number < tables_.size(); ++number) {
        Table& table = tables_[number];
        if (table.wanted.empty()) continue;
        auto rows = readers_[number]->read(programs_.tables[number].schema.name, table.wanted);
        store::ensure(rows.size() == table.wanted.size(), "one answer for each key");
        for (std::size_t position = 0; position < rows.size(); ++position) {
            if (rows[position]) bytes_ += rows[position]->attributes.size();
            table.rows[store::encode_key(table.wanted[position])] = std::move(rows[position]);
        }
        table.wanted.clear();
    }
}

const store::Row* LiveRows::row(std::size_t table, const store::Key& key) const {
    if (!can_be_key(key)) return nullptr;
    const Table& of = tables_[table];
    for (const store::Key& spelling : spellings(key)) {
        const auto found = of.rows.find(store::encode_key(spelling));
        store::ensure(found != of.rows.end(), "a row is fetched before it is used");
        if (!found->second) continue;
        doubt_ = doubt_ || of.twice.contains(found->first);
        return &*found->second;
    }
    doubt_ = doubt_ || !of.whole;
    return nullptr;
}

void LiveRows::clear() {
    for (Table& table : tables_) table = {};
    bytes_ = 0;
}

}  // namespace idxfsck::audit
