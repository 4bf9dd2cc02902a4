// reports/escape.hpp
//
// Data made harmless, one function a sink. Keys and values are bytes that anyone may have written:
// nothing of them may move the cursor, colour the screen, reorder a line or break out of it.
//
// Shape    Terminal: what is printable in UTF-8 stays as it is; `\` becomes `\\`; bytes that are no
//          UTF-8, and ASCII controls, become \xNN; every other invisible, reordering or unassigned
//          character becomes \u{…}, and so does every space but the ASCII one and a combining mark
//          with nothing to combine with. The escapes are unambiguous: bytes can be told from them.
// Errors   None: every input is valid.
// Source   Trojan Source (CVE-2021-42574) for what reorders; Unicode general categories.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace idxfsck::reports {

// For a line on a terminal or in a log, without quotes.
std::string escape_terminal(std::string_view bytes);

// The same in double quotes, with `"` as \". Longer than `bytes_max`: cut there, at a character,
// with three dots and the whole length after the quotes: "aaaa"...(2,048 bytes).
std::string quote_terminal(std::string_view bytes, std::size_t bytes_max);

// Keys longer than this are cut in text reports; JSON has them whole.
constexpr std::size_t shown_bytes_max = 120;

// For a JSON string that must be UTF-8 (texts of ours with data in them): bytes that are no UTF-8
// become \xNN, all else stays. The JSON writer escapes the rest.
std::string valid_utf8(std::string_view bytes);

// 1234567 as 1,234,567.
std::string grouped(std::uint64_t number);

}  // namespace idxfsck::reports
