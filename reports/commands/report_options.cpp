#include "reports/commands/report_options.hpp"

#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/json_report.hpp"
#include "reports/redact.hpp"
#include "reports/system_clock.hpp"
#include "reports/text_report.hpp"

namespace idxfsck::reports {

void add_report_options(std::vector<Option>& options) {
    options.insert(options.end(),
                   {{"format", "FORMAT", "text (default) or json"},
                    {"max-shown", "COUNT", "findings shown for each index (default 50; 0: all); "
                                              "the counts are always whole"},
                    {"show-values", "", "keep and show the values of copies that differ"},
                    {"redact", "", "show keyed hashes for keys and values; the key is in "
                                   "IDXFSCK_REDACT_KEY"},
                    {"verbose", "", "also show times, seed and partitions"},
                    {"quiet", "", "print nothing if all is well, and no progress"}});
}

ReportOptions report_options(const Arguments& arguments) {
    ReportOptions options;
    options.json = arguments.choice("format", {"text", "json"}) == "json";
    options.show_values = arguments.has("show-values");
    options.redact = arguments.has("redact");
    options.quiet = arguments.has("quiet");
    options.verbose = arguments.has("verbose");
    options.findings_max = arguments.count("max-shown").value_or(options.findings_max);
    return options;
}

int print_report(const audit::AuditResult& result, const ReportOptions& options, int stopped,
                 Streams& streams) {
    if (options.redact) {
        ReportOptions plain = options;
        plain.redact = false;
        const Redactor redactor = Redactor::from_environment();
        return print_report(redactor.result(result), plain, stopped, streams);
    }
    const int code = exit_code(result);
    if (options.quiet && code + stopped == exit_consistent) return code;
    if (options.json) {
        print_json_report(result, code + stopped, streams.out);
        return code;
    }
    TextOptions text;
    text.findings_max = options.findings_max;
    text.show_values = options.show_values;
    text.verbose = options.verbose;
    text.folder = options.folder;
    text.next = options.next;
    streams.out.write(text_report(result, text, streams.out_style));
    return code;
}

repair::FolderLock lock_folder(const std::string& folder, Streams& streams) {
    repair::FolderLock lock{folder, "idxfsck.lock", SystemClock{}.now_ms()};
    if (!lock.takeover_note().empty()) {
        streams.error.print("idxfsck: note: the lock was {}\n",
                            escape_terminal(lock.takeover_note()));
    }
    return lock;
}

}  // namespace idxfsck::reports
