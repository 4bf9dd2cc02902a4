#include <utility>

#include "audit/language/parser.hpp"
#include "audit/language/transform_call.hpp"

namespace idxfsck::audit::language {

namespace {

class TemplateParser {
public:
    TemplateParser(std::string_view text, Faults& faults) : text_{text}, faults_{faults} {}

    std::optional<Template> parse();

private:
    bool literal();
    bool hole();
    bool fault(std::size_t offset, std::string text, std::string seen, std::string hint);

    std::string_view text_;
    Faults& faults_;
    Template result_;
    std::size_t next_ = 0;
};

bool TemplateParser::fault(std::size_t offset, std::string text, std::string seen,
                           std::string hint) {
    faults_.push_back({offset, std::move(text), std::move(seen), std::move(hint)});
    return false;
}

std::optional<Template> TemplateParser::parse() {
    while (next_ < text_.size()) {
        const bool brace = text_[next_] == '{' && text_.substr(next_, 2) != "{{";
        if (!(brace ? hole() : literal())) return std::nullopt;
    }
    if (result_.parts.empty()) result_.parts.push_back({});
    return std::move(result_);
}

bool TemplateParser::literal() {
    TemplatePart part;
    while (next_ < text_.size()) {
        const char character = text_[next_];
        const bool brace = character == '{' || character == '}';
        const bool doubled = brace && next_ + 1 < text_.size() && text_[next_ + 1] == character;
        if (brace && !doubled) {
            if (character == '{') break;
            return fault(next_, "`}` without `{`", "}", "a literal brace is written twice: }}");
        }
        part.literal.push_back(character);
        next_ += doubled ? 2 : 1;
    }
    result_.parts.push_back(std::move(part));
    return true;
}

bool TemplateParser::hole() {
    const std::size_t begin = next_;
    OperandParser parser{Lexer{text_, begin + 1}, faults_};
    if (parser.at_sign("}")) {
        return fault(begin, "empty braces", "{}", "name an attribute: {Email}");
    }
    std::optional<Operand> operand = parser.operand(true);
    if (!operand) return false;
    if (!parser.at_sign("}")) {
        if (parser.token().kind == TokenKind::end) {
            return fault(begin, "`{` without `}`", std::string{text_.substr(begin)},
                         "a literal brace is written twice: {{");
        }
        parser.fault("expected `|` or `}` after the attribute",
                     "a name with odd characters stands between `back quotes`");
        return false;
    }
    next_ = parser.token().offset + 1;
    result_.parts.push_back({{}, std::move(operand)});
    return true;
}

// Binary bytes cannot stand within a text.
bool joins_texts(const Template& parsed, Faults& faults) {
    if (parsed.keeps_type()) return true;
    for (const TemplatePart& part : parsed.parts) {
        if (!part.operand || result_of(part.operand->transforms) != Gives::binary) continue;
        const TransformCall& last = part.operand->transforms.back();
        faults.push_back({last.offset, "binary bytes within a text", std::string{last.info->name},
                          "add |hex or |base64 after it"});
        return false;
    }
    return true;
}

}  // namespace

std::optional<Template> parse_template(std::string_view text, Faults& faults) {
    if (text.size() > text_bytes_max) {
        faults.push_back({0, "the template is too long", {}, "at most 64 KiB"});
        return std::nullopt;
    }
    std::optional<Template> parsed = TemplateParser{text, faults}.parse();
    if (!parsed || !joins_texts(*parsed, faults)) return std::nullopt;
    return parsed;
}

std::optional<Path> parse_path(std::string_view text, Faults& faults) {
    OperandParser parser{Lexer{text.substr(0, text_bytes_max)}, faults};
    const std::optional<Operand> operand = parser.operand(true);
    if (!operand) return std::nullopt;
    const bool whole = parser.token().kind == TokenKind::end;
    if (!whole || operand->source != Source::attribute || !operand->transforms.empty()) {
        faults.push_back({0, "expected the name of an attribute", std::string{text},
                          "a name with odd characters stands between `back quotes`"});
        return std::nullopt;
    }
    return operand->path;
}

}  // namespace idxfsck::audit::language
