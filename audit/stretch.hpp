// audit/stretch.hpp
//
// A part of a table that is walked in one go: a partition as it was cut at the start, or a piece of
// one, or what is left of either after a break.

#pragma once

#include <optional>

#include "store/schema.hpp"

namespace idxfsck::audit {

struct Stretch {
    std::size_t table = 0;   // position in Programs::tables
    std::size_t origin = 0;  // number of the partition that it was cut from
    store::Bytes label;      // of that partition
    store::Partition partition;
    std::optional<store::Position> resume;  // nothing: from its start

    friend bool operator==(const Stretch&, const Stretch&) = default;
};

}  // namespace idxfsck::audit
