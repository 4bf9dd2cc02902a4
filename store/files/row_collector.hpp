// store/files/row_collector.hpp
//
// Picks the rows of wanted keys out of a scan.
//
// Errors   take_rows() throws Error if a key is in no row and some rows are damaged, so that one of
//          them may have been it, and if a key is in two rows.
// Threads  Belongs to one thread.

#pragma once

#include <unordered_map>
#include <vector>

#include "store/reader.hpp"

namespace idxfsck::store {

class RowCollector : public RowSink {
public:
    // Throws Error if a key does not have the components of the table.
    RowCollector(TableSchema table, std::span<const Key> keys);

    const KeyFilter& filter() const { return filter_; }

    void row(const RowView& row) override;
    bool page_end(const Position&) override { return true; }
    void damaged(BytesView name) override;

    // One answer a key, in order.
    std::vector<std::optional<Row>> take_rows();

private:
    TableSchema table_;
    std::vector<Bytes> keys_;  // encoded, in order
    KeyFilter filter_;
    std::unordered_map<Bytes, std::optional<Row>> rows_;
    std::optional<Bytes> damaged_;
};

}  // namespace idxfsck::store
