#include "audit/share.hpp"

#include <charconv>

namespace idxfsck::audit {

std::string share_name(const Share& share) {
    return std::to_string(share.number) + "/" + std::to_string(share.count);
}

std::optional<Share> read_share(std::string_view text) {
    Share share;
    const char* const end = text.data() + text.size();
    const auto number = std::from_chars(text.data(), end, share.number);
    if (number.ec != std::errc{} || number.ptr == end || *number.ptr != '/') return std::nullopt;
    const auto count = std::from_chars(number.ptr + 1, end, share.count);
    if (count.ec != std::errc{} || count.ptr != end || !share.valid()) return std::nullopt;
    return share;
}

}  // namespace idxfsck::audit
