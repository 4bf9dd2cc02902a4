// audit/language/bound_template.hpp
//
// Templates bound to slots: from a row to the value of a key component, pointer or copy.
//
// Shape    A BoundTemplate is one template; a BoundValue is what a spec gives for one name:
//          templates by condition, and what happens where an attribute is missing.
// Errors   evaluate() returns false, with the scratch saying why, for a value that no template can
//          turn into text or that a transform refuses.
// Threads  Constant.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/language/binding.hpp"
#include "audit/language/bound_condition.hpp"
#include "audit/spec.hpp"

namespace idxfsck::audit::language {

class BoundTemplate {
public:
    BoundTemplate(const Template& parsed, const MissingPolicy& missing, Binder& binder);

    // The value; absent if the policy says to skip.
    bool evaluate(const Context& context, store::ValueView& value) const;

    // The first attribute that it uses, for messages; "" if there is none.
    const std::string& attribute() const { return attribute_; }

private:
    struct Part {
        std::string literal;
        std::optional<BoundOperand> operand;
    };

    bool evaluate_operand(const BoundOperand& operand, const Context& context,
                          store::ValueView& value) const;
    bool evaluate_text(const Context& context, store::ValueView& value) const;

    std::vector<Part> parts_;
    MissingPolicy missing_;
    std::string attribute_;
    bool keeps_type_;
};

class BoundValue {
public:
    // The texts in `named` must parse.
    BoundValue(const NamedTemplate& named, Binder& binder);

    bool evaluate(const Context& context, store::ValueView& value) const;

    const std::string& name() const { return name_; }
    const std::string& attribute() const {
        return otherwise_ ? last_.attribute() : choices_.front().then.attribute();
    }

private:
    struct Choice {
        BoundCondition when;
        BoundTemplate then;
    };

    std::string name_;
    bool otherwise_;
    std::vector<Choice> choices_;
    BoundTemplate last_;
};

// Parses text that was checked when the spec was read: it ends the program otherwise.
Template checked_template(const std::string& text);
Condition checked_condition(const std::string& text);

}  // namespace idxfsck::audit::language
