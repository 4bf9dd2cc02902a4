// audit/language/seen.hpp
//
// The entries that a row has yielded already: an entry is derived, or read from a list, once.
//
// Shape    A hash table with open addressing over entry bytes; the bytes are compared, so a clash
//          of hashes loses nothing. It keeps its memory, up to kept_slots_max, when it is cleared.
// Threads  Belongs to one thread.

#pragma once

#include <cstdint>
#include <vector>

#include "audit/entry_bytes.hpp"
#include "store/bytes.hpp"

namespace idxfsck::audit::language {

class Seen {
public:
    static constexpr std::size_t kept_slots_max = 1 << 16;
    static constexpr std::size_t kept_bytes_max = 1 << 20;

    void clear();

    // False if an equal entry came before.
    bool insert(const EntryView& entry);

private:
    struct Item {
        std::uint64_t hash;
        std::size_t begin;
        std::size_t size;
    };

    void grow();
    store::BytesView bytes_of(const Item& item) const;
    // The slot that holds an equal item, or the free one where it belongs.
    std::size_t find(std::uint64_t hash, store::BytesView bytes) const;

    std::vector<std::uint32_t> slots_;  // position in items_, plus one; 0: free
    std::vector<Item> items_;
    store::Bytes bytes_;
    EntryBytes canonical_;
};

}  // namespace idxfsck::audit::language
