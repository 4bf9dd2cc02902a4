#include <charconv>
#include <cmath>

#include "reports/commands/audit_output.hpp"
#include "reports/commands/commands.hpp"
#include "reports/doctor.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::uint64_t rate_max = 1'000'000'000;
constexpr double price_max = 1e9;

std::optional<double> price_in(const Arguments& arguments) {
    const auto text = arguments.text("price-per-million-units");
    if (!text) return std::nullopt;
    double price = 0.0;
    const char* const end = text->data() + text->size();
    const auto [stop, trouble] = std::from_chars(text->data(), end, price);
    const bool whole = trouble == std::errc{} && stop == end;
    if (whole && std::isfinite(price) && price >= 0.0 && price <= price_max) return price;
    throw store::Error{"a price is a number of dollars", store::Trouble::usage}
        .with("option", "--price-per-million-units")
        .with("value", *text)
        .hint("for a million read units, such as 0.125; the price list of your region has it");
}

int run(const Arguments& arguments, Streams& streams) {
    const std::string path = *arguments.text("SPEC");
    DoctorWishes wishes;
    wishes.price_per_million_units = price_in(arguments);
    if (const auto rate = count_up_to(arguments, "rate", rate_max)) {
        wishes.units_a_second = static_cast<double>(*rate);
    }
    wishes.samples = !arguments.has("no-samples");
    wishes.now_ms = SystemClock{}.now_ms();
    const audit::Spec spec = require_spec(path, streams);
    const DoctorReport report = examine(spec, wishes);
    streams.out.write(doctor_text(report, path));
    return report.exit_code();
}

}  // namespace

Command doctor_command() {
    return {
        .name = "doctor",
        .summary = "say whether an audit could begin, as whom, and what it would cost",
        .description =
            "Asks each store and table of the spec what can be known without a scan: as whom\n"
            "and where requests go, the state and key of the tables, permissions (each tried by\n"
            "one harmless read), rows, bytes, cost and time. Looks at a few rows of both sides\n"
            "of each index, works out their entries, and looks these up on the other side.\n\n"
            "Never scans a table, and never writes: what a repair needs beyond that is named,\n"
            "not tried.",
        .positionals = {{"SPEC"}},
        .options = {{"price-per-million-units", "DOLLARS",
                     "what a million read units cost (default: as the spec says)"},
                    {"rate", "COUNT", "read units a second (default: as the spec says)"},
                    {"no-samples", "", "look at no rows, and show no keys"}},
        .exit_statuses = {{0, "nothing stands against an audit"},
                          {8, "something is missing, or could not be found out"},
                          {16, "the spec or the command line makes no sense, or does not fit the "
                               "stores"}},
        .examples = {{"idxfsck doctor shop.toml", ""},
                     {"idxfsck doctor shop.toml --price-per-million-units 0.125 --rate 500", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
