#include "reports/commands/audit_output.hpp"

#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/signals.hpp"
#include "reports/text_file.hpp"
#include "store/error.hpp"
#include "store/inspection.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::uint64_t threads_max = 1024;
constexpr std::size_t expectation_lines_max = 50;

}  // namespace

std::optional<std::uint64_t> count_up_to(const Arguments& arguments, std::string_view name,
                                         std::uint64_t max) {
    const auto count = arguments.count(name);
    if (!count || *count <= max) return count;
    throw store::Error{"this option takes a smaller number", store::Trouble::usage}
        .with("option", "--" + std::string{name})
        .with("value", std::to_string(*count))
        .with("max", std::to_string(max));
}

audit::AuditOptions reconciling_options(const Arguments& arguments) {
    audit::AuditOptions options;
    options.threads = count_up_to(arguments, "threads", threads_max).value_or(0);
    options.memory_bytes_max = arguments.size_bytes("memory").value_or(options.memory_bytes_max);
    options.stop_requested = stop_requested;
    return options;
}

std::optional<std::vector<Expectation>> expected_findings(const Arguments& arguments) {
    const auto file = arguments.text("expect");
    if (!file) return std::nullopt;
    return read_expectations(read_text_file(*file, "file", expectations_bytes_max), *file);
}

int compare_with(const std::vector<Expectation>& expected, const audit::AuditResult& result,
                 Streams& streams) {
    const ExpectationResult compared = compare(expected, result.findings);
    streams.out.write(expectation_text(compared, expected.size(), expectation_lines_max));
    const int unsure = result.coverage.whole() ? 0 : exit_could_not_tell;
    return unsure + (compared.equal() ? exit_consistent : exit_drift);
}

void print_identities(const audit::Readers& readers, Streams& streams) {
    for (const auto& [name, reader] : readers) {
        const store::StoreInspection seen = store::inspect(*reader);
        if (seen.unit.empty()) continue;
        std::string text;
        for (const store::InspectedFact& fact : seen.facts) {
            text.append(" ").append(fact.name).append("=").append(escape_terminal(fact.value));
        }
        // Who may not be told who he is may still read.
        for (const store::Obstacle& obstacle : seen.obstacles) {
            text.append("; ").append(escape_terminal(obstacle.text));
        }
        streams.error.print("idxfsck: store {}:{}\n", escape_terminal(name), text);
    }
}

std::function<void(const audit::Progress&)> shown_on(ProgressLine& line) {
    return [&line](const audit::Progress& progress) {
        line.show({progress.phase, "rows", progress.rows, progress.rows_total, progress.suspects});
    };
}

}  // namespace idxfsck::reports
