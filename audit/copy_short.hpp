// audit/copy_short.hpp
//
// Copies the few bytes that keys and pointers have: two overlapping words for up to 32 bytes, four
// for up to 64, without a call or a loop.
//
// Threads  A plain function. The ranges must not overlap.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace idxfsck::audit {

struct SixteenBytes {
    std::uint64_t low, high;
};

template <typename Word>
void copy_ends(char* to, const char* from, std::size_t size) {
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
}

inline void copy_short(char* to, const char* from, std::size_t size) {
    if (size > 64) {
        std::memcpy(to, from, size);
    } else if (size > 32) {
        copy_ends<SixteenBytes>(to, from, 32);
        copy_ends<SixteenBytes>(to + size - 32, from + size - 32, 32);
    } else if (size >= 16) {
        copy_ends<SixteenBytes>(to, from, size);
    } else if (size >= 8) {
        copy_ends<std::uint64_t>(to, from, size);
    } else if (size >= 4) {
        copy_ends<std::uint32_t>(to, from, size);
    } else {
        for (std::size_t index = 0; index < size; ++index) to[index] = from[index];
    }
}

}  // namespace idxfsck::audit
