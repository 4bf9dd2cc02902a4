// tests/reports/sample_result.hpp
//
// Results of audits, written out: a shop with one finding of each sort, a clean one, and one that
// was not read whole.

#pragma once

#include "audit/coverage.hpp"

namespace idxfsck::reports {

inline store::Key text_key(const std::vector<std::string>& components) {
    store::Key key;
    for (const std::string& component : components) key.push_back(store::Value::text(component));
    return key;
}

inline audit::Finding sample_finding(const std::string& index, audit::FindingKind kind,
                                     audit::Reason reason, const std::string& key,
                                     const std::string& base) {
    audit::Finding finding;
    finding.index = index;
    finding.kind = kind;
    finding.reason = reason;
    finding.entry.key = text_key({key});
    finding.entry.pointer = text_key({base});
    finding.base = audit::SeenRow{"Users", text_key({base}), true,
                                  "00112233445566778899aabbccddeeff", "v1"};
    audit::set_id(finding);
    return finding;
}

inline audit::IndexCoverage sample_coverage(const std::string& index) {
    audit::IndexCoverage coverage;
    coverage.index = index;
    coverage.engine = "exact";
    coverage.base_rows = 1204;
    coverage.entries_expected = 1200;
    coverage.entries_held = 1199;
    coverage.base_rows_exempt = 4;
    coverage.miss_probability = 3e-30;
    return coverage;
}

inline audit::AuditResult clean_result() {
    audit::AuditResult result;
    result.spec_file = "../shop.toml";
    result.spec_digest = "0123456789abcdef0123456789abcdef";
    result.stores = {{"main", "store-7"}};
    result.now_ms = 1795990320000;
    result.seed = 42;
    result.coverage.begin_ms = 1795990320000;
    result.coverage.end_ms = 1795990323500;
    result.coverage.snapshot = true;
    result.coverage.tables = {{"main", "Users", 4, 4, 1204, 0, 0},
                              {"main", "UsersByEmail", 4, 4, 1203, 4, 0}};
    result.coverage.indexes = {sample_coverage("users-by-email"), sample_coverage("users-by-tag")};
    return result;
}

// One finding of each sort, two of them a move.
inline audit::AuditResult drifted_result() {
    using audit::Damage;
    using audit::FindingKind;
    using audit::Reason;
    audit::AuditResult result = clean_result();
    const std::string index = "users-by-email";
    auto& findings = result.findings;
    findings.push_back(sample_finding(index, FindingKind::orphaned_write, Reason::entry_missing,
                                      "ann@x.org", "u1"));
    findings.push_back(sample_finding(index, FindingKind::orphaned_write, Reason::entry_elsewhere,
                                      "bob@x.org", "u2"));
    findings.back().holder_row = audit::SeenRow{"Users", text_key({"u9"}), false, "", ""};
    findings.push_back(sample_finding(index, FindingKind::orphaned_write, Reason::entry_missing,
                                      "new@x.org", "u3"));
    findings.push_back(sample_finding(index, FindingKind::stale_pointer, Reason::base_missing,
                                      "gone@x.org", "u4"));
    findings.push_back(sample_finding(index, FindingKind::stale_pointer, Reason::value_changed,
                                      "old@x.org", "u3"));
    findings[2].linked = findings[4].id;
    findings[4].linked = findings[2].id;
    findings.push_back(sample_finding(index, FindingKind::divergent_copy, Reason::none,
                                      "eve@x.org", "u5"));
    findings.back().differences = {{"DisplayName", store::Value::text("Eve"),
                                    store::Value::text("Eva")},
                                   {"Plan", std::nullopt, store::Value::int32(2)}};
    findings.push_back(sample_finding(index, FindingKind::duplicate_claim, Reason::none,
                                      "same@x.org", "u7"));
    findings.back().holder = text_key({"u6"});
    findings.back().claimants = {text_key({"u6"}), text_key({"u7"})};
    findings.push_back(sample_finding("users-by-tag", FindingKind::unindexable, Reason::none, "",
                                      "u8"));
    findings.back().entry.key.clear();
    findings.back().damage = Damage::key_too_long;
    findings.back().attribute = "Tag";
    findings.push_back(sample_finding("users-by-tag", FindingKind::malformed_entry, Reason::none,
                                      "red", ""));
    findings.back().base.reset();
    findings.back().entry.pointer.clear();
    findings.back().damage = Damage::attribute_missing;
    findings.back().attribute = "UserId";
    result.coverage.indexes[0].findings = 7;
    result.coverage.indexes[0].moves = 1;
    result.coverage.indexes[0].suspects = 12;
    result.coverage.indexes[0].settled = 4;
    result.coverage.indexes[1].findings = 2;
    result.coverage.indexes[1].suspects = 2;
    return result;
}

inline audit::AuditResult unsure_result() {
    audit::AuditResult result = clean_result();
    result.coverage.snapshot = false;
    result.coverage.tables[0].partitions_read = 3;
    result.coverage.gaps = {{"Users", "from \"user/7\"", "the store failed: cause=I/O error"}};
    result.coverage.doubts = {{"index users-by-tag",
                               "no row of the base table has the attribute `tagz`",
                               "check the spelling in `key`, `pointer` and `each`"}};
    return result;
}

// Keys and names as bad as they come.
inline std::vector<std::string> hostile_texts() {
    return {"\x1b[2J\x1b[31mred",
            "two\nlines\r\n::error::injected",
            "<img src=x onerror=alert(1)>&\"'",
            std::string("nul\0byte", 8),
            "\xff\xfe invalid \xc3",
            "\u202etxt.exe\u200b\u2028",
            "{\"json\": [1, \\\"2\\\"]}",
            std::string(2048, 'k')};
}

inline audit::AuditResult hostile_result() {
    audit::AuditResult result = clean_result();
    for (const std::string& text : hostile_texts()) {
        for (int kind = 0; kind <= static_cast<int>(audit::FindingKind::malformed_entry); ++kind) {
            audit::Finding finding =
                sample_finding(text, static_cast<audit::FindingKind>(kind), audit::Reason::none,
                               text, text);
            finding.attribute = text;
            finding.damage = kind >= 5 ? audit::Damage::key_characters : audit::Damage::none;
            finding.differences = {{text, store::Value::text(text), store::Value::binary(text)}};
            finding.holder = text_key({text, text});
            finding.claimants = {text_key({text}), {store::Value{store::Kind::number, text}}};
            finding.holder_row = audit::SeenRow{text, text_key({text}), true, text, text};
            result.findings.push_back(std::move(finding));
        }
        result.coverage.indexes.push_back(sample_coverage(text));
        result.coverage.tables.push_back({text, text, 1, 0, 1, 1, 1});
        result.coverage.gaps.push_back({text, text, text});
        result.coverage.doubts.push_back({text, text, text});
    }
    return result;
}

}  // namespace idxfsck::reports
