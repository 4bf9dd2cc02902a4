#include "audit/language/bound_template.hpp"

#include <cstring>
#include <utility>

#include "audit/language/parser.hpp"
#include "store/error.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::ValueView;

// What the rule makes of a value that is absent, null or empty.
ValueView apply_rule(const MissingRule& rule, const ValueView& value) {
    switch (rule.action) {
        case MissingAction::skip: return {};
        case MissingAction::keep: return value;
        case MissingAction::use: return text_view(rule.text);
    }
    return {};
}

}  // namespace

BoundTemplate::BoundTemplate(const Template& parsed, const MissingPolicy& missing, Binder& binder)
    : missing_{missing}, keeps_type_{parsed.keeps_type()} {
    for (const TemplatePart& part : parsed.parts) {
        Part bound{part.literal, std::nullopt};
        if (part.operand) bound.operand.emplace(*part.operand, binder);
        if (part.operand && attribute_.empty()) attribute_ = bound.operand->name();
        parts_.push_back(std::move(bound));
    }
}

bool BoundTemplate::evaluate_operand(const BoundOperand& operand, const Context& context,
                                     ValueView& value) const {
    if (!operand.evaluate(context, value)) return false;
    if (value.kind == Kind::absent) {
        value = apply_rule(missing_.absent, value);
    } else if (value.kind == Kind::null) {
        value = apply_rule(missing_.null, value);
    } else if (value.kind == Kind::text && value.payload.empty()) {
        value = apply_rule(missing_.empty, value);
    }
    return true;
}

bool BoundTemplate::evaluate(const Context& context, ValueView& value) const {
    if (keeps_type_) return evaluate_operand(*parts_[0].operand, context, value);
    if (parts_.size() == 1) {
        value = text_view(parts_[0].literal);
        return true;
    }
    return evaluate_text(context, value);
}

bool BoundTemplate::evaluate_text(const Context& context, ValueView& value) const {
    Scratch& scratch = context.scratch;
    scratch.pieces.clear();
    std::size_t size = 0;
    for (const Part& part : parts_) {
        store::BytesView piece = part.literal;
        if (part.operand) {
            if (!evaluate_operand(*part.operand, context, value)) return false;
            if (value.kind == Kind::absent) return true;
            if (value.kind == Kind::null) value = text_view({});
            if (!to_text(scratch, value)) {
                scratch.damaged_attribute = part.operand->name();
                return refuse(scratch, Damage::key_wrong_type);
            }
            piece = value.payload;
        }
        size += piece.size();
        scratch.pieces.push_back(piece);
    }
    char* const out = scratch.arena.allocate(size);
    char* next = out;
    for (const store::BytesView piece : scratch.pieces) {
        if (!piece.empty()) std::memcpy(next, piece.data(), piece.size());
        next += piece.size();
    }
    value = text_view({out, size});
    return true;
}

BoundValue::BoundValue(const NamedTemplate& named, Binder& binder)
    : name_{named.name},
      otherwise_{named.otherwise},
      last_{checked_template(named.text), named.missing, binder} {
    for (const TemplateChoice& choice : named.choices) {
        choices_.push_back(
            {BoundCondition{checked_condition(choice.when), binder},
             BoundTemplate{checked_template(choice.text), named.missing, binder}});
    }
}

bool BoundValue::evaluate(const Context& context, ValueView& value) const {
    for (const Choice& choice : choices_) {
        if (choice.when.holds(context)) return choice.then.evaluate(context, value);
    }
    if (otherwise_) return last_.evaluate(context, value);
    value = {};
    return true;
}

Template checked_template(const std::string& text) {
    Faults faults;
    std::optional<Template> parsed = parse_template(text, faults);
    store::ensure(parsed.has_value(), "the templates of a spec were checked when it was read");
    return std::move(*parsed);
}

Condition checked_condition(const std::string& text) {
    if (text.empty()) return {};
    Faults faults;
    std::optional<Condition> parsed = parse_condition(text, faults);
    store::ensure(parsed.has_value(), "the conditions of a spec were checked when it was read");
    return std::move(*parsed);
}

}  // namespace idxfsck::audit::language
