// store/dynamodb/item.hpp
//
// Items of DynamoDB and rows of ours: the same values, of the ten kinds that DynamoDB has.
//
// Shape    Numbers come and go in their canonical spelling, so that a row reads as it was written:
//          DynamoDB keeps the number, not its text.
// Errors   A JSON object that is no item of the table is a reason, a value. Text of any bytes is
//          taken; nothing here throws but for what cannot be written.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "store/json/row_parser.hpp"
#include "store/row.hpp"

namespace idxfsck::store {

// The value as DynamoDB would give it back; nothing for what it cannot hold: guids, date-times,
// numbers of more than 38 digits or beyond its range, NaN, empty sets, text that is not UTF-8.
std::optional<Value> dynamodb_value(const ValueView& value);

// The row as DynamoDB would give it back; nothing if it cannot hold it.
std::optional<Row> dynamodb_row(const Row& row);

// Takes items apart. Keeps its buffers; one per thread.
class ItemReader {
public:
    // `key_names` must outlive the reader.
    explicit ItemReader(const std::vector<Bytes>& key_names);

    // `json` is one object: {"name": {"S": "…"}}. What is wrong with it, or an empty text; then
    // key() and attributes() are the item's until the next call.
    std::string_view read(BytesView json);

    std::span<const ValueView> key() const { return key_; }
    BytesView attributes() const { return attributes_; }
    Row row() const;

private:
    std::string_view take(const ParsedAttribute& attribute);
    ValueView canonical(const ValueView& value);

    const std::vector<Bytes>& key_names_;
    RowParser parser_;
    Bytes line_;
    std::vector<ValueView> key_;
    std::vector<Bytes> key_payloads_;
    Value kept_;
    Bytes attributes_;
};

// Appends {"name":{"S":"…"},…} with the components of the key. Throws Error for what DynamoDB has
// no type for.
void append_key(Bytes& out, const std::vector<Bytes>& names, const Key& key);
// The same for the whole row.
void append_item(Bytes& out, const std::vector<Bytes>& names, const Row& row);
// {"S":"…"}
void append_typed_value(Bytes& out, const ValueView& value);

}  // namespace idxfsck::store
