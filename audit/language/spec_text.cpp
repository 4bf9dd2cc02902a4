#include "audit/language/spec_text.hpp"

namespace idxfsck::audit::language {

namespace {

bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Bytes that a code point takes up in UTF-8.
std::size_t utf8_size(std::uint32_t code) {
    if (code < 0x80) return 1;
    if (code < 0x800) return 2;
    return code < 0x10000 ? 3 : 4;
}

std::uint32_t hex_value(std::string_view digits) {
    std::uint32_t value = 0;
    for (const char digit : digits) {
        const bool decimal = digit >= '0' && digit <= '9';
        const int number = decimal ? digit - '0' : (digit | 32) - 'a' + 10;
        value = value * 16 + static_cast<std::uint32_t>(number);
    }
    return value;
}

// Walks the source of a string, one byte of its value after the other.
class StringWalk {
public:
    StringWalk(std::string_view text, std::size_t at, SpecPlace place)
        : text_{text}, at_{at}, place_{place} {}

    SpecPlace walk(std::size_t offset);

private:
    void open();
    // Goes past one unit of the source; says how many bytes of the value it made.
    std::size_t step();
    std::size_t escape();
    void move(std::size_t bytes);

    std::string_view text_;
    std::size_t at_;
    SpecPlace place_;
    char quote_ = 0;
    bool multi_line_ = false;
};

void StringWalk::move(std::size_t bytes) {
    for (; bytes > 0 && at_ < text_.size(); --bytes) {
        const char byte = text_[at_++];
        if (byte == '\n') {
            ++place_.line;
            place_.column = 1;
        } else if (!is_continuation(byte)) {
            ++place_.column;
        }
    }
}

void StringWalk::open() {
    quote_ = text_[at_];
    const std::string_view three = text_.substr(at_, 3);
    multi_line_ = three.size() == 3 && three[1] == quote_ && three[2] == quote_;
    move(multi_line_ ? 3 : 1);
    if (!multi_line_) return;
    // A line break right after the opening quotes is no part of the value.
    if (text_.substr(at_, 2) == "\r\n") {
        move(2);
    } else if (text_.substr(at_, 1) == "\n") {
        move(1);
    }
}

std::size_t StringWalk::escape() {
    const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : 0;
    if (kind == 'u' || kind == 'U') {
        const std::size_t digits = kind == 'u' ? 4 : 8;
        const std::size_t made = utf8_size(hex_value(text_.substr(at_ + 2, digits)));
        move(2 + digits);
        return made;
    }
    const bool joins_lines = kind == '\n' || kind == '\r' || kind == ' ' || kind == '\t';
    if (!joins_lines) {
        move(2);
        return 1;
    }
    move(1);
    constexpr std::string_view spaces = " \t\r\n";
    while (at_ < text_.size() && spaces.find(text_[at_]) != std::string_view::npos) move(1);
    return 0;
}

std::size_t StringWalk::step() {
    if (quote_ == '"' && text_[at_] == '\\') return escape();
    move(1);
    return 1;
}

SpecPlace StringWalk::walk(std::size_t offset) {
    open();
    while (offset > 0 && at_ < text_.size()) {
        const std::size_t made = step();
        offset -= std::min(offset, made);
    }
    // An escape that joins lines makes nothing: the next byte stands behind it.
    while (at_ < text_.size() && quote_ == '"' && multi_line_ && text_[at_] == '\\') {
        StringWalk ahead = *this;
        if (ahead.escape() != 0) break;
        *this = ahead;
    }
    return place_;
}

}  // namespace

std::size_t SpecText::offset_of(SpecPlace place) const {
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < place.line; ++line) {
        const std::size_t end = text_.find('\n', at);
        if (end == std::string_view::npos) return text_.size();
        at = end + 1;
    }
    for (std::uint32_t column = 1; column < place.column && at < text_.size(); ++column) {
        ++at;
        while (at < text_.size() && is_continuation(text_[at])) ++at;
    }
    return at;
}

SpecPlace SpecText::within(SpecPlace begin, std::size_t offset) const {
    const std::size_t at = offset_of(begin);
    const bool string = at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
    return string ? StringWalk{text_, at, begin}.walk(offset) : begin;
}

}  // namespace idxfsck::audit::language
