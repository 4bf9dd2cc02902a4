#include <array>
#include <utility>

#include "audit/language/functions.hpp"
#include "audit/language/nearest.hpp"
#include "audit/language/parser.hpp"
#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

namespace {

constexpr std::size_t nodes_max = 10'000;

class ConditionParser {
public:
    ConditionParser(std::string_view text, Faults& faults)
        : tokens_{Lexer{text}, faults}, faults_{faults} {}

    std::optional<Condition> parse();

private:
    using Position = std::optional<std::size_t>;

    Position any_of(int depth);
    Position all_of(int depth);
    Position chain(NodeKind kind, int depth);
    Position one(int depth);
    Position negation(int depth);
    Position grouped(int depth);
    Position named();
    Position function(const Token& name);
    std::optional<std::vector<Operand>> operands();
    Position after_operand(Operand operand);
    Position compare(Operand left, Comparison comparison);
    Position one_of(Operand left, bool negated);
    std::optional<Comparison> comparison() const;
    Position add(ConditionNode node);

    OperandParser tokens_;
    Faults& faults_;
    Condition result_;
};

std::optional<Condition> ConditionParser::parse() {
    const Position root = any_of(0);
    if (!root) return std::nullopt;
    if (tokens_.token().kind != TokenKind::end) {
        return tokens_.fault("expected `and`, `or` or the end of the condition");
    }
    return std::move(result_);
}

ConditionParser::Position ConditionParser::add(ConditionNode node) {
    if (result_.nodes.size() == nodes_max) return tokens_.fault("the condition is too long");
    result_.nodes.push_back(std::move(node));
    return result_.nodes.size() - 1;
}

ConditionParser::Position ConditionParser::any_of(int depth) {
    return chain(NodeKind::any_of, depth);
}

ConditionParser::Position ConditionParser::all_of(int depth) {
    return chain(NodeKind::all_of, depth);
}

ConditionParser::Position ConditionParser::chain(NodeKind kind, int depth) {
    if (depth > depth_max) return tokens_.fault("the condition is nested too deeply");
    const std::string_view word = kind == NodeKind::any_of ? "or" : "and";
    ConditionNode node;
    node.kind = kind;
    node.offset = tokens_.token().offset;
    while (true) {
        const Position child = kind == NodeKind::any_of ? all_of(depth) : one(depth);
        if (!child) return std::nullopt;
        node.children.push_back(*child);
        if (!tokens_.at_word(word)) break;
        tokens_.advance();
    }
    return node.children.size() == 1 ? Position{node.children[0]} : add(std::move(node));
}

ConditionParser::Position ConditionParser::one(int depth) {
    if (tokens_.at_word("not")) return negation(depth);
    if (tokens_.at_sign("(")) return grouped(depth);
    const bool word =
        tokens_.at_word("true") || tokens_.at_word("false") || tokens_.at_word("null");
    if (tokens_.token().kind == TokenKind::name && !word) return named();
    std::optional<Operand> operand = tokens_.operand(false);
    return operand ? after_operand(std::move(*operand)) : std::nullopt;
}

ConditionParser::Position ConditionParser::negation(int depth) {
    if (depth > depth_max) return tokens_.fault("the condition is nested too deeply");
    ConditionNode node;
    node.kind = NodeKind::negation;
    node.offset = tokens_.token().offset;
    tokens_.advance();
    const Position child = one(depth + 1);
    if (!child) return std::nullopt;
    node.children.push_back(*child);
    return add(std::move(node));
}

ConditionParser::Position ConditionParser::grouped(int depth) {
    tokens_.advance();
    const Position inner = any_of(depth + 1);
    if (!inner || !tokens_.expect_sign(")", "after the condition")) return std::nullopt;
    return inner;
}

// An attribute, or a function, by what follows the name.
ConditionParser::Position ConditionParser::named() {
    const Token name = tokens_.token();
    if (name.text == "and" || name.text == "or" || name.text == "in") {
        return tokens_.fault("expected a condition",
                             "an attribute of that name stands between `back quotes`");
    }
    if (name.text == "now") {
        std::optional<Operand> operand = tokens_.operand(false);
        return operand ? after_operand(std::move(*operand)) : std::nullopt;
    }
    tokens_.advance();
    if (tokens_.at_sign("(")) return function(name);
    std::optional<Operand> operand = tokens_.operand_from_name(name);
    return operand ? after_operand(std::move(*operand)) : std::nullopt;
}

ConditionParser::Position ConditionParser::function(const Token& name) {
    const FunctionInfo* const info = find_function(name.text);
    if (info == nullptr) {
        if (find_transform(name.text) == nullptr) {
            faults_.push_back({name.offset, "unknown function", name.text,
                               suggest(name.text, function_names())});
            return std::nullopt;
        }
        std::optional<Operand> operand = tokens_.operand_from_call(name);
        return operand ? after_operand(std::move(*operand)) : std::nullopt;
    }
    std::optional<std::vector<Operand>> list = operands();
    if (!list) return std::nullopt;
    const bool literal = info->operands < 2 || list->size() < 2 || !(*list)[1].varies();
    if (list->size() != info->operands || !literal) {
        faults_.push_back({name.offset, "wrong arguments of a function", name.text,
                           "write " + name.text + std::string{info->arguments}});
        return std::nullopt;
    }
    ConditionNode node;
    node.kind = NodeKind::predicate;
    node.function = info;
    node.operands = std::move(*list);
    node.offset = name.offset;
    return add(std::move(node));
}

std::optional<std::vector<Operand>> ConditionParser::operands() {
    tokens_.advance();
    std::vector<Operand> list;
    while (true) {
        std::optional<Operand> operand = tokens_.operand(false);
        if (!operand) return std::nullopt;
        if (list.size() == nodes_max) return tokens_.fault("the list is too long");
        list.push_back(std::move(*operand));
        if (!tokens_.at_sign(",")) break;
        tokens_.advance();
    }
    if (!tokens_.expect_sign(")", "at the end of the list")) return std::nullopt;
    return list;
}

std::optional<Comparison> ConditionParser::comparison() const {
    constexpr std::array<std::string_view, 6> signs{"==", "!=", "<", "<=", ">", ">="};
    for (std::size_t index = 0; index < signs.size(); ++index) {
        if (tokens_.at_sign(signs[index])) return static_cast<Comparison>(index);
    }
    return std::nullopt;
}

ConditionParser::Position ConditionParser::after_operand(Operand operand) {
    if (const std::optional<Comparison> sign = comparison()) {
        return compare(std::move(operand), *sign);
    }
    if (tokens_.at_word("in")) return one_of(std::move(operand), false);
    if (tokens_.at_word("not")) return one_of(std::move(operand), true);
    if (tokens_.token().kind == TokenKind::wrong && tokens_.token().text == "=") {
        return tokens_.fault("expected a comparison", "equality is written ==");
    }
    ConditionNode node;
    node.kind = NodeKind::truth;
    node.offset = operand.offset;
    node.operands.push_back(std::move(operand));
    return add(std::move(node));
}

ConditionParser::Position ConditionParser::compare(Operand left, Comparison comparison) {
    tokens_.advance();
    std::optional<Operand> right = tokens_.operand(false);
    if (!right) return std::nullopt;
    ConditionNode node;
    node.kind = NodeKind::compare;
    node.comparison = comparison;
    node.offset = left.offset;
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(*right));
    return add(std::move(node));
}

ConditionParser::Position ConditionParser::one_of(Operand left, bool negated) {
    tokens_.advance();
    if (negated) {
        if (!tokens_.at_word("in")) return tokens_.fault("expected `in` after `not`");
        tokens_.advance();
    }
    if (!tokens_.at_sign("(")) return tokens_.fault("expected `(` after `in`");
    std::optional<std::vector<Operand>> list = operands();
    if (!list) return std::nullopt;
    ConditionNode node;
    node.kind = NodeKind::one_of;
    node.offset = left.offset;
    node.operands.push_back(std::move(left));
    for (Operand& operand : *list) node.operands.push_back(std::move(operand));
    const Position inner = add(std::move(node));
    if (!inner || !negated) return inner;
    ConditionNode outer;
    outer.kind = NodeKind::negation;
    outer.children.push_back(*inner);
    return add(std::move(outer));
}

}  // namespace

std::optional<Condition> parse_condition(std::string_view text, Faults& faults) {
    if (text.size() > text_bytes_max) {
        faults.push_back({0, "the condition is too long", {}, "at most 64 KiB"});
        return std::nullopt;
    }
    return ConditionParser{text, faults}.parse();
}

}  // namespace idxfsck::audit::language
