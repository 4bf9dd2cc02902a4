#include "store/azure_tables/odata_text.hpp"

#include "store/http/url_text.hpp"

namespace idxfsck::store {

Bytes odata_text(BytesView text) {
    Bytes out = "'";
    for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
    return out.append("'");
}

Bytes entity_path(BytesView table, BytesView partition_key, BytesView row_key) {
    Bytes out = "/" + url_encoded(table) + "(PartitionKey=";
    out.append(url_encoded(odata_text(partition_key))).append(",RowKey=");
    return out.append(url_encoded(odata_text(row_key))).append(")");
}

}  // namespace idxfsck::store
