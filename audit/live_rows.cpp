#include "audit/live_rows.hpp"

#include "audit/spellings.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::audit {

LiveRows::LiveRows(const Programs& programs, const TableReaders& readers)
    : programs_{programs}, readers_{readers}, tables_(programs.tables.size()) {}

void LiveRows::want(std::size_t table, const store::Key& key) {
    if (!can_be_key(key)) return;
    for (const store::Key& spelling : spellings(key)) want_spelling(tables_[table], spelling);
}

void LiveRows::want_spelling(Table& table, const store::Key& key) {
    const auto [place, is_new] = table.rows.try_emplace(store::encode_key(key));
    if (is_new) table.wanted.push_back(key);
}

void LiveRows::fetch() {
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
    for (const store::Key& spelling : spellings(key)) {
        const auto found = tables_[table].rows.find(store::encode_key(spelling));
        store::ensure(found != tables_[table].rows.end(), "a row is fetched before it is used");
        if (found->second) return &*found->second;
    }
    return nullptr;
}

void LiveRows::clear() {
    for (Table& table : tables_) table = {};
    bytes_ = 0;
}

}  // namespace idxfsck::audit
