#include "store/http/url_text.hpp"

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

}  // namespace idxfsck::store
