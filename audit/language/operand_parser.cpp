#include "audit/language/parser.hpp"

#include <charconv>
#include <utility>

#include "audit/language/nearest.hpp"
#include "audit/language/transform_call.hpp"

namespace idxfsck::audit::language {

namespace {

// Longer paths than any value that a store holds is deep.
constexpr std::size_t path_steps_max = 64;
constexpr std::size_t transforms_max = 64;
constexpr std::size_t arguments_max = 4096;

std::string seen_text(const Token& token) {
    return token.kind == TokenKind::end ? "end of text" : token.text;
}

bool is_name(const Token& token, bool in_braces) {
    return token.kind == TokenKind::name || token.kind == TokenKind::quoted_name ||
           (in_braces && token.kind == TokenKind::text && token.quote == '"');
}

Operand text_operand(const Token& token) {
    Operand operand;
    operand.literal = store::Value::text(token.text);
    operand.offset = token.offset;
    return operand;
}

}  // namespace

bool OperandParser::at_sign(std::string_view sign) const {
    return token_.kind == TokenKind::sign && token_.text == sign;
}

bool OperandParser::at_word(std::string_view word) const {
    return token_.kind == TokenKind::name && token_.text == word;
}

std::nullopt_t OperandParser::fault(std::string text, std::string hint) {
    if (token_.kind == TokenKind::wrong && token_.size > 1) {
        faults_.push_back({token_.offset, "text without its closing quote", token_.text,
                           "a quote within the text is written twice"});
    } else {
        faults_.push_back({token_.offset, std::move(text), seen_text(token_), std::move(hint)});
    }
    return std::nullopt;
}

bool OperandParser::expect_sign(std::string_view sign, std::string_view what) {
    if (!at_sign(sign)) {
        fault("expected `" + std::string{sign} + "` " + std::string{what});
        return false;
    }
    advance();
    return true;
}

std::optional<Operand> OperandParser::operand(bool in_braces) {
    std::optional<Operand> result = source(in_braces);
    if (!result || !transforms(*result)) return std::nullopt;
    return result;
}

std::optional<Operand> OperandParser::operand_from_name(const Token& name) {
    Operand result;
    result.source = Source::attribute;
    result.path.attribute = name.text;
    result.offset = name.offset;
    if (!path_steps(result.path.steps, false) || !transforms(result)) return std::nullopt;
    return result;
}

std::optional<Operand> OperandParser::source(bool in_braces) {
    if (!in_braces && at_sign("{")) {
        advance();
        std::optional<Operand> inner = operand(true);
        if (!inner || !expect_sign("}", "after the operand")) return std::nullopt;
        return inner;
    }
    if (token_.kind == TokenKind::element) return element();
    const bool reserved = at_word("true") || at_word("false") || at_word("null");
    if (!reserved && is_name(token_, in_braces)) {
        Operand result;
        result.offset = token_.offset;
        const bool plain = token_.kind == TokenKind::name;
        result.path.attribute = token_.text;
        result.source = Source::attribute;
        advance();
        if (plain && result.path.attribute == "now" && at_sign("(")) {
            advance();
            result.source = Source::now;
            result.path = {};
            if (!expect_sign(")", "after `now(`")) return std::nullopt;
            return result;
        }
        if (result.path.attribute.empty()) {
            return fault("an attribute needs a name");
        }
        if (!path_steps(result.path.steps, in_braces)) return std::nullopt;
        return result;
    }
    return literal();
}

std::optional<Operand> OperandParser::element() {
    Operand result;
    result.offset = token_.offset;
    if (token_.text == "@item") {
        result.source = Source::item;
    } else if (token_.text == "@key") {
        result.source = Source::key;
    } else if (token_.text == "@value") {
        result.source = Source::value;
    } else {
        return fault("unknown element", "one of: @item, @key, @value");
    }
    advance();
    if (!path_steps(result.path.steps, true)) return std::nullopt;
    return result;
}

std::optional<Operand> OperandParser::literal() {
    Operand result = text_operand(token_);
    if (token_.kind == TokenKind::number) {
        result.literal = store::Value::number(token_.text);
    } else if (at_word("true") || at_word("false")) {
        result.literal = store::Value::boolean(token_.text == "true");
    } else if (at_word("null")) {
        result.literal = store::Value::null();
    } else if (token_.kind != TokenKind::text) {
        return fault("expected an attribute or a value");
    }
    advance();
    return result;
}

bool OperandParser::path_steps(std::vector<PathStep>& steps, bool in_braces) {
    while (at_sign(".") || at_sign("[")) {
        if (steps.size() == path_steps_max) {
            fault("the path is too long");
            return false;
        }
        if (!path_step(steps, in_braces)) return false;
    }
    return true;
}

bool OperandParser::path_step(std::vector<PathStep>& steps, bool in_braces) {
    const bool member = at_sign(".");
    advance();
    if (member) {
        if (!is_name(token_, in_braces)) {
            fault("expected the name of a member after `.`",
                  "a name with odd characters stands between `back quotes`");
            return false;
        }
        steps.push_back({token_.text, std::nullopt});
        advance();
        return true;
    }
    std::size_t element = 0;
    const char* const end = token_.text.data() + token_.text.size();
    const auto [stop, error] = std::from_chars(token_.text.data(), end, element);
    if (token_.kind != TokenKind::number || error != std::errc{} || stop != end) {
        fault("expected the number of an element after `[`", "the first element is [0]");
        return false;
    }
    steps.push_back({{}, element});
    advance();
    return expect_sign("]", "after the number of an element");
}

bool OperandParser::transforms(Operand& operand) {
    while (at_sign("|")) {
        advance();
        if (operand.transforms.size() == transforms_max) {
            fault("too many transforms");
            return false;
        }
        if (!transform(operand)) return false;
    }
    return true;
}

bool OperandParser::transform(Operand& operand) {
    if (token_.kind != TokenKind::name) {
        fault("expected a transform after `|`");
        return false;
    }
    TransformCall call;
    call.info = find_transform(token_.text);
    call.offset = token_.offset;
    const std::size_t size = token_.text.size();
    if (call.info == nullptr) {
        const std::vector<std::string_view> names = transform_names();
        fault("unknown transform", suggest(token_.text, names));
        return false;
    }
    advance();
    if (at_sign("(") && !arguments(call)) return false;
    if (!check_call(call, size)) return false;
    operand.transforms.push_back(std::move(call));
    return true;
}

bool OperandParser::arguments(TransformCall& call) {
    advance();
    if (at_sign(")")) {
        advance();
        return true;
    }
    while (true) {
        if (!next_argument(call)) return false;
        if (!at_sign(",")) return expect_sign(")", "after the arguments");
        advance();
    }
}

bool OperandParser::next_argument(TransformCall& call) {
    Argument argument{Argument::Kind::text, token_.text, token_.offset};
    if (token_.kind == TokenKind::number) {
        argument.kind = Argument::Kind::number;
    } else if (token_.kind == TokenKind::name) {
        argument.kind = Argument::Kind::word;
    } else if (token_.kind != TokenKind::text) {
        fault("expected an argument", "a text in quotes, a number or a word");
        return false;
    }
    if (call.arguments.size() == arguments_max) {
        fault("too many arguments");
        return false;
    }
    call.arguments.push_back(std::move(argument));
    advance();
    return true;
}

std::optional<Operand> OperandParser::operand_from_call(const Token& name) {
    TransformCall call;
    call.info = find_transform(name.text);
    call.offset = name.offset;
    if (!expect_sign("(", "after the function")) return std::nullopt;
    std::optional<Operand> result = operand(false);
    if (!result) return std::nullopt;
    while (at_sign(",")) {
        advance();
        if (!next_argument(call)) return std::nullopt;
    }
    if (!expect_sign(")", "after the arguments")) return std::nullopt;
    if (!check_call(call, name.text.size())) return std::nullopt;
    result->transforms.push_back(std::move(call));
    if (!transforms(*result)) return std::nullopt;
    return result;
}

bool OperandParser::check_call(const TransformCall& call, std::size_t size) {
    std::optional<Fault> wrong = check_arguments(call, size);
    if (!wrong) return true;
    faults_.push_back(std::move(*wrong));
    return false;
}

}  // namespace idxfsck::audit::language
