// audit/language/bound_condition.hpp
//
// Conditions bound to slots: does this row meet it?
//
// Shape    Three truth values. `and` is the least of its parts, `or` the greatest, `not` turns yes
//          and no about and leaves unknown. A condition holds only where it comes out as yes.
// Errors   None: what a transform refuses is unknown.
// Threads  Constant.

#pragma once

#include <memory>
#include <vector>

#include "audit/language/binding.hpp"
#include "audit/language/compare.hpp"

namespace re2 {
class RE2;
}

namespace idxfsck::audit::language {

class BoundCondition {
public:
    BoundCondition(const Condition& condition, Binder& binder);

    bool holds(const Context& context) const {
        return nodes_.empty() || evaluate(nodes_.size() - 1, context) == Truth::yes;
    }
    bool always() const { return nodes_.empty(); }

private:
    struct Node {
        NodeKind kind;
        bool constant;
        Comparison comparison;
        const FunctionInfo* function;
        std::vector<std::size_t> children;
        std::vector<BoundOperand> operands;
        std::string text;  // the literal of a function of two operands
        store::Value literal;
        std::shared_ptr<const re2::RE2> expression;
    };

    Truth evaluate(std::size_t position, const Context& context) const;
    Truth evaluate_chain(const Node& node, const Context& context) const;
    static Truth evaluate_compare(const Node& node, const Context& context);
    static Truth evaluate_one_of(const Node& node, const Context& context);
    static Truth evaluate_predicate(const Node& node, const Context& context);
    static Truth evaluate_text(const Node& node, store::ValueView value, const Context& context);
    static Truth evaluate_truth(const Node& node, const Context& context);

    std::vector<Node> nodes_;
};

// What is wrong with a regular expression, or "".
std::string check_expression(const std::string& expression);

}  // namespace idxfsck::audit::language
