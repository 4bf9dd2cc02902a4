// audit/language/lexer.hpp
//
// Cuts a condition, or what stands between the braces of a template, into tokens.
//
// Shape    name      letters, digits, _ $ - and all characters beyond ASCII, not starting with a
//                    digit or -; or anything between back quotes
//          text      '…', the quote itself doubled; "…" likewise. There are no backslash escapes,
//                    so that a regular expression is written as it is.
//          number    [-]digits[.digits][e[+-]digits]
//          element   @name
//          sign      == != <= >= < > ( ) [ ] { } , . |
// Errors   A character that starts no token, or a text without its end: a token of kind `wrong`.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace idxfsck::audit::language {

enum class TokenKind { end, name, quoted_name, text, number, element, sign, wrong };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;          // without quotes, doubled quotes made one
    char quote = 0;            // of text: which one
    std::size_t offset = 0;
    std::size_t size = 0;      // bytes in the source
};

class Lexer {
public:
    // Offsets of tokens are counted from the start of `text`; reading starts at `begin`.
    explicit Lexer(std::string_view text, std::size_t begin = 0) : text_{text}, next_{begin} {}

    Token next();

private:
    Token quoted(char quote, TokenKind kind);
    Token number();
    Token name(TokenKind kind, std::size_t begin);
    Token sign();
    Token token(TokenKind kind, std::size_t begin, std::string text) const;

    std::string_view text_;
    std::size_t next_;
};

// Would `name` be read as one name token that is no word of the language?
bool is_plain_name(std::string_view name);

}  // namespace idxfsck::audit::language
