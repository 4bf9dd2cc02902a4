// tests/audit/world.hpp
//
// A small world for the audit: a spec, tables in memory, a clock that a test moves, and findings as
// words, so that a test can draw both on one screen.

#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "audit/audit_run.hpp"
#include "audit/spec_toml.hpp"
#include "store/memory/memory_store.hpp"

namespace idxfsck::tests {

inline audit::Spec spec_of(const std::string& text) {
    auto read = audit::read_spec("test.toml", text);
    if (const auto* complaints = std::get_if<std::vector<audit::Complaint>>(&read)) {
        std::string all;
        for (const audit::Complaint& complaint : *complaints) {
            all += std::to_string(complaint.place.line) + ": " + complaint.text + " " +
                   complaint.seen + "\n";
        }
        throw std::runtime_error{all};
    }
    return std::get<audit::Spec>(std::move(read));
}

// A clock that stands still until it is waited for, and then does what the test says.
class TestClock : public audit::Clock {
public:
    std::int64_t now_ms() const override { return now_ms_; }
    void wait_until(std::int64_t ms) override {
        now_ms_ = std::max(now_ms_, ms);
        if (on_wait) on_wait();
    }

    std::function<void()> on_wait;

private:
    std::int64_t now_ms_ = 1'700'000'000'000;
};

inline store::Row row_of(std::vector<std::string> key, std::vector<store::NamedValue> attributes) {
    store::Row row;
    for (std::string& part : key) row.key.push_back(store::Value::text(std::move(part)));
    row.attributes = store::encode_attributes(std::move(attributes));
    return row;
}

inline store::NamedValue text(std::string name, std::string value) {
    return {std::move(name), store::Value::text(std::move(value))};
}

inline std::string word(const std::vector<store::Value>& values) {
    std::string words;
    for (const store::Value& value : values) {
        if (!words.empty()) words += ",";
        words += value.kind == store::Kind::text ? value.payload : store::to_hex(value.payload);
    }
    return words;
}

// "stale_pointer/base_missing users-by-email ann@x.org -> u1"; of a conflict all claimants and the
// holder: "duplicate_claim … -> u1 u2 (u1)".
inline std::string word(const audit::Finding& finding) {
    std::string words{audit::kind_name(finding.kind)};
    if (finding.reason != audit::Reason::none) {
        words += "/" + std::string{audit::reason_name(finding.reason)};
    }
    if (finding.damage != audit::Damage::none) {
        words += "/" + std::string{audit::damage_name(finding.damage)} + ":" + finding.attribute;
    }
    words += " " + finding.index + " " + word(finding.entry.key) + " ->";
    if (!finding.entry.pointer.empty()) words += " " + word(finding.entry.pointer);
    for (const store::Key& claimant : finding.claimants) words += " " + word(claimant);
    if (finding.holder) words += " (" + word(*finding.holder) + ")";
    return words;
}

inline std::set<std::string> words(const audit::AuditResult& result) {
    std::set<std::string> all;
    for (const audit::Finding& finding : result.findings) all.insert(word(finding));
    return all;
}

inline audit::AuditResult audit_of(const audit::Spec& spec, store::MemoryStore& store,
                                   audit::Clock& clock, std::size_t threads = 1,
                                   std::size_t partitions = 3,
                                   audit::EngineChoice engine = audit::EngineChoice::automatic) {
    audit::AuditOptions options;
    options.engine = engine;
    options.threads = threads;
    options.partitions = partitions;
    options.seed = 7;
    return audit::run_audit(spec, {{"main", &store}}, clock, options);
}

inline store::Capabilities with_snapshot(bool snapshot) {
    store::Capabilities capabilities = store::memory_capabilities();
    capabilities.snapshot = snapshot;
    return capabilities;
}

}  // namespace idxfsck::tests
