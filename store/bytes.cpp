#include "store/bytes.hpp"

namespace idxfsck::store {

void append_varint(Bytes& out, std::uint64_t value) {
    while (value >= 0x80) {
        out.push_back(static_cast<char>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

bool take_long_varint(BytesView& in, std::uint64_t& value) {
    std::uint64_t result = 0;
    for (std::size_t index = 0; index < in.size() && index < 10; ++index) {
        const auto byte = static_cast<std::uint8_t>(in[index]);
        if (index == 9 && byte > 1) return false;
        result |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * index);
        if (byte < 0x80) {
            // One number, one spelling: rows are compared by their bytes.
            if (byte == 0 && index > 0) return false;
            in.remove_prefix(index + 1);
            value = result;
            return true;
        }
    }
    return false;
}

Bytes to_hex(BytesView bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    Bytes out;
    out.reserve(bytes.size() * 2);
    for (const char character : bytes) {
        const auto byte = static_cast<std::uint8_t>(character);
        out.push_back(digits[byte >> 4]);
        out.push_back(digits[byte & 15]);
    }
    return out;
}

}  // namespace idxfsck::store
