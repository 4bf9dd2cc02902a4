#include "reports/spec_sentence.hpp"

#include <vector>

#include <fmt/format.h>

#include "audit/language/bound_template.hpp"
#include "audit/language/functions.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/transforms.hpp"
#include "reports/escape.hpp"

namespace idxfsck::reports {

namespace {

namespace language = audit::language;
using audit::ContainerKind;
using language::ConditionNode;
using language::NodeKind;

std::string argument_words(const language::Argument& argument) {
    const bool text = argument.kind == language::Argument::Kind::text;
    return text ? quote_terminal(argument.text, shown_bytes_max) : escape_terminal(argument.text);
}

std::string source_words(const language::Operand& operand) {
    switch (operand.source) {
        case language::Source::item: return "the element";
        case language::Source::key: return "the member's name";
        case language::Source::value: return "the member's value";
        case language::Source::literal:
            return quote_terminal(operand.literal.payload, shown_bytes_max);
        default: return escape_terminal(language::source_name(operand));
    }
}

std::string operand_words(const language::Operand& operand) {
    std::string words = source_words(operand);
    for (const language::TransformCall& call : operand.transforms) {
        std::string arguments;
        for (const language::Argument& argument : call.arguments) {
            arguments.append(", ").append(argument_words(argument));
        }
        words = fmt::format("{}({}{})", call.info->name, words, arguments);
    }
    return words;
}

std::string template_text_words(const std::string& text) {
    std::string words;
    for (const language::TemplatePart& part : language::checked_template(text).parts) {
        if (!words.empty()) words.append(" + ");
        words.append(part.operand ? operand_words(*part.operand)
                                  : quote_terminal(part.literal, shown_bytes_max));
    }
    return words.empty() ? "\"\"" : words;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (index > 0) text.append(index + 1 == words.size() ? " and " : ", ");
        text.append(words[index]);
    }
    return text;
}

std::string all_words(const std::vector<audit::NamedTemplate>& templates) {
    std::vector<std::string> words;
    for (const audit::NamedTemplate& named : templates) words.push_back(template_words(named));
    return joined(words);
}

// "with Email", "without DeletedAt"; "" for what has no such short form.
std::string short_form(const language::Condition& condition, const ConditionNode& node) {
    const bool negated = node.kind == NodeKind::negation;
    const ConditionNode& inner = negated ? condition.nodes[node.children[0]] : node;
    if (inner.kind != NodeKind::predicate) return "";
    const auto function = inner.function->function;
    const bool there = function == language::Function::exists;
    if (!there && function != language::Function::missing) return "";
    return (there != negated ? "with " : "without ") + operand_words(inner.operands[0]);
}

// "with Email and without DeletedAt" where the condition is no more than that, else its text.
std::string condition_words(const std::string& text) {
    const language::Condition condition = language::checked_condition(text);
    const ConditionNode& root = condition.nodes.back();
    std::vector<std::string> words;
    if (root.kind == NodeKind::all_of) {
        for (const std::size_t child : root.children) {
            words.push_back(short_form(condition, condition.nodes[child]));
        }
    } else {
        words.push_back(short_form(condition, root));
    }
    for (const std::string& word : words) {
        if (word.empty()) return "where " + escape_terminal(text);
    }
    return joined(words);
}

std::string rows_words(const audit::Spec& spec, const audit::IndexSpec& index) {
    const audit::BaseSpec& base = *spec.base(index.of);
    std::string words = "for each row of " + escape_terminal(base.table);
    if (!base.rows.empty()) words.append(" ").append(condition_words(base.rows));
    if (!index.when.empty()) {
        words.append(base.rows.empty() ? " " : ", and ").append(condition_words(index.when));
    }
    if (base.expires.given()) {
        words.append(" until ").append(template_text_words(base.expires.at));
    }
    if (index.each.empty()) return words;
    return words + ", and each element of " + template_text_words(index.each);
}

std::string member_words(const audit::ContainerSpec& container) {
    const std::string attribute = attribute_words(container);
    const auto words = [](const std::string& text) { return template_text_words(text); };
    switch (container.kind) {
        case ContainerKind::list:
            return words(container.item) + " in the list " + attribute;
        case ContainerKind::map:
            return fmt::format("{} = {} in the map {}", words(container.name),
                               words(container.value), attribute);
        case ContainerKind::columns:
            return fmt::format("an attribute {} = {}", words(container.name),
                               words(container.value));
        default:
            return words(container.item) + " in the text " + attribute;
    }
}

// The attributes of an index that lies inside the base row.
std::string inside_words(const audit::IndexSpec& index) {
    std::vector<std::string> words;
    for (const audit::NamedTemplate& named : index.key) {
        words.push_back(escape_terminal(named.name) + " = " + template_words(named));
    }
    return "in the row itself " + joined(words);
}

std::string place_words(const audit::IndexSpec& index) {
    if (index.inside) return inside_words(index);
    const std::string table = escape_terminal(index.table);
    const std::string key = all_words(index.key);
    if (index.container.kind == ContainerKind::none) {
        return fmt::format("an entry in {} under {}", table, key);
    }
    return fmt::format("{} of the row of {} under {}", member_words(index.container), table, key);
}

std::string pointer_words(const audit::IndexSpec& index) {
    if (index.container.kind != ContainerKind::none || index.inside) return "";
    if (index.pointer_in_key) return ", whose key tells the row";
    if (index.pointer.empty()) return ", which names no row";
    return ", pointing to " + all_words(index.pointer);
}

std::string copies_words(const audit::IndexSpec& index) {
    std::vector<std::string> words;
    for (const audit::NamedTemplate& named : index.copies) words.push_back(template_words(named));
    if (index.copies_mode == audit::CopiesMode::all_except) {
        std::vector<std::string> except;
        for (const std::string& name : index.copies_except) except.push_back(escape_terminal(name));
        const std::string but = except.empty() ? "" : " but " + joined(except);
        words.insert(words.begin(), "every attribute" + but);
    }
    return words.empty() ? "" : ", with a copy of " + joined(words);
}

std::string rule_words(const audit::IndexSpec& index) {
    if (index.lossy) return "any one of several rows is right";
    if (!index.unique) return "not unique";
    std::vector<std::string> scope;
    for (const std::string& name : index.unique_scope) scope.push_back(escape_terminal(name));
    const std::string unique = scope.empty() ? "unique" : "unique within " + joined(scope);
    if (index.winner.wins == audit::Wins::nobody) return unique;
    const bool smallest = index.winner.wins == audit::Wins::smallest;
    return fmt::format("{}, and of several rows the one with the {} {} has it", unique,
                       smallest ? "smallest" : "largest", template_text_words(index.winner.by));
}

// What the index does not speak of, and for how long it does.
std::string limit_words(const audit::IndexSpec& index) {
    std::string words;
    if (!index.covers.empty()) {
        words.append("; says nothing of rows but those ").append(condition_words(index.covers));
    }
    if (index.expires.given() && !index.inside) {
        words.append("; an entry ends at ").append(template_text_words(index.expires.at));
        if (index.expires.reservation) words.append(", and is a reservation before");
    }
    return words;
}

}  // namespace

std::string attribute_words(const audit::ContainerSpec& container) {
    const std::string attribute = escape_terminal(container.attribute);
    if (container.parts == 0) return attribute;
    return fmt::format("{0}0 to {0}{1}", attribute, container.parts - 1);
}

std::string template_words(const audit::NamedTemplate& named) {
    std::vector<std::string> words;
    for (const audit::TemplateChoice& choice : named.choices) {
        words.push_back(fmt::format("{} ({})", template_text_words(choice.text),
                                    condition_words(choice.when)));
    }
    if (named.otherwise) words.push_back(template_text_words(named.text));
    std::string text;
    for (const std::string& word : words) text.append(text.empty() ? "" : " or else ").append(word);
    if (named.any.part == audit::AnyOf::Part::none) return text;
    return text + fmt::format(" (or any other of {} texts for {})", named.any.texts.size(),
                              quote_terminal(named.any.texts.front(), shown_bytes_max));
}

std::string index_sentence(const audit::Spec& spec, const audit::IndexSpec& index) {
    const std::string older = index.version_of.empty() ? "" : " (an older key)";
    return fmt::format("{}{}: {}, {}{}{}; {}{}", escape_terminal(index.name), older,
                       rows_words(spec, index), place_words(index), pointer_words(index),
                       copies_words(index), rule_words(index), limit_words(index));
}

}  // namespace idxfsck::reports
