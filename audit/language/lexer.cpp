#include "audit/language/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace idxfsck::audit::language {

namespace {

constexpr std::array<std::string_view, 7> words{"and", "or", "not", "in", "true", "false", "null"};

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool starts_name(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_' || character == '$' || static_cast<unsigned char>(character) >= 0x80;
}

bool continues_name(char character) {
    return starts_name(character) || is_digit(character) || character == '-';
}

bool is_space(char character) {
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

}  // namespace

Token Lexer::token(TokenKind kind, std::size_t begin, std::string text) const {
    return {kind, std::move(text), 0, begin, next_ - begin};
}

Token Lexer::next() {
    while (next_ < text_.size() && is_space(text_[next_])) ++next_;
    if (next_ >= text_.size()) return token(TokenKind::end, next_, {});
    const char first = text_[next_];
    if (first == '\'' || first == '"') return quoted(first, TokenKind::text);
    if (first == '`') return quoted(first, TokenKind::quoted_name);
    const bool negative = first == '-' && next_ + 1 < text_.size() && is_digit(text_[next_ + 1]);
    if (is_digit(first) || negative) return number();
    if (starts_name(first)) return name(TokenKind::name, next_);
    if (first == '@') {
        ++next_;
        return name(TokenKind::element, next_ - 1);
    }
    return sign();
}

Token Lexer::quoted(char quote, TokenKind kind) {
    const std::size_t begin = next_++;
    std::string text;
    while (next_ < text_.size()) {
        const char character = text_[next_++];
        if (character != quote) {
            text.push_back(character);
        } else if (next_ < text_.size() && text_[next_] == quote) {
            text.push_back(quote);
            ++next_;
        } else {
            Token whole = token(kind, begin, std::move(text));
            whole.quote = quote;
            return whole;
        }
    }
    return token(TokenKind::wrong, begin, std::string{text_.substr(begin)});
}

Token Lexer::number() {
    const std::size_t begin = next_++;
    const auto digits = [&] {
        while (next_ < text_.size() && is_digit(text_[next_])) ++next_;
    };
    digits();
    if (next_ + 1 < text_.size() && text_[next_] == '.' && is_digit(text_[next_ + 1])) {
        ++next_;
        digits();
    }
    if (next_ < text_.size() && (text_[next_] == 'e' || text_[next_] == 'E')) {
        std::size_t exponent = next_ + 1;
        if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) {
            ++exponent;
        }
        if (exponent < text_.size() && is_digit(text_[exponent])) {
            next_ = exponent;
            digits();
        }
    }
    return token(TokenKind::number, begin, std::string{text_.substr(begin, next_ - begin)});
}

Token Lexer::name(TokenKind kind, std::size_t begin) {
    while (next_ < text_.size() && continues_name(text_[next_])) ++next_;
    return token(kind, begin, std::string{text_.substr(begin, next_ - begin)});
}

Token Lexer::sign() {
    constexpr std::array<std::string_view, 4> pairs{"==", "!=", "<=", ">="};
    const std::size_t begin = next_;
    const std::string_view two = text_.substr(begin, 2);
    if (std::find(pairs.begin(), pairs.end(), two) != pairs.end()) {
        next_ += 2;
        return token(TokenKind::sign, begin, std::string{two});
    }
    ++next_;
    constexpr std::string_view signs = "<>()[]{},.|";
    const bool known = signs.find(text_[begin]) != std::string_view::npos;
    return token(known ? TokenKind::sign : TokenKind::wrong, begin,
                 std::string{text_.substr(begin, 1)});
}

bool is_plain_name(std::string_view name) {
    if (name.empty() || !starts_name(name[0])) return false;
    if (!std::all_of(name.begin(), name.end(), continues_name)) return false;
    return std::find(words.begin(), words.end(), name) == words.end();
}

}  // namespace idxfsck::audit::language
