#include "store/azure_tables/url_text.hpp"

namespace idxfsck::store {

Bytes url_encoded(BytesView text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    Bytes out;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                           (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_' || c == '~';
        const auto byte = static_cast<std::uint8_t>(c);
        if (plain) out.push_back(c);
        else out.append(1, '%').append(1, digits[byte >> 4]).push_back(digits[byte & 15]);
    }
    return out;
}

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
