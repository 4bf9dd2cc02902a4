// store/azure_tables/odata_text.hpp
//
// Addresses of tables and rows, and conditions of queries, as the service reads them.
//
// Source   OData 3.0 URI conventions: a quote inside of a text is doubled.

#pragma once

#include "store/bytes.hpp"

namespace idxfsck::store {

// 'it''s', not yet encoded.
Bytes odata_text(BytesView text);

// /table(PartitionKey='…',RowKey='…'), encoded.
Bytes entity_path(BytesView table, BytesView partition_key, BytesView row_key);

}  // namespace idxfsck::store
