// store/rocksdb/raw_form.hpp
//
// Rows of a table that some other application wrote, by the layout that a spec declares.
//
// Shape    The version of a row is "", but where reading for a write finds a value with a second
//          spelling (JSON with spaces, or with its members in another order): then it is the bytes
//          of the value, so that undoing a write puts back these and no others.
// Errors   encode_value throws Error, with the attribute that the layout has no room for.

#pragma once

#include "store/rocksdb/raw_layout.hpp"
#include "store/rocksdb/row_form.hpp"

namespace idxfsck::store {

// The key components of a layout, in order.
TableSchema raw_schema(const RawTable& table);

class RawRowForm final : public RowForm {
public:
    explicit RawRowForm(RawTable table);

    std::optional<Bytes> encode_key(const Key& key) const override;
    std::unique_ptr<RowDecoder> scan_decoder() const override;
    std::unique_ptr<RowDecoder> read_decoder() const override;
    BytesView prefix() const override { return table_.prefix; }

    const RawTable& table() const { return table_; }
    // As the row's version says, if that is a spelling of its attributes; else in the one that this
    // tool writes.
    Bytes encode_value(const Row& row) const;
    // The row as reading it back would give it: numbers of the kinds of their fields. Throws Error.
    Row as_stored(const Row& row) const;
    // The same, and the row itself if there is no room for it.
    Row as_stored_or_same(const Row& row) const;

private:
    const RawTable table_;
    const TableSchema schema_;
};

}  // namespace idxfsck::store
