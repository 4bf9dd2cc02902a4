// audit/language/ast.hpp
//
// Templates and conditions as parsed: plain values, not yet bound to the slots of a table.
//
// Shape    An Operand is a source (attribute path, element of `each`, literal, function of no row)
//          and the transforms after it, applied from left to right. A Template is literals and
//          operands in turn. A Condition is a flat array of nodes that name their children; the
//          last node is the root, children stand before their parents.
// Units    `offset` counts bytes from the start of the text.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/value.hpp"

namespace idxfsck::audit::language {

struct TransformInfo;
struct FunctionInfo;

// One step into a value: a member of a map by name, or an element of a list by number.
struct PathStep {
    std::string name;
    std::optional<std::size_t> element;

    friend bool operator==(const PathStep&, const PathStep&) = default;
};

struct Path {
    std::string attribute;
    std::vector<PathStep> steps;

    // As a template would write it: `profile.email`, `tags[0]`, `"odd name"`.
    std::string text() const;
    friend bool operator==(const Path&, const Path&) = default;
};

enum class Source {
    attribute,  // a path into the row
    item,       // @item: the element of `each`, or of a container
    key,        // @key: the name of a map's member
    value,      // @value: the value of a map's member
    literal,
    now,        // now(): the one clock reading of the audit, as date and time
};

struct Argument {
    enum class Kind { text, number, word };
    Kind kind = Kind::text;
    std::string text;
    std::size_t offset = 0;
};

struct TransformCall {
    const TransformInfo* info = nullptr;
    std::vector<Argument> arguments;
    std::size_t offset = 0;
};

struct Operand {
    Source source = Source::literal;
    Path path;                      // attribute; item, key, value: steps into the element
    store::Value literal;
    std::vector<TransformCall> transforms;
    std::size_t offset = 0;

    bool varies() const { return source != Source::literal && source != Source::now; }
};

struct TemplatePart {
    std::string literal;              // if there is no operand
    std::optional<Operand> operand;
};

struct Template {
    std::vector<TemplatePart> parts;

    // One operand and nothing around it: the value keeps its type.
    bool keeps_type() const { return parts.size() == 1 && parts[0].operand; }
};

enum class NodeKind {
    constant,    // true or false
    all_of,      // and
    any_of,      // or
    negation,    // not
    compare,
    one_of,      // in ( … )
    predicate,   // a function of operands that gives true or false
    truth,       // an operand that is itself true or false
};

enum class Comparison { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

struct ConditionNode {
    NodeKind kind = NodeKind::constant;
    bool constant = false;
    Comparison comparison = Comparison::equal;
    const FunctionInfo* function = nullptr;
    std::vector<std::size_t> children;   // all_of, any_of, negation: positions of nodes
    std::vector<Operand> operands;       // compare: two; one_of: the first is looked for
    std::size_t offset = 0;
};

struct Condition {
    std::vector<ConditionNode> nodes;    // empty: always true

    bool always() const { return nodes.empty(); }
};

}  // namespace idxfsck::audit::language
