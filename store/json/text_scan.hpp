// store/json/text_scan.hpp
//
// Looking for single characters sixteen bytes at a time.
//
// Limits   Reads up to 16 bytes behind what it is given, of any content: line_padding.
// Threads  Plain functions.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "store/bytes.hpp"

namespace idxfsck::store {

constexpr std::size_t scan_step_bytes = 16;

// One bit a byte, of the sixteen from `at` on.
struct TextMask {
    std::uint32_t special = 0;   // quotes, backslashes and control characters
    std::uint32_t beyond = 0;    // bytes that are no ASCII
};

#if defined(__SSE2__)

inline TextMask text_mask(const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i last_control = _mm_set1_epi8(0x1f);
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i escape = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i special = _mm_or_si128(control, _mm_or_si128(quote, escape));
    return {static_cast<std::uint32_t>(_mm_movemask_epi8(special)),
            static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))};
}

// Do the bytes at `at` begin with `size` bytes at `wanted`? Both are padded.
inline bool begins_with(const char* at, const char* wanted, std::size_t size) {
    for (std::size_t done = 0; done < size; done += scan_step_bytes) {
        const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + done));
        const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(wanted + done));
        const auto differ =
            ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b))) & 0xffffU;
        const std::size_t left = size - done;
        const std::uint32_t counts =
            left >= scan_step_bytes ? 0xffffU : (std::uint32_t{1} << left) - 1;
        if ((differ & counts) != 0) return false;
    }
    return true;
}

#else

inline TextMask text_mask(const char* at) {
    TextMask mask;
    for (std::size_t place = 0; place < scan_step_bytes; ++place) {
        const auto byte = static_cast<std::uint8_t>(at[place]);
        const bool special = byte < 0x20 || byte == '"' || byte == '\\';
        mask.special |= std::uint32_t{special} << place;
        mask.beyond |= std::uint32_t{byte >= 0x80} << place;
    }
    return mask;
}

inline bool begins_with(const char* at, const char* wanted, std::size_t size) {
    return std::memcmp(at, wanted, size) == 0;
}

#endif

// Moves over characters of a JSON string that stand for themselves, and notes whether one of them
// is no ASCII. Gives the first one that is something else; if there is none before `end`, some
// place behind it.
inline const char* skip_plain_text(const char* at, const char* end, bool& beyond_ascii) {
    for (;;) {
        const TextMask mask = text_mask(at);
        if (mask.special == 0) {
            beyond_ascii = beyond_ascii || mask.beyond != 0;
            at += scan_step_bytes;
            if (at >= end) return at;
            continue;
        }
        const int count = std::countr_zero(mask.special);
        const std::uint32_t before = (std::uint32_t{1} << count) - 1;
        beyond_ascii = beyond_ascii || (mask.beyond & before) != 0;
        return at + count;
    }
}

}  // namespace idxfsck::store
