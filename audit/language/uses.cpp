#include "audit/language/uses.hpp"

#include "audit/language/bound_template.hpp"

namespace idxfsck::audit::language {

void visit(const Template& parsed, const OperandVisitor& visitor) {
    for (const TemplatePart& part : parsed.parts) {
        if (part.operand) visitor(*part.operand);
    }
}

void visit(const Condition& condition, const OperandVisitor& visitor) {
    for (const ConditionNode& node : condition.nodes) {
        for (const Operand& operand : node.operands) visitor(operand);
    }
}

void visit(const NamedTemplate& named, const OperandVisitor& visitor) {
    for (const TemplateChoice& choice : named.choices) {
        visit(checked_condition(choice.when), visitor);
        visit(checked_template(choice.text), visitor);
    }
    visit(checked_template(named.text), visitor);
}

void visit(const std::vector<NamedTemplate>& templates, const OperandVisitor& visitor) {
    for (const NamedTemplate& named : templates) visit(named, visitor);
}

bool is_element(const Operand& operand) {
    return operand.source == Source::item || operand.source == Source::key ||
           operand.source == Source::value;
}

}  // namespace idxfsck::audit::language
