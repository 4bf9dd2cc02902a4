// store/dynamodb/table_description.hpp
//
// What DynamoDB says of a table.
//
// Errors   Parsing gives nothing for text that describes no table.

#pragma once

#include <optional>
#include <vector>

#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

struct TableDescription {
    TableSchema schema;              // with the kind of each key component
    std::vector<Bytes> own_indexes;  // names of those that DynamoDB keeps: no tables
    Bytes status;                    // "ACTIVE"
    std::uint64_t rows = 0;          // as counted some hours ago
    std::uint64_t bytes = 0;
    Bytes account;                   // whose table it is; empty: not said

    // Can rows be read and written in this state?
    bool usable() const;

    friend bool operator==(const TableDescription&, const TableDescription&) = default;
};

// Of the answer to DescribeTable.
std::optional<TableDescription> table_in(BytesView body);

// Of the answer to DescribeTimeToLive: the attribute by which DynamoDB deletes, empty if it deletes
// by none.
std::optional<Bytes> expiry_in(BytesView body);

// Of the answer to ListTables: the names, and the one to go on from if there are more.
struct TableNames {
    std::vector<Bytes> names;
    std::optional<Bytes> last;
};
std::optional<TableNames> table_names_in(BytesView body);

}  // namespace idxfsck::store
