// audit/language/utf8.hpp
//
// Characters of UTF-8: case, normal forms, counting and cutting.
//
// Errors   Bytes that are no UTF-8 are refused by those that change characters: guessing what a
//          writer did with them would accuse wrongly.
// Source   ICU, root locale: never the machine's locale.

#pragma once

#include <optional>

#include "audit/language/arena.hpp"
#include "store/bytes.hpp"

namespace idxfsck::audit::language {

enum class CaseChange { lower, upper, fold, lower_simple, upper_simple };
enum class NormalForm { nfc, nfkc, nfd, nfkd };

bool is_ascii(store::BytesView bytes);

// Nothing: `text` is no UTF-8. The result lies in the arena, or is `text` itself.
std::optional<store::BytesView> change_case(Arena& arena, store::BytesView text, CaseChange change);
std::optional<store::BytesView> normalize(Arena& arena, store::BytesView text, NormalForm form);

// Bytes that the first `count` characters of `text` take up; a stray byte counts as a character.
std::size_t bytes_of_characters(store::BytesView text, std::size_t count);

// The longest prefix of at most `bytes_max` bytes that cuts no character in two.
store::BytesView cut_text(store::BytesView text, std::size_t bytes_max);

// How many UTF-16 code units `text` would take up.
std::size_t utf16_units(store::BytesView text);

// Appends `text` as UTF-16 without a byte order mark. Nothing: `text` is no UTF-8.
std::optional<store::BytesView> to_utf16(Arena& arena, store::BytesView text, bool big_endian);

// Without white space, as Unicode has it, and byte order marks at the ends that are asked for.
store::BytesView trim_space(store::BytesView text, bool left, bool right);

}  // namespace idxfsck::audit::language
