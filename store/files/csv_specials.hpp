// store/files/csv_specials.hpp
//
// A walk over the characters of CSV that may end a field: separators, line feeds and quotes, 64
// bytes at a time.
//
// Limits   The text must be followed by 64 readable bytes.
// Threads  A plain value.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace idxfsck::store {

constexpr std::size_t csv_block_bytes = 64;

// One bit a byte, of a block: those that may end a field, and those that are no ASCII.
struct CsvMask {
    std::uint64_t special = 0;
    std::uint64_t beyond = 0;
};

#if defined(__SSE2__)

inline CsvMask csv_mask(const char* block, char separator) {
    const __m128i separators = _mm_set1_epi8(separator);
    const __m128i feeds = _mm_set1_epi8('\n');
    const __m128i quotes = _mm_set1_epi8('"');
    CsvMask mask;
    for (std::size_t done = 0; done < csv_block_bytes; done += sizeof(__m128i)) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + done));
        const __m128i special = _mm_or_si128(
            _mm_cmpeq_epi8(bytes, separators),
            _mm_or_si128(_mm_cmpeq_epi8(bytes, feeds), _mm_cmpeq_epi8(bytes, quotes)));
        const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(special));
        const auto beyond = static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
        mask.special |= std::uint64_t{bits} << done;
        mask.beyond |= std::uint64_t{beyond} << done;
    }
    return mask;
}

#else

inline CsvMask csv_mask(const char* block, char separator) {
    CsvMask mask;
    for (std::size_t place = 0; place < csv_block_bytes; ++place) {
        const char byte = block[place];
        const bool special = byte == separator || byte == '\n' || byte == '"';
        mask.special |= std::uint64_t{special} << place;
        mask.beyond |= std::uint64_t{static_cast<std::uint8_t>(byte) >= 0x80} << place;
    }
    return mask;
}

#endif

class CsvSpecials {
public:
    explicit CsvSpecials(char separator) : separator_{separator} {}

    void restart(const char* at, const char* end) {
        block_ = at;
        end_ = end;
        look();
    }

    const char* end() const { return end_; }

    // The next one, or the end.
    const char* next() {
        while (mask_.special == 0) {
            if (end_ - block_ <= static_cast<std::ptrdiff_t>(csv_block_bytes)) return end_;
            block_ += csv_block_bytes;
            look();
        }
        const char* const at = block_ + std::countr_zero(mask_.special);
        mask_.special &= mask_.special - 1;
        return std::min(at, end_);
    }

    // Were there bytes beyond ASCII, about, since this was last asked?
    bool take_beyond_ascii() {
        const bool seen = beyond_ != 0;
        // The block may go on into the next record.
        beyond_ = mask_.beyond;
        return seen;
    }

private:
    void look() {
        mask_ = csv_mask(block_, separator_);
        beyond_ |= mask_.beyond;
    }

    char separator_;
    const char* block_ = nullptr;
    const char* end_ = nullptr;
    CsvMask mask_;
    std::uint64_t beyond_ = 0;
};

}  // namespace idxfsck::store
