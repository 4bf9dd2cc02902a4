// store/key_filter.hpp
//
// A set of keys that a scan is asked for, so small and quick that a store can try it on every row
// before it decodes the rest.
//
// Shape    Hashes of keys in an open-addressed table. Numbers are one key in all their spellings.
// Errors   None. It may let a few keys through that are not wanted, and never holds one back.
// Threads  A plain value; const calls may run at once.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "store/row.hpp"

namespace idxfsck::store {

class KeyFilter {
public:
    explicit KeyFilter(std::span<const Key> keys);

    bool may_hold(std::span<const ValueView> key) const {
        const std::uint64_t hash = hash_of(key);
        std::size_t place = hash & mask_;
        while (table_[place] != 0) {
            if (table_[place] == hash) return true;
            place = (place + 1) & mask_;
        }
        return false;
    }

private:
    // Never 0, which marks a free place.
    static std::uint64_t hash_of(std::span<const ValueView> key);

    void add(std::uint64_t hash);

    std::vector<std::uint64_t> table_;
    std::size_t mask_ = 0;
};

}  // namespace idxfsck::store
