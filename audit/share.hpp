// audit/share.hpp
//
// Which part of the work one scan of several does: share 3 of 8, written 3/8.
//
// Shape    The partitions of all tables are counted through, from 0, in the order of the
//          parameters; share number k of n has those whose number leaves k - 1 when divided by n.
//          So each share has some of every table, and 1/2, 2/4 and 4/4 make a whole, too.
// Threads  A plain value.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idxfsck::audit {

struct Share {
    std::uint64_t number = 1;  // from 1 to `count`
    std::uint64_t count = 1;

    bool valid() const { return number >= 1 && number <= count; }
    bool has(std::uint64_t partition) const { return partition % count == number - 1; }

    friend auto operator<=>(const Share&, const Share&) = default;
};

// "3/8".
std::string share_name(const Share& share);
// Nothing if the text names no share.
std::optional<Share> read_share(std::string_view text);

}  // namespace idxfsck::audit
