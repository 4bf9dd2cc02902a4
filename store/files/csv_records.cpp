#include "store/files/csv_records.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "store/error.hpp"
#include "store/json/line_reader.hpp"
#include "store/json/row_parser.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t block_bytes = 64;

static_assert(line_padding >= block_bytes);

#if defined(__SSE2__)

CsvMask mask_of(const char* block, char separator) {
    const __m128i separators = _mm_set1_epi8(separator);
    const __m128i feeds = _mm_set1_epi8('\n');
    const __m128i quotes = _mm_set1_epi8('"');
    CsvMask mask;
    for (std::size_t done = 0; done < block_bytes; done += sizeof(__m128i)) {
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

CsvMask mask_of(const char* block, char separator) {
    CsvMask mask;
    for (std::size_t place = 0; place < block_bytes; ++place) {
        const char byte = block[place];
        const bool special = byte == separator || byte == '\n' || byte == '"';
        mask.special |= std::uint64_t{special} << place;
        mask.beyond |= std::uint64_t{static_cast<std::uint8_t>(byte) >= 0x80} << place;
    }
    return mask;
}

#endif

}  // namespace

void CsvSpecials::restart(const char* at, const char* end) {
    block_ = at;
    end_ = end;
    mask_ = mask_of(block_, separator_);
    beyond_ = beyond_ || mask_.beyond != 0;
}

const char* CsvSpecials::next() {
    while (mask_.special == 0) {
        if (end_ - block_ <= static_cast<std::ptrdiff_t>(block_bytes)) return end_;
        block_ += block_bytes;
        mask_ = mask_of(block_, separator_);
        beyond_ = beyond_ || mask_.beyond != 0;
    }
    const char* const at = block_ + std::countr_zero(mask_.special);
    mask_.special &= mask_.special - 1;
    return std::min(at, end_);
}

bool CsvSpecials::take_beyond_ascii() {
    const bool seen = beyond_;
    // The block may go on into the next record.
    beyond_ = mask_.beyond != 0;
    return seen;
}

CsvRecords::CsvRecords(TextWindow& window, char separator)
    : window_{window}, specials_{separator} {}

CsvRecords::Step CsvRecords::next() {
    for (;;) {
        if (window_.rest().empty()) {
            expected_ = nullptr;
            if (!window_.more()) return Step::end;
        }
        begin_ = window_.offset();
        const Parsed parsed = parse();
        if (parsed != Parsed::cut) {
            const Step step = finish(parsed);
            if (step == Step::record && is_blank()) continue;
            return step;
        }
        if (window_.rest().size() > line_bytes_max_default) {
            throw Error{"a record of rows is too long"}
                .with("file", window_.input().file())
                .with("offset", std::to_string(begin_))
                .with("limit_bytes", std::to_string(line_bytes_max_default));
        }
        if (window_.more()) continue;
        problem_ = "a quote that is not closed";
        size_ = window_.rest().size();
        return finish(Parsed::damaged);
    }
}

CsvRecords::Step CsvRecords::finish(Parsed parsed) {
    const bool beyond_ascii = specials_.take_beyond_ascii();
    window_.drop(size_);
    expected_ = window_.begin();
    expected_end_ = window_.end();
    if (parsed == Parsed::damaged) {
        expected_ = nullptr;
        return Step::damaged;
    }
    if (!beyond_ascii || is_utf8({record_, size_})) return Step::record;
    problem_ = "text that is not UTF-8";
    return Step::damaged;
}

CsvRecords::Parsed CsvRecords::parse() {
    record_ = window_.begin();
    const char* const end = window_.end();
    if (record_ != expected_ || end != expected_end_) specials_.restart(record_, end);
    expected_ = nullptr;
    fields_.clear();
    const char* at = record_;
    for (;;) {
        CsvField field;
        const char* stop = specials_.next();
        if (stop == end) return Parsed::cut;
        field.begin = static_cast<std::uint32_t>(at - record_);
        field.end = static_cast<std::uint32_t>(stop - record_);
        if (*stop == '"') {
            if (stop != at) return parse_damaged(stop, end, "a quote within a field");
            const Parsed parsed = take_quoted(at, end, stop, field);
            if (parsed != Parsed::whole) return parsed;
        }
        fields_.push_back(field);
        at = stop + 1;
        if (*stop == '\n') break;
    }
    size_ = static_cast<std::size_t>(at - record_);
    CsvField& last = fields_.back();
    if (!last.quoted && last.end > last.begin && record_[last.end - 1] == '\r') --last.end;
    return Parsed::whole;
}

// `stop` is moved to what ends the field.
CsvRecords::Parsed CsvRecords::take_quoted(const char* begin, const char* end, const char*& stop,
                                           CsvField& field) {
    const char* quote = nullptr;
    for (;;) {
        quote = specials_.next();
        if (quote == end || quote + 1 == end) return Parsed::cut;
        if (*quote != '"') continue;
        if (quote[1] != '"') break;
        field.doubled = true;
        specials_.next();
    }
    stop = specials_.next();
    if (stop == end) return Parsed::cut;
    const bool before_feed = quote[1] == '\r' && stop == quote + 2 && *stop == '\n';
    if (*stop == '"' || (stop != quote + 1 && !before_feed)) {
        return parse_damaged(quote + 1, end, "something behind a closing quote");
    }
    field.quoted = true;
    field.begin = static_cast<std::uint32_t>(begin + 1 - record_);
    field.end = static_cast<std::uint32_t>(quote - record_);
    return Parsed::whole;
}

CsvRecords::Parsed CsvRecords::parse_damaged(const char* from, const char* end,
                                             std::string_view problem) {
    const void* feed = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
    if (feed == nullptr) return Parsed::cut;
    problem_ = problem;
    size_ = static_cast<std::size_t>(static_cast<const char*>(feed) + 1 - record_);
    return Parsed::damaged;
}

bool CsvRecords::is_blank() const {
    return fields_.size() == 1 && !fields_[0].quoted && fields_[0].begin == fields_[0].end;
}

BytesView CsvRecords::text(const CsvField& field) const {
    char* const begin = record_ + field.begin;
    std::size_t size = field.end - field.begin;
    if (field.doubled) {
        char* to = begin;
        for (const char* from = begin; from < begin + size; ++from) {
            *to++ = *from;
            if (*from == '"') ++from;
        }
        size = static_cast<std::size_t>(to - begin);
    }
    return {begin, size};
}

}  // namespace idxfsck::store
