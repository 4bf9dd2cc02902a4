#include "reports/expectations.hpp"

#include <algorithm>
#include <map>

#include "audit/json_fields.hpp"
#include "reports/finding_text.hpp"
#include "reports/plural.hpp"
#include "reports/value_text.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

using audit::Finding;

store::Error broken(const std::string& file, std::size_t line, std::string_view problem) {
    return store::Error{"the answer key cannot be read", store::Trouble::usage}
        .with("file", file)
        .with("line", std::to_string(line))
        .with("problem", problem);
}

template <class Word>
Word word_of(audit::JsonFields& fields, std::string_view name, Word none,
             std::optional<Word> (*lookup)(std::string_view)) {
    if (!fields.has(name)) return none;
    const auto word = lookup(fields.text(name));
    if (!word) fields.complain(name, "is no word that reports use");
    return word.value_or(none);
}

Expectation expectation_of(audit::JsonFields& fields) {
    Expectation expectation;
    expectation.index = fields.text("index");
    const auto kind = audit::kind_of(fields.text("kind"));
    if (!kind) fields.complain("kind", "is no kind of finding");
    expectation.kind = kind.value_or(audit::FindingKind::orphaned_write);
    expectation.reason = word_of(fields, "reason", audit::Reason::none, audit::reason_of);
    expectation.damage = word_of(fields, "damage", audit::Damage::none, audit::damage_of);
    expectation.key = fields.key("key");
    expectation.pointer = fields.key_if("pointer");
    return expectation;
}

// What two findings share if and only if they are the same to an answer key. Numbers compare as
// numbers, as they do in the audit.
std::string tag(const std::string& index, audit::FindingKind kind, audit::Reason reason,
                audit::Damage damage, const audit::Entry& entry) {
    std::string bytes;
    store::append_varint(bytes, index.size());
    bytes.append(index);
    for (const auto number : {static_cast<unsigned>(kind), static_cast<unsigned>(reason),
                              static_cast<unsigned>(damage)}) {
        store::append_varint(bytes, number);
    }
    audit::append_entry_bytes(bytes, audit::EntryLoan{entry}.view(), false);
    return bytes;
}

std::string tag(const Expectation& expectation) {
    audit::Entry entry;
    entry.key = expectation.key;
    if (expectation.pointer) entry.pointer = *expectation.pointer;
    return tag(expectation.index, expectation.kind, expectation.reason, expectation.damage, entry);
}

std::string tag(const Finding& finding, bool with_pointer) {
    audit::Entry entry;
    entry.key = finding.entry.key;
    if (with_pointer) entry.pointer = finding.entry.pointer;
    return tag(finding.index, finding.kind, finding.reason, finding.damage, entry);
}

// Findings by tag; each can be taken once.
class Pool {
public:
    void add(std::string finding_tag, const Finding* finding) {
        by_tag_[std::move(finding_tag)].push_back(finding);
    }

    bool take(const std::string& wanted) {
        const auto found = by_tag_.find(wanted);
        if (found == by_tag_.end() || found->second.empty()) return false;
        found->second.pop_back();
        return true;
    }

    std::vector<const Finding*> rest() const {
        std::vector<const Finding*> all;
        for (const auto& [finding_tag, findings] : by_tag_) {
            all.insert(all.end(), findings.begin(), findings.end());
        }
        return all;
    }

private:
    std::map<std::string, std::vector<const Finding*>> by_tag_;
};

std::string words_of(const Expectation& expectation) {
    Finding finding;
    finding.index = expectation.index;
    finding.kind = expectation.kind;
    finding.reason = expectation.reason;
    finding.damage = expectation.damage;
    std::string text = escape_terminal(finding.index) + ": ";
    text.append(kind_name(finding.kind)).append(" ").append(cause_name(finding));
    text.append(" ").append(key_text(expectation.key));
    if (!expectation.pointer || expectation.pointer->empty()) return text;
    return text.append(" -> ").append(key_text(*expectation.pointer));
}

std::string words_of(const Finding& finding) {
    return words_of(Expectation{finding.index, finding.kind, finding.reason, finding.damage,
                                finding.entry.key, finding.entry.pointer});
}

std::string capped(std::size_t shown, std::size_t all, std::string_view what) {
    if (shown == all) return "";
    return "showing " + grouped(shown) + " of " + grouped(all) + " " + std::string{what} + "\n";
}

}  // namespace

std::vector<Expectation> read_expectations(std::string_view text, const std::string& file) {
    std::vector<Expectation> expectations;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        const auto object = audit::parse_object(line);
        if (!object) throw broken(file, number, "it is no JSON object");
        audit::JsonFields fields{*object};
        expectations.push_back(expectation_of(fields));
        if (!fields.sound()) throw broken(file, number, fields.problem());
    }
    return expectations;
}

ExpectationResult compare(const std::vector<Expectation>& expected,
                          const std::vector<Finding>& found) {
    Pool exact;
    for (const Finding& finding : found) exact.add(tag(finding, true), &finding);
    ExpectationResult result;
    for (const Expectation& expectation : expected) {
        if (!expectation.pointer || exact.take(tag(expectation))) continue;
        result.missing.push_back(expectation);
    }
    // Those without a pointer take what is left, so that they never rob one that is exact.
    Pool any_pointer;
    for (const Finding* finding : exact.rest()) any_pointer.add(tag(*finding, false), finding);
    for (const Expectation& expectation : expected) {
        if (expectation.pointer || any_pointer.take(tag(expectation))) continue;
        result.missing.push_back(expectation);
    }
    result.too_much = any_pointer.rest();
    std::sort(result.too_much.begin(), result.too_much.end(),
              [](const Finding* a, const Finding* b) { return audit::report_order(*a, *b); });
    return result;
}

std::string expectation_text(const ExpectationResult& result, std::size_t expected,
                             std::size_t lines_max) {
    const std::size_t missing = std::min(result.missing.size(), lines_max);
    const std::size_t too_much = std::min(result.too_much.size(), lines_max);
    std::string text;
    for (std::size_t index = 0; index < missing; ++index) {
        text.append("missing: ").append(words_of(result.missing[index])).append("\n");
    }
    text.append(capped(missing, result.missing.size(), "missing"));
    for (std::size_t index = 0; index < too_much; ++index) {
        text.append("too much: ").append(words_of(*result.too_much[index])).append("\n");
    }
    text.append(capped(too_much, result.too_much.size(), "too much"));
    const std::string sum = counted(expected, "finding", "findings");
    if (result.equal()) return text + "AS EXPECTED: " + sum + "\n";
    return text + "NOT AS EXPECTED: of " + sum + " expected, " + grouped(result.missing.size()) +
           " missing; " + grouped(result.too_much.size()) + " too much\n";
}

}  // namespace idxfsck::reports
