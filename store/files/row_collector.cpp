#include "store/files/row_collector.hpp"

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"

namespace idxfsck::store {

RowCollector::RowCollector(TableSchema table, std::span<const Key> keys)
    : table_{std::move(table)}, filter_{keys} {
    for (const Key& key : keys) {
        keys_.push_back(encode_key_of(table_, key));
        rows_.try_emplace(keys_.back());
    }
}

void RowCollector::row(const RowView& row) {
    const auto wanted = rows_.find(encode_key(row.key));
    if (wanted == rows_.end()) return;
    if (wanted->second) {
        throw Error{"a key stands in two rows"}
            .with("table", table_.name)
            .with("key", readable_key(wanted->first))
            .hint("a table has one row for each key: are two exports in one folder?");
    }
    Row whole{{}, Bytes{row.attributes}, Bytes{row.version}};
    for (const ValueView& part : row.key) whole.key.emplace_back(part);
    wanted->second = std::move(whole);
}

void RowCollector::damaged(BytesView name) {
    if (!damaged_) damaged_ = name;
}

std::vector<std::optional<Row>> RowCollector::take_rows() {
    std::vector<std::optional<Row>> out;
    for (const Bytes& key : keys_) {
        out.push_back(rows_.at(key));
        if (out.back() || !damaged_) continue;
        throw Error{"the stored bytes are no row"}
            .with("table", table_.name)
            .with("key", readable_key(key))
            .with("row", *damaged_);
    }
    return out;
}

}  // namespace idxfsck::store
