#include "reports/finding_text.hpp"

#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/value_text.hpp"

namespace idxfsck::reports {

namespace {

using audit::FindingKind;

constexpr std::size_t claimants_max = 8;
constexpr std::size_t attributes_max = 4;

const char* marker_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::orphaned_write: return "+";
        case FindingKind::stale_pointer: return "-";
        case FindingKind::divergent_copy: return "~";
        case FindingKind::duplicate_claim:
        case FindingKind::collision: return "!";
        case FindingKind::unindexable:
        case FindingKind::malformed_entry: return "?";
    }
    return "?";
}

// Whose entry it is: the base key where it is known, else what the pointer says.
std::string owner_text(const audit::Finding& finding) {
    if (finding.base) return key_text(finding.base->key);
    if (!finding.entry.pointer.empty()) return key_text(finding.entry.pointer);
    return "";
}

// Whose entry stands where this one belongs.
std::string holder_text(const audit::Finding& finding) {
    if (!finding.holder_row) return "";
    // Of an index inside the base row: its own attributes, as they were.
    if (finding.base && finding.base->key == finding.holder_row->key) return "";
    return ", held by " + key_text(finding.holder_row->key);
}

std::string key_and_owner(const audit::Finding& finding) {
    const std::string owner = owner_text(finding);
    const std::string key = key_text(finding.entry.key);
    return owner.empty() ? key : key + " -> " + owner;
}

std::string claimants_text(const audit::Finding& finding) {
    std::string text = key_text(finding.entry.key);
    text.append(finding.holder ? " held by " + key_text(*finding.holder) : " held by none");
    text.append("; claimed by ");
    for (std::size_t index = 0; index < finding.claimants.size(); ++index) {
        if (index > 0) text.append(", ");
        if (index == claimants_max) {
            const std::size_t more = finding.claimants.size() - claimants_max;
            return text + fmt::format("and {} more", grouped(more));
        }
        text.append(key_text(finding.claimants[index]));
    }
    if (finding.winner) text.append("; by the rule it is of ").append(key_text(*finding.winner));
    return text;
}

std::string attributes_text(const audit::Finding& finding) {
    std::string text;
    for (std::size_t index = 0; index < finding.differences.size(); ++index) {
        if (index > 0) text.append(",");
        if (index == attributes_max) return text.append("...");
        text.append(escape_terminal(finding.differences[index].attribute));
    }
    return text;
}

std::string damage_facts(const audit::Finding& finding) {
    std::string text = finding.entry.key.empty() ? owner_text(finding) : key_and_owner(finding);
    if (finding.entry.key.empty() && finding.index_row) text = key_text(finding.index_row->key);
    if (finding.attribute.empty()) return text;
    return text + ": " + quote_terminal(finding.attribute, shown_bytes_max);
}

std::string facts_of(const audit::Finding& finding) {
    switch (finding.kind) {
        case FindingKind::duplicate_claim:
        case FindingKind::collision: return claimants_text(finding);
        case FindingKind::unindexable:
        case FindingKind::malformed_entry: return damage_facts(finding);
        default: break;
    }
    std::string text = key_and_owner(finding);
    return text + holder_text(finding);
}

std::string sides_text(const audit::Difference& difference) {
    // An audit without --show-values keeps the names alone.
    if (!difference.expected && !difference.actual) return "values not kept";
    const auto side = [](const std::optional<store::Value>& value) {
        return value ? value_text(*value) : "absent";
    };
    return "base " + side(difference.expected) + ", index " + side(difference.actual);
}

}  // namespace

std::string cause_name(const audit::Finding& finding) {
    if (finding.damage != audit::Damage::none) return std::string{damage_name(finding.damage)};
    if (finding.reason != audit::Reason::none) return std::string{reason_name(finding.reason)};
    return "";
}

FindingWords finding_words(const audit::Finding& finding) {
    const bool copies = finding.kind == FindingKind::divergent_copy;
    return {marker_of(finding.kind), std::string{kind_name(finding.kind)},
            copies ? attributes_text(finding) : cause_name(finding), facts_of(finding)};
}

FindingWords move_words(const audit::Finding& from, const audit::Finding& to) {
    std::string facts = key_text(from.entry.key) + " => " + key_text(to.entry.key);
    const std::string owner = owner_text(to);
    if (!owner.empty()) facts.append(" of ").append(owner);
    return {">", "moved", cause_name(from), facts + holder_text(to)};
}

std::string difference_lines(const audit::Finding& finding, std::size_t indent) {
    std::string text;
    for (const audit::Difference& difference : finding.differences) {
        text.append("\n").append(indent, ' ');
        text.append(quote_terminal(difference.attribute, shown_bytes_max));
        text.append(": ").append(sides_text(difference));
    }
    return text;
}

}  // namespace idxfsck::reports
