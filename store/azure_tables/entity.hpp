// store/azure_tables/entity.hpp
//
// Rows of a table service (entities) and rows of ours: the same values, of the eight kinds that
// such tables have.
//
// Shape    The key is PartitionKey and RowKey, both text. Timestamp is the service's own and moves
//          with every write: it is no attribute. The row's version is its ETag.
//          A Double is written with its type: an emulator forgets that 2.0 was one. A decimal
//          number is written as Int32, Int64 or the Double of that spelling; others are refused.
// Errors   A JSON object that is no entity is a reason, a value.
// Threads  An EntityReader belongs to one thread.
// Source   "Payload format for Table service operations", "Understanding the Table service data
//          model", Microsoft Learn.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "store/json/row_parser.hpp"
#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

constexpr BytesView partition_key_name = "PartitionKey";
constexpr BytesView row_key_name = "RowKey";

// The key of every table.
const std::vector<Bytes>& entity_key_names();

// What a key may be. The emulator takes no more characters than the service takes bytes of UTF-16:
// 512 of them in 1 KiB.
KeyLimits table_key_limits();

// Can a row have this key? Two texts within the limits.
bool possible_entity_key(const Key& key);

// The row as the service would give it back: without nulls, of the kinds that it has. Nothing if it
// cannot hold it; `why_not` then says why, without data, and `attribute` names the attribute.
struct HeldRow {
    std::optional<Row> row;
    std::string_view why_not;
    Bytes attribute;
};
HeldRow held_row(const Row& row);

// Takes entities apart. Keeps its buffers; one per thread.
class EntityReader {
public:
    // `json` is one object, with line_padding readable bytes behind it. What is wrong with it, or
    // an empty text; then the rest is the entity's until the next call.
    std::string_view read(BytesView json);

    // Two texts.
    std::span<const ValueView> key() const { return key_; }
    BytesView attributes() const { return attributes_; }
    BytesView version() const { return version_; }
    Row row() const;

private:
    RowParser parser_{Shape::azure};
    std::vector<ValueView> key_;
    Bytes attributes_;
    Bytes version_;
};

// The row as JSON, key and all.
Bytes entity_text(const Row& row);

// Of a page: its entities, as views into the body, which must have line_padding bytes of capacity
// behind its end. Why not, or an empty text.
std::string_view entities_in(const Bytes& body, std::vector<BytesView>& out);

}  // namespace idxfsck::store
