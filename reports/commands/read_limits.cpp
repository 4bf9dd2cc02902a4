#include "reports/commands/read_limits.hpp"

#include <algorithm>

#include "reports/commands/audit_output.hpp"
#include "reports/escape.hpp"
#include "store/error.hpp"
#include "store/open.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::uint64_t units_max = 1'000'000'000'000;
constexpr std::uint64_t rate_max = 1'000'000'000;

bool bills_reads(const audit::StoreSpec& store) {
    const std::vector<std::string> known = store::store_settings(store.kind);
    return std::find(known.begin(), known.end(), "rate") != known.end();
}

void check_limits(const audit::Spec& spec, const Arguments& arguments) {
    if (std::any_of(spec.stores.begin(), spec.stores.end(), bills_reads)) return;
    for (const std::string name : {"rate", "rate-file", "budget"}) {
        if (!arguments.has(name)) continue;
        throw store::Error{name == "budget" ? "no store of the spec can be held to a budget"
                                            : "no store of the spec can be held to a rate",
                           store::Trouble::usage}
            .hint("leave out --" + name +
                  ": it is for stores that bill their reads, such as DynamoDB");
    }
}

std::unique_ptr<store::Pace> pace_of(const Arguments& arguments, Streams& streams) {
    const auto rate = count_up_to(arguments, "rate", rate_max);
    const auto file = arguments.text("rate-file");
    if (rate && file) {
        throw store::Error{"these options do not go together", store::Trouble::usage}
            .with("option", "--rate")
            .with("other", "--rate-file")
            .hint("the file says the rate");
    }
    store::Clock& clock = store::system_clock();
    if (rate) return std::make_unique<store::Pace>(clock, double(*rate));
    if (!file) return nullptr;
    const auto say = [&streams, path = *file](const std::string& problem) {
        streams.error.write("note: " + escape_terminal(path) + ": " + problem + "\n");
        streams.error.flush();
    };
    return std::make_unique<store::Pace>(clock, store::RateFile{*file, say});
}

}  // namespace

void add_limit_options(std::vector<Option>& options) {
    options.insert(
        options.end(),
        {{"rate", "COUNT", "read units a second at most, of stores that bill their reads (default: "
                           "as the spec says)"},
         {"rate-file", "FILE", "the same from a file, which is read again while the audit runs"},
         {"budget", "COUNT", "read units at most, of stores that bill their reads: the audit stops "
                             "there, and --resume goes on"}});
}

std::shared_ptr<store::RunLimits> read_limits(const audit::Spec& spec, const Arguments& arguments,
                                              Streams& streams) {
    check_limits(spec, arguments);
    for (const std::string name : {"rate", "budget"}) {
        if (arguments.count(name) != std::uint64_t{0}) continue;
        throw store::Error{"this option takes a number of 1 or more", store::Trouble::usage}.with(
            "option", "--" + name);
    }
    const auto budget = count_up_to(arguments, "budget", units_max);
    std::optional<double> units;
    if (budget) units = double(*budget);
    return std::make_shared<store::RunLimits>(store::system_clock(), units,
                                              pace_of(arguments, streams));
}

}  // namespace idxfsck::reports
