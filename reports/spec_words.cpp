#include "reports/spec_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "audit/language/bound_template.hpp"
#include "audit/language/joins.hpp"
#include "reports/escape.hpp"
#include "reports/spec_sentence.hpp"

namespace idxfsck::reports {

namespace {

std::string templates(const std::vector<audit::NamedTemplate>& named) {
    std::string text;
    for (const audit::NamedTemplate& one : named) {
        text.append(text.empty() ? "" : ", ").append(escape_terminal(one.name)).append(" = ");
        text.append(quote_terminal(one.text, shown_bytes_max));
    }
    return text;
}

std::string container_words(const audit::ContainerSpec& container) {
    using audit::ContainerKind;
    const std::string attribute = attribute_words(container);
    switch (container.kind) {
        case ContainerKind::none: return "";
        case ContainerKind::list: return "one element of the list " + attribute;
        case ContainerKind::map: return "one member of the map " + attribute;
        case ContainerKind::columns: return "one column, whose name is data";
        case ContainerKind::delimited: return "one part of the text " + attribute;
        case ContainerKind::json: return "one element of the JSON array in " + attribute;
    }
    return "";
}

void append_line(std::string& text, std::string_view title, const std::string& words) {
    if (!words.empty()) text.append(fmt::format("  {:<8} {}\n", title, words));
}

std::string rules(const audit::IndexSpec& index) {
    std::string words = index.unique ? "unique" : "not unique";
    if (index.lossy) words.append(", lossy: any row of a key is right");
    if (index.read_only) words.append(", read-only: reported, never repaired");
    if (index.claim_by_insert) words.append(", claimed by insert-if-absent");
    if (index.settle.count() == 0) return words;
    return words + fmt::format(", settles in {} ms", index.settle.count());
}

std::string names(const audit::Spec& spec, const audit::IndexSpec& index) {
    if (index.container.kind != audit::ContainerKind::none) {
        return container_words(index.container);
    }
    if (index.pointer.empty()) return "no base row: one entry serves all rows that derive it";
    const audit::BaseSpec* base = spec.base(index.of);
    const std::string of = base == nullptr ? "" : escape_terminal(base->name);
    return fmt::format("{} by {}", of, templates(index.pointer));
}

// A key that two rows may share although their attributes differ.
void append_note(std::string& text, const audit::NamedTemplate& named) {
    const auto join = audit::language::blurred_join(audit::language::checked_template(named.text));
    if (!join) return;
    const std::string where = join->separator.empty()
                                  ? "nothing between them"
                                  : quote_terminal(join->separator, shown_bytes_max) +
                                        " between them, which they may hold themselves";
    append_line(text, "note",
                fmt::format("{} joins {} and {} with {}: rows that differ may get one key",
                            escape_terminal(named.name), escape_terminal(join->left),
                            escape_terminal(join->right), where));
}

std::string index_words(const audit::Spec& spec, const audit::IndexSpec& index) {
    std::string text = "index " + index_sentence(spec, index) + "\n";
    append_line(text, "table", escape_terminal(index.store) + "/" + escape_terminal(index.table));
    append_line(text, "key", templates(index.key));
    append_line(text, "names", names(spec, index));
    if (!index.each.empty()) append_line(text, "each", escape_terminal(index.each));
    if (!index.when.empty()) append_line(text, "when", escape_terminal(index.when));
    if (index.copies_mode == audit::CopiesMode::named) {
        append_line(text, "copies", templates(index.copies));
    } else if (index.copies_mode == audit::CopiesMode::all_except) {
        append_line(text, "copies", "every attribute of the row but those that the spec excepts");
    }
    append_line(text, "rules", rules(index));
    for (const audit::NamedTemplate& named : index.key) append_note(text, named);
    return text;
}

}  // namespace

std::string spec_words(const audit::Spec& spec) {
    std::string text;
    for (const audit::BaseSpec& base : spec.bases) {
        const std::string rows =
            base.rows.empty() ? "every row" : "rows where " + escape_terminal(base.rows);
        text.append(fmt::format("base {}: {} in {}/{}\n", escape_terminal(base.name), rows,
                                escape_terminal(base.store), escape_terminal(base.table)));
    }
    for (const audit::IndexSpec& index : spec.indexes) text.append(index_words(spec, index));
    const auto indexes = std::count_if(spec.indexes.begin(), spec.indexes.end(),
                                       [](const auto& index) { return index.version_of.empty(); });
    text.append(fmt::format("{}: makes sense; {} base table{}, {} index{}\n",
                            escape_terminal(spec.file), spec.bases.size(),
                            spec.bases.size() == 1 ? "" : "s", indexes,
                            indexes == 1 ? "" : "es"));
    return text;
}

}  // namespace idxfsck::reports
