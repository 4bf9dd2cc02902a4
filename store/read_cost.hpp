// store/read_cost.hpp
//
// What the reads of a table have cost, where a store bills them; and the writes, where it says.
//
// Units    Read and write units, as the store counts them in its answers. Dollars at the prices
//          that the spec states for the store, if it states one for all that there was.

#pragma once

#include <cstdint>
#include <optional>

namespace idxfsck::store {

struct ReadCost {
    double scan_units = 0.0;
    double point_units = 0.0;     // of rows that were read by their keys
    std::uint64_t requests = 0;   // sent, the repeated ones too
    std::uint64_t retries = 0;    // of these, because an earlier answer was none
    std::uint64_t throttles = 0;  // answers that said: slower
    std::optional<double> dollars;
    double write_units = 0.0;

    // Of reads.
    double units() const { return scan_units + point_units; }

    friend bool operator==(const ReadCost&, const ReadCost&) = default;
};

}  // namespace idxfsck::store
