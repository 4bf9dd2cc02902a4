// audit/language/arena.hpp
//
// Bytes that live until the row is done: a bump allocator that keeps its memory.
//
// Shape    Chunks, each twice as large as the last, at least as large as what is asked for.
//          A chunk never moves, so views stay good until reset().
// Units    Bytes. After reset() at most `kept_bytes_max` stay allocated, so that one huge row does
//          not cost memory for ever.
// Threads  Belongs to one thread.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "store/bytes.hpp"

namespace idxfsck::audit::language {

class Arena {
public:
    static constexpr std::size_t chunk_bytes_min = 4096;
    static constexpr std::size_t kept_bytes_max = 1 << 20;

    // Uninitialized bytes, not aligned.
    char* allocate(std::size_t size) {
        if (current_ < chunks_.size() && chunks_[current_].size - used_ >= size) {
            char* const place = chunks_[current_].bytes.get() + used_;
            used_ += size;
            return place;
        }
        return allocate_elsewhere(size);
    }

    // Gives back the end of what the last call of allocate returned.
    void give_back(std::size_t size) { used_ -= size; }

    store::BytesView copy(store::BytesView bytes);

    // Forgets all bytes; every view into the arena is dead.
    void reset() {
        current_ = 0;
        used_ = 0;
        if (total_ > kept_bytes_max) shrink();
    }

private:
    struct Chunk {
        std::unique_ptr<char[]> bytes;
        std::size_t size = 0;
    };

    char* allocate_elsewhere(std::size_t size);
    void shrink();

    std::vector<Chunk> chunks_;
    std::size_t current_ = 0;
    std::size_t used_ = 0;
    std::size_t total_ = 0;
};

}  // namespace idxfsck::audit::language
