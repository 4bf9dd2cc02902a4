#include "audit/language/utf8.hpp"

#include <cstring>
#include <limits>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/ucasemap.h>
#include <unicode/utf8.h>

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;

// Longer texts would overflow ICU's 32-bit sizes after growing threefold.
constexpr std::size_t text_bytes_max = 256 << 20;

const UCaseMap* case_map() {
    static const UCaseMap* const map = [] {
        UErrorCode error = U_ZERO_ERROR;
        const UCaseMap* opened = ucasemap_open("", 0, &error);
        store::ensure(U_SUCCESS(error) != 0, "the root locale has a case map");
        return opened;
    }();
    return map;
}

bool is_lower(CaseChange change) {
    return change != CaseChange::upper && change != CaseChange::upper_simple;
}

BytesView change_ascii(Arena& arena, BytesView text, bool lower) {
    const char first = lower ? 'A' : 'a';
    const char last = lower ? 'Z' : 'z';
    std::size_t same = 0;
    while (same < text.size() && (text[same] < first || text[same] > last)) ++same;
    if (same == text.size()) return text;
    char* const out = arena.allocate(text.size());
    std::memcpy(out, text.data(), same);
    for (std::size_t index = same; index < text.size(); ++index) {
        const char character = text[index];
        const bool changes = character >= first && character <= last;
        out[index] = static_cast<char>(changes ? character ^ 0x20 : character);
    }
    return {out, text.size()};
}

// Character by character, as .NET and Go do: no character becomes two.
BytesView change_simply(Arena& arena, BytesView text, bool lower) {
    const auto size = static_cast<std::int32_t>(text.size());
    const std::int32_t capacity = size * 2 + 4;
    char* const out = arena.allocate(static_cast<std::size_t>(capacity));
    std::int32_t written = 0;
    for (std::int32_t index = 0; index < size;) {
        UChar32 character = 0;
        U8_NEXT_UNSAFE(text.data(), index, character);
        character = lower ? u_tolower(character) : u_toupper(character);
        U8_APPEND_UNSAFE(out, written, character);
    }
    arena.give_back(static_cast<std::size_t>(capacity - written));
    return {out, static_cast<std::size_t>(written)};
}

BytesView change_fully(Arena& arena, BytesView text, CaseChange change) {
    const auto map = change == CaseChange::lower   ? &ucasemap_utf8ToLower
                     : change == CaseChange::upper ? &ucasemap_utf8ToUpper
                                                   : &ucasemap_utf8FoldCase;
    const auto size = static_cast<std::int32_t>(text.size());
    const std::int32_t capacity = size * 3 + 4;
    char* const out = arena.allocate(static_cast<std::size_t>(capacity));
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t written = map(case_map(), out, capacity, text.data(), size, &error);
    store::ensure(U_SUCCESS(error) && written <= capacity, "case maps to at most three times");
    arena.give_back(static_cast<std::size_t>(capacity - written));
    return {out, static_cast<std::size_t>(written)};
}

const icu::Normalizer2* normalizer(NormalForm form) {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* found = nullptr;
    switch (form) {
        case NormalForm::nfc: found = icu::Normalizer2::getNFCInstance(error); break;
        case NormalForm::nfkc: found = icu::Normalizer2::getNFKCInstance(error); break;
        case NormalForm::nfd: found = icu::Normalizer2::getNFDInstance(error); break;
        case NormalForm::nfkd: found = icu::Normalizer2::getNFKDInstance(error); break;
    }
    store::ensure(U_SUCCESS(error) && found != nullptr, "ICU has its normalizers");
    return found;
}

// Writes into `out`; says how many bytes it would have needed.
std::size_t normalize_into(char* out, std::size_t capacity, BytesView text, NormalForm form) {
    UErrorCode error = U_ZERO_ERROR;
    icu::CheckedArrayByteSink sink{out, static_cast<std::int32_t>(capacity)};
    normalizer(form)->normalizeUTF8(
        0, {text.data(), static_cast<std::int32_t>(text.size())}, sink, nullptr, error);
    store::ensure(U_SUCCESS(error) != 0, "UTF-8 can be normalized");
    return static_cast<std::size_t>(sink.NumberOfBytesAppended());
}

bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

bool is_trimmed(UChar32 character) {
    return character == 0xFEFF || u_hasBinaryProperty(character, UCHAR_WHITE_SPACE) != 0;
}

bool is_changeable(BytesView text) {
    return text.size() <= text_bytes_max && store::is_utf8(text);
}

}  // namespace

bool is_ascii(BytesView bytes) {
    std::size_t index = 0;
    for (; index + 8 <= bytes.size(); index += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + index, 8);
        if ((word & 0x8080808080808080U) != 0) return false;
    }
    for (; index < bytes.size(); ++index) {
        if ((static_cast<unsigned char>(bytes[index]) & 0x80) != 0) return false;
    }
    return true;
}

std::optional<BytesView> change_case(Arena& arena, BytesView text, CaseChange change) {
    if (is_ascii(text)) return change_ascii(arena, text, is_lower(change));
    if (!is_changeable(text)) return std::nullopt;
    const bool simple = change == CaseChange::lower_simple || change == CaseChange::upper_simple;
    if (simple) return change_simply(arena, text, is_lower(change));
    return change_fully(arena, text, change);
}

std::optional<BytesView> normalize(Arena& arena, BytesView text, NormalForm form) {
    if (is_ascii(text)) return text;
    if (!is_changeable(text)) return std::nullopt;
    std::size_t capacity = text.size() + text.size() / 2 + 16;
    char* out = arena.allocate(capacity);
    const std::size_t needed = normalize_into(out, capacity, text, form);
    if (needed <= capacity) {
        arena.give_back(capacity - needed);
        return BytesView{out, needed};
    }
    arena.give_back(capacity);
    out = arena.allocate(needed);
    normalize_into(out, needed, text, form);
    return BytesView{out, needed};
}

std::size_t bytes_of_characters(BytesView text, std::size_t count) {
    std::size_t index = 0;
    for (; count > 0 && index < text.size(); --count) {
        ++index;
        while (index < text.size() && is_continuation(text[index])) ++index;
    }
    return index;
}

BytesView cut_text(BytesView text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    std::size_t end = bytes_max;
    // At most three bytes back: more continuation bytes than that are no character.
    for (int back = 0; back < 3 && end > 0 && is_continuation(text[end]); ++back) --end;
    return text.substr(0, is_continuation(text[end]) ? bytes_max : end);
}

std::size_t utf16_units(BytesView text) {
    std::size_t units = 0;
    for (const char byte : text) {
        if (is_continuation(byte)) continue;
        units += static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
    }
    return units;
}

std::optional<BytesView> to_utf16(Arena& arena, BytesView text, bool big_endian) {
    if (!is_changeable(text)) return std::nullopt;
    const std::size_t size = utf16_units(text) * 2;
    char* const out = arena.allocate(size);
    std::size_t written = 0;
    const auto put = [&](std::uint32_t unit) {
        out[written++] = static_cast<char>(big_endian ? unit >> 8 : unit);
        out[written++] = static_cast<char>(big_endian ? unit : unit >> 8);
    };
    for (std::size_t index = 0; index < text.size();) {
        UChar32 character = 0;
        U8_NEXT_UNSAFE(text.data(), index, character);
        if (character >= 0x10000) {
            put(static_cast<std::uint32_t>(U16_LEAD(character)));
            put(static_cast<std::uint32_t>(U16_TRAIL(character)));
        } else {
            put(static_cast<std::uint32_t>(character));
        }
    }
    return BytesView{out, size};
}

BytesView trim_space(BytesView text, bool left, bool right) {
    auto begin = std::int32_t{0};
    if (text.size() > text_bytes_max) return text;
    auto end = static_cast<std::int32_t>(text.size());
    while (left && begin < end) {
        std::int32_t next = begin;
        UChar32 character = 0;
        U8_NEXT(text.data(), next, end, character);
        if (character < 0 || !is_trimmed(character)) break;
        begin = next;
    }
    while (right && begin < end) {
        std::int32_t before = end;
        UChar32 character = 0;
        U8_PREV(text.data(), begin, before, character);
        if (character < 0 || !is_trimmed(character)) break;
        end = before;
    }
    return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace idxfsck::audit::language
