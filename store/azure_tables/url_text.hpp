// store/azure_tables/url_text.hpp
//
// Addresses of tables and rows, and conditions of queries, as the service reads them.
//
// Source   RFC 3986, section 2; OData 3.0 URI conventions: a quote inside of a text is doubled.

#pragma once

#include <string>

#include "store/bytes.hpp"

namespace idxfsck::store {

// Percent-encodes all but letters, digits and -._~.
Bytes url_encoded(BytesView text);

// 'it''s', not yet encoded.
Bytes odata_text(BytesView text);

// /table(PartitionKey='…',RowKey='…'), encoded.
Bytes entity_path(BytesView table, BytesView partition_key, BytesView row_key);

}  // namespace idxfsck::store
