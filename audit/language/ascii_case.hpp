// audit/language/ascii_case.hpp
//
// Lower case of ASCII text, eight bytes at a time.
//
// Threads  Plain functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace idxfsck::audit::language {

// Of eight ASCII characters: adding makes bit 7 of a byte say that it is at least 'A', or above
// 'Z'; the difference, moved to bit 5, is what turns a capital into its small letter.
inline std::uint64_t lower_ascii_word(std::uint64_t word) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    const std::uint64_t from_a = word + ones * (0x80 - 'A');
    const std::uint64_t above_z = word + ones * (0x80 - 'Z' - 1);
    return word | ((from_a & ~above_z & (ones * 0x80)) >> 2);
}

inline bool is_ascii_word(std::uint64_t word) { return (word & 0x8080808080808080) == 0; }

// Writes `size` bytes to `to`. False, with something written, if `from` is not ASCII. The ranges
// must not overlap.
inline bool lower_ascii(char* to, const char* from, std::size_t size) {
    std::uint64_t word = 0;
    if (size < 8) {
        std::memcpy(&word, from, size);
        const std::uint64_t lower = lower_ascii_word(word);
        std::memcpy(to, &lower, size);
        return is_ascii_word(word);
    }
    std::uint64_t seen = 0;
    const auto step = [&](std::size_t at) {
        std::memcpy(&word, from + at, 8);
        seen |= word;
        const std::uint64_t lower = lower_ascii_word(word);
        std::memcpy(to + at, &lower, 8);
    };
    for (std::size_t at = 0; at + 8 <= size; at += 8) step(at);
    // The last eight, some of them again.
    step(size - 8);
    return is_ascii_word(seen);
}

}  // namespace idxfsck::audit::language
