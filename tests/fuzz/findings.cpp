// Results of an audit on disk: findings.ndjson and audit.json.
//
// Promised: a line that is no finding, and a summary that is none, are refused; those that were
// read are written as ones that are the same. Method: the input as lines of findings; then, up to
// the first empty line, as a summary, with the count and digest that its findings have.

#include "audit/finding_json.hpp"
#include "audit/json_fields.hpp"
#include "audit/result_json.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::BytesView;

void check_finding(BytesView line) {
    const auto read = audit::read_finding_line(line);
    const auto* const finding = std::get_if<audit::Finding>(&read);
    if (finding == nullptr) {
        store::ensure(!std::get<std::string>(read).empty(), "a refusal says why");
        return;
    }
    std::string written;
    audit::append_finding_line(written, *finding);
    store::ensure(written.back() == '\n', "a finding is one line");
    written.pop_back();
    const auto again = audit::read_finding_line(written);
    store::ensure(again == read, "a finding comes back as it was");
}

// The summary, told of the findings that come with it.
std::string with_digest(BytesView summary, BytesView findings) {
    auto json = audit::parse_object(summary);
    if (!json) return std::string{summary};
    (*json)["findings"] = {{"count", lines_of(findings).size()},
                           {"digest", store::digest(findings)}};
    return json->dump();
}

void check_result(BytesView summary, BytesView findings) {
    try {
        const audit::AuditResult result = audit::read_result(summary, findings);
        const audit::ResultFiles files = audit::write_result(result, "0");
        const audit::AuditResult again = audit::read_result(files.summary, files.findings);
        store::ensure(again.findings == result.findings && again.spec_file == result.spec_file &&
                          again.stores == result.stores && again.seed == result.seed,
                      "a result comes back as it was");
        store::ensure(audit::write_result(again, "0").summary == files.summary,
                      "a summary is written as it was");
    } catch (const store::Error&) {
        // Why it is none.
    }
}

}  // namespace

void fuzz_findings(BytesView input) {
    for (const BytesView line : lines_of(input)) check_finding(line);
    const std::size_t end = std::min(input.find("\n\n"), input.size());
    const BytesView summary = input.substr(0, end);
    const BytesView findings = input.substr(std::min(end + 2, input.size()));
    check_result(summary, findings);
    check_result(with_digest(summary, findings), findings);
}

}  // namespace idxfsck::tests
