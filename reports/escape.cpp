#include "reports/escape.hpp"

#include <cstdint>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <fmt/format.h>

namespace idxfsck::reports {

namespace {

// More marks on one letter than any script needs are there to overflow the line.
constexpr int marks_in_a_row_max = 3;

bool is_mark(UChar32 character) {
    const auto category = u_charType(character);
    return category == U_NON_SPACING_MARK || category == U_ENCLOSING_MARK;
}

// Would a person see this character, where it stands and as what it is?
bool is_visible(UChar32 character) {
    if (character == ' ') return true;
    if (u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return false;
    switch (u_charType(character)) {
        case U_UNASSIGNED:
        case U_CONTROL_CHAR:
        case U_FORMAT_CHAR:
        case U_PRIVATE_USE_CHAR:
        case U_SURROGATE:
        case U_SPACE_SEPARATOR:
        case U_LINE_SEPARATOR:
        case U_PARAGRAPH_SEPARATOR: return false;
        default: return true;
    }
}

class TerminalEscaper {
public:
    explicit TerminalEscaper(bool quotes) : quotes_{quotes} {}

    std::string escape(std::string_view bytes) {
        const char* text = bytes.data();
        const auto size = static_cast<std::int64_t>(bytes.size());
        for (std::int64_t index = 0; index < size;) {
            const std::int64_t begin = index;
            UChar32 character = 0;
            U8_NEXT(text, index, size, character);
            const auto length = static_cast<std::size_t>(index - begin);
            append(character, bytes.substr(static_cast<std::size_t>(begin), length));
        }
        return std::move(escaped_);
    }

private:
    void append(UChar32 character, std::string_view bytes) {
        if (character < 0 || (character < 0x80 && !is_visible(character))) return append_hex(bytes);
        if (character == '\\' || (quotes_ && character == '"')) {
            escaped_.push_back('\\');
            escaped_.append(bytes);
            marks_ = 0;
            return;
        }
        marks_ = is_mark(character) ? marks_ + 1 : 0;
        const bool bears = !is_mark(character) || (letter_before_ && marks_ <= marks_in_a_row_max);
        if (!is_visible(character) || !bears) return append_code_point(character);
        escaped_.append(bytes);
        letter_before_ = character != ' ';
    }

    void append_hex(std::string_view bytes) {
        for (const char byte : bytes) {
            fmt::format_to(std::back_inserter(escaped_), "\\x{:02x}",
                           static_cast<unsigned char>(byte));
        }
        letter_before_ = false;
    }

    void append_code_point(UChar32 character) {
        fmt::format_to(std::back_inserter(escaped_), "\\u{{{:x}}}",
                       static_cast<std::uint32_t>(character));
        letter_before_ = false;
    }

    bool quotes_;
    bool letter_before_ = false;  // something that a combining mark can stand on
    int marks_ = 0;               // combining marks in a row
    std::string escaped_;
};

// The length of the longest start of `bytes` that is no longer than `bytes_max` and cuts no
// character in two.
std::size_t cut(std::string_view bytes, std::size_t bytes_max) {
    if (bytes.size() <= bytes_max) return bytes.size();
    std::size_t end = bytes_max;
    // A character has three following bytes at most; more of them are no UTF-8 anyway.
    for (int back = 0; back < 3 && end > 0 && U8_IS_TRAIL(bytes[end]); ++back) --end;
    return end;
}

}  // namespace

std::string escape_terminal(std::string_view bytes) {
    return TerminalEscaper{false}.escape(bytes);
}

std::string quote_terminal(std::string_view bytes, std::size_t bytes_max) {
    const std::size_t end = cut(bytes, bytes_max);
    std::string quoted{'"'};
    quoted.append(TerminalEscaper{true}.escape(bytes.substr(0, end))).push_back('"');
    if (end < bytes.size()) quoted.append(fmt::format("...({} bytes)", grouped(bytes.size())));
    return quoted;
}

std::string valid_utf8(std::string_view bytes) {
    std::string valid;
    const auto size = static_cast<std::int64_t>(bytes.size());
    for (std::int64_t index = 0; index < size;) {
        const std::int64_t begin = index;
        UChar32 character = 0;
        U8_NEXT(bytes.data(), index, size, character);
        for (std::int64_t at = begin; at < index; ++at) {
            const char byte = bytes[static_cast<std::size_t>(at)];
            if (character >= 0) {
                valid.push_back(byte);
            } else {
                valid.append(fmt::format("\\x{:02x}", static_cast<unsigned char>(byte)));
            }
        }
    }
    return valid;
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t rest = digits.size(); rest > 3; rest -= 3) digits.insert(rest - 3, 1, ',');
    return digits;
}

}  // namespace idxfsck::reports
