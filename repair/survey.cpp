#include "repair/survey.hpp"

#include <algorithm>

#include "audit/slot.hpp"

namespace idxfsck::repair {

namespace {

using audit::Finding;
using audit::FindingKind;

store::Bytes named_bytes(const std::string& index, const audit::Entry& entry) {
    store::Bytes bytes;
    store::append_varint(bytes, index.size());
    bytes.append(index);
    audit::append_entry_bytes(bytes, audit::EntryLoan{entry}.view(), false);
    return bytes;
}

store::Bytes key_of(const Finding& finding) {
    audit::Entry key;
    key.key = finding.entry.key;
    return named_bytes(finding.index, key);
}

}  // namespace

store::Bytes base_of(const std::string& index, const store::Key& base_key) {
    audit::Entry key;
    key.key = base_key;
    return named_bytes(index, key);
}

Survey::Survey(const audit::Spec& spec, const audit::AuditResult& result) : spec_{spec} {
    for (const Finding& finding : result.findings) {
        if (const audit::IndexSpec* index = spec.index(finding.index)) add(*index, finding);
    }
    add_gaps(spec, result.coverage);
}

void Survey::add(const audit::IndexSpec& index, const Finding& finding) {
    switch (finding.kind) {
        case FindingKind::stale_pointer:
            stales_.emplace(audit::slot_of(index, finding.entry), &finding);
            break;
        case FindingKind::orphaned_write:
            claimants_.emplace(audit::slot_of(index, finding.entry), &finding);
            break;
        case FindingKind::duplicate_claim:
        case FindingKind::collision:
            conflicts_.insert(key_of(finding));
            for (const store::Key& claimant : finding.claimants) {
                conflict_bases_.insert(base_of(finding.index, claimant));
            }
            break;
        case FindingKind::unindexable:
            if (finding.base) conflict_bases_.insert(base_of(finding.index, finding.base->key));
            break;
        case FindingKind::divergent_copy:
        case FindingKind::malformed_entry:
            break;
    }
}

void Survey::add_gaps(const audit::Spec& spec, const audit::Coverage& coverage) {
    for (const audit::IndexSpec& index : spec.indexes) {
        const audit::BaseSpec* base = spec.base(index.of);
        const auto is_of_base = [&](const audit::Gap& gap) {
            return base == nullptr || gap.table == base->table;
        };
        const auto lacks_rows = [&](const audit::TableCoverage& table) {
            return base != nullptr && table.store == base->store && table.table == base->table &&
                   (table.partitions_read < table.partitions || table.rows_damaged > 0);
        };
        // A doubt may be about anything, the selector of the base table too.
        if (!coverage.doubts.empty() ||
            std::any_of(coverage.gaps.begin(), coverage.gaps.end(), is_of_base) ||
            std::any_of(coverage.tables.begin(), coverage.tables.end(), lacks_rows)) {
            incomplete_.insert(index.name);
        }
    }
}

store::Bytes Survey::slot_of_finding(const Finding& finding) const {
    const audit::IndexSpec* index = spec_.index(finding.index);
    return index == nullptr ? store::Bytes{} : audit::slot_of(*index, finding.entry);
}

const Finding* Survey::stale_at(const Finding& finding) const {
    const auto found = stales_.find(slot_of_finding(finding));
    return found == stales_.end() ? nullptr : found->second;
}

const Finding* Survey::claimant_at(const Finding& finding) const {
    const auto found = claimants_.find(slot_of_finding(finding));
    return found == claimants_.end() ? nullptr : found->second;
}

bool Survey::conflict_at(const Finding& finding) const {
    return conflicts_.contains(key_of(finding));
}

bool Survey::in_conflict(const std::string& index, const store::Key& base_key) const {
    return conflict_bases_.contains(base_of(index, base_key));
}

std::string_view Survey::incomplete(const std::string& index) const {
    return incomplete_.contains(index)
               ? "the base table was not read completely: no deletes are planned from it"
               : "";
}

}  // namespace idxfsck::repair
