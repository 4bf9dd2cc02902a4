#include "audit/language/bound_condition.hpp"

#include <algorithm>

#include <re2/re2.h>

#include "audit/language/functions.hpp"
#include "store/error.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::ValueView;

re2::RE2::Options expression_options() {
    re2::RE2::Options options;
    options.set_log_errors(false);
    return options;
}

bool is_empty(const ValueView& value) {
    const bool sized = value.kind == Kind::text || value.kind == Kind::binary ||
                       store::is_container(value.kind);
    return sized && value.payload.empty();
}

Truth holds_element(const ValueView& container, const ValueView& literal, Scratch& scratch) {
    store::ElementCursor cursor{container};
    while (cursor.next()) {
        const bool found =
            container.kind == Kind::map
                ? literal.kind == Kind::text && cursor.name() == literal.payload
                : compare(Comparison::equal, cursor.value(), literal, scratch) == Truth::yes;
        if (found) return Truth::yes;
    }
    return Truth::no;
}

}  // namespace

std::string check_expression(const std::string& expression) {
    const re2::RE2 compiled{expression, expression_options()};
    return compiled.ok() ? std::string{} : compiled.error();
}

BoundCondition::BoundCondition(const Condition& condition, Binder& binder) {
    for (const ConditionNode& node : condition.nodes) {
        Node bound{node.kind,     node.constant, node.comparison, node.function,
                   node.children, {},            {},              {},
                   nullptr};
        const bool literal_last = node.kind == NodeKind::predicate && node.operands.size() == 2;
        const std::size_t count = node.operands.size() - (literal_last ? 1 : 0);
        for (std::size_t index = 0; index < count; ++index) {
            bound.operands.emplace_back(node.operands[index], binder);
        }
        if (literal_last) {
            bound.literal = node.operands[1].literal;
            bound.text = bound.literal.payload;
        }
        if (node.function != nullptr && node.function->function == Function::matches) {
            bound.expression =
                std::make_shared<const re2::RE2>(bound.text, expression_options());
            store::ensure(bound.expression->ok(), "regular expressions were checked");
        }
        nodes_.push_back(std::move(bound));
    }
}

Truth BoundCondition::evaluate(std::size_t position, const Context& context) const {
    const Node& node = nodes_[position];
    switch (node.kind) {
        case NodeKind::constant: return truth_of(node.constant);
        case NodeKind::all_of:
        case NodeKind::any_of: return evaluate_chain(node, context);
        case NodeKind::negation: return negate(evaluate(node.children[0], context));
        case NodeKind::compare: return evaluate_compare(node, context);
        case NodeKind::one_of: return evaluate_one_of(node, context);
        case NodeKind::predicate: return evaluate_predicate(node, context);
        case NodeKind::truth: return evaluate_truth(node, context);
    }
    return Truth::unknown;
}

Truth BoundCondition::evaluate_chain(const Node& node, const Context& context) const {
    const bool all = node.kind == NodeKind::all_of;
    const Truth decided = truth_of(!all);
    Truth result = truth_of(all);
    for (const std::size_t child : node.children) {
        const Truth truth = evaluate(child, context);
        if (truth == decided) return decided;
        result = all ? std::min(result, truth) : std::max(result, truth);
    }
    return result;
}

Truth BoundCondition::evaluate_compare(const Node& node, const Context& context) {
    ValueView left;
    ValueView right;
    if (!node.operands[0].evaluate(context, left)) return Truth::unknown;
    if (!node.operands[1].evaluate(context, right)) return Truth::unknown;
    return compare(node.comparison, left, right, context.scratch);
}

Truth BoundCondition::evaluate_one_of(const Node& node, const Context& context) {
    ValueView sought;
    if (!node.operands[0].evaluate(context, sought)) return Truth::unknown;
    Truth result = Truth::no;
    for (std::size_t index = 1; index < node.operands.size(); ++index) {
        ValueView candidate;
        Truth truth = Truth::unknown;
        if (node.operands[index].evaluate(context, candidate)) {
            truth = compare(Comparison::equal, sought, candidate, context.scratch);
        }
        if (truth == Truth::yes) return truth;
        result = std::max(result, truth);
    }
    return result;
}

Truth BoundCondition::evaluate_predicate(const Node& node, const Context& context) {
    ValueView value;
    if (!node.operands[0].evaluate(context, value)) return Truth::unknown;
    switch (node.function->function) {
        case Function::exists: return truth_of(value.present());
        case Function::missing: return truth_of(!value.present());
        case Function::is_null: return truth_of(value.kind == Kind::null);
        case Function::is_empty: return truth_of(is_empty(value));
        case Function::has_value:
            return truth_of(value.present() && value.kind != Kind::null && !is_empty(value));
        default: return evaluate_text(node, value, context);
    }
}

Truth BoundCondition::evaluate_text(const Node& node, ValueView value, const Context& context) {
    if (!value.present()) return Truth::unknown;
    const Function function = node.function->function;
    if (function == Function::contains && store::is_container(value.kind)) {
        return holds_element(value, node.literal, context.scratch);
    }
    if (value.kind != Kind::binary && !to_text(context.scratch, value)) return Truth::no;
    const BytesView text = value.payload;
    switch (function) {
        case Function::starts_with: return truth_of(text.starts_with(node.text));
        case Function::ends_with: return truth_of(text.ends_with(node.text));
        case Function::contains: return truth_of(text.find(node.text) != BytesView::npos);
        default: break;
    }
    const re2::StringPiece piece{text.data(), text.size()};
    const auto anywhere = re2::RE2::UNANCHORED;
    return truth_of(node.expression->Match(piece, 0, text.size(), anywhere, nullptr, 0));
}

Truth BoundCondition::evaluate_truth(const Node& node, const Context& context) {
    ValueView value;
    if (!node.operands[0].evaluate(context, value)) return Truth::unknown;
    return value.kind == Kind::boolean ? truth_of(value.as_boolean()) : Truth::unknown;
}

}  // namespace idxfsck::audit::language
