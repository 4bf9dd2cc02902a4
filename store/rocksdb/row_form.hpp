// store/rocksdb/row_form.hpp
//
// How the rows of a table lie as keys and values in a column family: a strategy, so that one way of
// scanning and splitting serves this tool's own tables and those of other applications.
//
// Errors   Bytes are never trusted: a decoder says whether they are a row, and does not throw.
// Threads  A RowForm may be used by many threads, a RowDecoder belongs to one.

#pragma once

#include <memory>
#include <optional>
#include <span>

#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

class RowDecoder {
public:
    virtual ~RowDecoder() = default;

    // False if the bytes are no row. The views are valid until the next call and as long as the
    // bytes are. Whether the attributes are well formed may be left to whoever walks them.
    virtual bool decode(BytesView key, BytesView value) = 0;

    std::span<const ValueView> key() const { return key_; }
    BytesView attributes() const { return attributes_; }
    BytesView version() const { return version_; }

protected:
    std::span<const ValueView> key_;
    BytesView attributes_;
    BytesView version_;
};

class RowForm {
public:
    virtual ~RowForm() = default;

    // The bytes of a key. Nothing if no row of the table can have this key. Throws Error if it does
    // not have the components of the table.
    virtual std::optional<Bytes> encode_key(const Key& key) const = 0;

    // For a scan: fast. For point reads: with everything that a row is written back by.
    virtual std::unique_ptr<RowDecoder> scan_decoder() const = 0;
    virtual std::unique_ptr<RowDecoder> read_decoder() const { return scan_decoder(); }

    // The bytes that keys of the table begin with, others in the family do not.
    virtual BytesView prefix() const { return {}; }
};

// A row as owned values, from what a decoder holds.
Row decoded_row(const RowDecoder& decoder);

// Of this tool's own tables: row_format.hpp, key_codec.hpp. The schema must outlive the form.
std::shared_ptr<const RowForm> own_row_form(const TableSchema& schema);

}  // namespace idxfsck::store
