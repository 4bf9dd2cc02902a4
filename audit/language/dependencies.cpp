#include "audit/language/dependencies.hpp"

#include <algorithm>

#include "audit/language/bound_template.hpp"
#include "audit/language/entry_maker.hpp"
#include "audit/language/parser.hpp"
#include "audit/language/transforms.hpp"
#include "audit/language/uses.hpp"

namespace idxfsck::audit::language {

namespace {

void add_path(const std::string& text, std::vector<std::string>& names) {
    Faults faults;
    if (const std::optional<Path> path = parse_path(text, faults)) names.push_back(path->attribute);
}

}  // namespace

NameSet dependencies_of(const IndexSpec& index, const BaseSpec& base, const Layout& layout,
                        const std::vector<std::string>& base_key) {
    std::vector<std::string> names;
    const OperandVisitor add = [&](const Operand& operand) {
        if (operand.source == Source::attribute) names.push_back(operand.path.attribute);
    };
    visit(checked_condition(base.rows), add);
    for (const std::string& path : base.real_if) add_path(path, names);
    visit(checked_condition(index.covers), add);
    visit(checked_condition(index.when), add);
    for (const std::string& text : {index.each, index.winner.by, base.expires.at}) {
        if (!text.empty()) visit(checked_template(text), add);
    }
    visit(index.key, add);
    visit(pointer_templates(index), add);
    visit(layout.copies, add);
    std::erase_if(names, [&](const std::string& name) {
        return std::find(base_key.begin(), base_key.end(), name) != base_key.end();
    });
    return NameSet{std::move(names)};
}

std::vector<std::string> needs_of(const IndexSpec& index) {
    std::vector<std::string> names;
    const OperandVisitor add = [&](const Operand& operand) {
        const bool stands_in =
            std::any_of(operand.transforms.begin(), operand.transforms.end(),
                        [](const auto& call) { return call.info->takes == Takes::missing; });
        const bool attribute = operand.source == Source::attribute;
        if (attribute && !stands_in) names.push_back(operand.path.attribute);
    };
    if (!index.each.empty()) visit(checked_template(index.each), add);
    for (const std::vector<NamedTemplate>& templates : {index.key, pointer_templates(index)}) {
        for (const NamedTemplate& named : templates) {
            // With several choices, each row needs only what its own uses.
            const bool skips = named.missing.absent.action == MissingAction::skip;
            if (skips && named.choices.empty()) visit(named, add);
        }
    }
    return NameSet{std::move(names)}.names();
}

std::vector<store::NamedValue> depended_values(const NameSet& names, const Layout& layout,
                                               const store::Row& row) {
    std::vector<store::NamedValue> values;
    store::AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        const bool copied = layout.copies_all() && !layout.not_copied.has(cursor.name());
        if (!copied && !names.has(cursor.name())) continue;
        values.push_back({store::Bytes{cursor.name()}, store::Value{cursor.value()}});
    }
    for (const std::string& name : names.names()) {
        if (!row.attribute(name)) values.push_back({name, {}});
    }
    std::sort(values.begin(), values.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return values;
}

}  // namespace idxfsck::audit::language
