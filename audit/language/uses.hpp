// audit/language/uses.hpp
//
// Which operands a declaration is made of: what checks, guards and the manual ask.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audit/language/ast.hpp"
#include "audit/spec.hpp"

namespace idxfsck::audit::language {

using OperandVisitor = std::function<void(const Operand&)>;

void visit(const Template& parsed, const OperandVisitor& visitor);
void visit(const Condition& condition, const OperandVisitor& visitor);
// Conditions and templates of all choices.
void visit(const NamedTemplate& named, const OperandVisitor& visitor);
void visit(const std::vector<NamedTemplate>& templates, const OperandVisitor& visitor);

// @item, @key, @value.
bool is_element(const Operand& operand);

}  // namespace idxfsck::audit::language
