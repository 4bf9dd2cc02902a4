// audit/language/parser.hpp
//
// Text to AST: templates, conditions, and the operands that both are made of.
//
// Shape    template    literal text and {operand}; {{ and }} are literal braces
//          operand     source { "|" transform }
//          source      path | @item | @key | @value | now() | literal
//          path        name { "." name | "[" number "]" }; odd names between back quotes, within
//                      braces also between double quotes
//          transform   name [ "(" [argument { "," argument }] ")" ]
//          condition   all { "or" all }
//          all         one { "and" one }
//          one         "not" one | "(" condition ")" | function "(" operands ")" |
//                      operand [ comparison operand | ["not"] "in" "(" operands ")" ]
//          An operand of a condition may stand in braces, as it would in a template.
// Errors   Nothing, and at least one fault in `faults`. Text deeper than depth_max or longer than
//          text_bytes_max is a fault too: a spec may be hostile.

#pragma once

#include <optional>
#include <string_view>

#include "audit/language/ast.hpp"
#include "audit/language/fault.hpp"
#include "audit/language/lexer.hpp"

namespace idxfsck::audit::language {

constexpr int depth_max = 64;
constexpr std::size_t text_bytes_max = 64 * 1024;

std::optional<Template> parse_template(std::string_view text, Faults& faults);
std::optional<Condition> parse_condition(std::string_view text, Faults& faults);
// A path alone, as in `real_if = ["profile.email"]`.
std::optional<Path> parse_path(std::string_view text, Faults& faults);

// Reads operands from a lexer; both parsers are built on it.
class OperandParser {
public:
    OperandParser(Lexer lexer, Faults& faults) : lexer_{lexer}, faults_{faults} { advance(); }

    const Token& token() const { return token_; }
    void advance() { token_ = lexer_.next(); }
    bool at_sign(std::string_view sign) const;
    bool at_word(std::string_view word) const;
    // Takes the sign, or complains that `what` needs it here.
    bool expect_sign(std::string_view sign, std::string_view what);
    std::nullopt_t fault(std::string text, std::string hint = {});

    // `in_braces`: "…" is a name, not text.
    std::optional<Operand> operand(bool in_braces);
    // Source and transforms where the first token, a plain name, was taken already.
    std::optional<Operand> operand_from_name(const Token& name);
    // A transform written as a function: lower(a), replace(a, 'x', 'y'). The name was taken
    // already.
    std::optional<Operand> operand_from_call(const Token& name);

private:
    std::optional<Operand> source(bool in_braces);
    std::optional<Operand> literal();
    std::optional<Operand> element();
    bool path_steps(std::vector<PathStep>& steps, bool in_braces);
    bool path_step(std::vector<PathStep>& steps, bool in_braces);
    bool transforms(Operand& operand);
    bool transform(Operand& operand);
    bool arguments(TransformCall& call);
    bool next_argument(TransformCall& call);
    bool check_call(const TransformCall& call, std::size_t size);

    Lexer lexer_;
    Faults& faults_;
    Token token_;
};

}  // namespace idxfsck::audit::language
