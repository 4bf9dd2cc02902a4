#include "audit/judge.hpp"

namespace idxfsck::audit {

namespace {

// Beside the payloads: what malloc adds, ids and digests, nodes of the tables of conclude().
constexpr std::uint64_t overhead_bytes = 1200;
// A payload stands in the outcome, in tables of conclude() and in the line of a report.
constexpr std::uint64_t payload_copies = 3;

std::uint64_t payload_bytes(const std::vector<store::Value>& values) {
    std::uint64_t bytes = 0;
    for (const store::Value& value : values) bytes += sizeof value + value.payload.size();
    return bytes;
}

std::uint64_t payload_bytes(const std::optional<SeenRow>& row) {
    return row ? payload_bytes(row->key) + row->table.size() + row->version.size() : 0;
}

}  // namespace

std::uint64_t outcome_bytes(const Outcome& outcome) {
    const Finding& finding = outcome.finding;
    std::uint64_t bytes = payload_bytes(finding.entry.key) + payload_bytes(finding.entry.pointer) +
                          payload_bytes(finding.base) + payload_bytes(finding.index_row) +
                          payload_bytes(finding.holder_row) + finding.attribute.size();
    for (const store::Key& claimant : finding.claimants) bytes += payload_bytes(claimant);
    for (const Difference& difference : finding.differences) {
        bytes += sizeof difference + difference.attribute.size();
        if (difference.expected) bytes += difference.expected->payload.size();
        if (difference.actual) bytes += difference.actual->payload.size();
    }
    const std::uint64_t shell = sizeof(Outcome);
    if (outcome.ruling == Ruling::settled) return shell + bytes;
    return shell + sizeof(Finding) + overhead_bytes + payload_copies * bytes;
}

}  // namespace idxfsck::audit
