// tests/audit/language_templates.hpp
//
// Templates and conditions on one row of named values, without a spec around them.

#pragma once

#include "audit/language/bound_template.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/parser.hpp"
#include "tests/audit/language_tables.hpp"

namespace idxfsck::tests {

using Named = std::vector<store::NamedValue>;

inline std::string fault_words(const audit::language::Faults& faults) {
    std::string words;
    for (const auto& fault : faults) {
        words += "@" + std::to_string(fault.offset) + " " + fault.text;
        if (!fault.seen.empty()) words += ": " + fault.seen;
        if (!fault.hint.empty()) words += " (" + fault.hint + ")";
    }
    return words;
}

inline std::vector<store::ValueView> slots_of(const store::Projection& projection,
                                              const Named& named) {
    std::vector<store::ValueView> slots(projection.names.size());
    for (std::size_t index = 0; index < slots.size(); ++index) {
        for (const store::NamedValue& value : named) {
            if (value.name == projection.names[index]) slots[index] = value.value.view();
        }
    }
    return slots;
}

// What the template makes of the values, as words; "!…" if it cannot.
inline std::string made(const std::string& text, const Named& named) {
    audit::language::Faults faults;
    const auto parsed = audit::language::parse_template(text, faults);
    if (!parsed) return fault_words(faults);
    store::Projection projection;
    audit::language::RowBinder binder{projection, 1'000};
    audit::MissingPolicy missing;
    missing.null.action = audit::MissingAction::keep;
    const audit::language::BoundTemplate bound{*parsed, missing, binder};
    audit::Scratch scratch;
    const auto slots = slots_of(projection, named);
    store::ValueView value;
    if (!bound.evaluate({slots, scratch}, value)) {
        return "!" + std::string{audit::damage_name(scratch.damage)};
    }
    return word(value);
}

inline std::string made(const std::string& text, store::Value a) {
    return made(text, Named{{"a", std::move(a)}});
}

inline std::string made(const std::string& text, const std::string& a) {
    return made(text, store::Value::text(a));
}

// "yes", "no" or "unknown"; what is wrong with the condition otherwise.
inline std::string holds(const std::string& text, const Named& named) {
    const auto truth = [&](const std::string& condition) {
        audit::language::Faults faults;
        const auto parsed = audit::language::parse_condition(condition, faults);
        if (!parsed) return fault_words(faults);
        store::Projection projection;
        audit::language::RowBinder binder{projection, 1'000};
        const audit::language::BoundCondition bound{*parsed, binder};
        audit::Scratch scratch;
        const auto slots = slots_of(projection, named);
        return std::string{bound.holds({slots, scratch}) ? "yes" : "no"};
    };
    const std::string straight = truth(text);
    if (straight != "no") return straight;
    return truth("not (" + text + ")") == "yes" ? "no" : "unknown";
}

}  // namespace idxfsck::tests
