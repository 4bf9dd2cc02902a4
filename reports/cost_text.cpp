#include "reports/cost_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "reports/plural.hpp"

namespace idxfsck::reports {

namespace {

std::string units_text(double units) {
    const double whole = std::floor(units);
    const std::string text = grouped(static_cast<std::uint64_t>(whole));
    // DynamoDB counts in halves.
    return units - whole < 0.25 ? text : fmt::format("{}{:.1f}", text, units - whole).erase(
                                             text.size(), 1);
}

// Requests, and dollars if there is a price.
std::string rest_of_line(const store::ReadCost& cost) {
    std::string text = ", " + counted(cost.requests, "request", "requests");
    if (cost.retries > 0) text.append(", " + grouped(cost.retries) + " of them again");
    if (cost.throttles > 0) text.append(", slowed " + counted(cost.throttles, "time", "times"));
    if (cost.dollars) text.append(fmt::format(", {:.6f} dollars", *cost.dollars));
    return text + "\n";
}

}  // namespace

std::string cost_line(const std::string& of, const store::ReadCost& cost) {
    return fmt::format("cost of {}: {} read units (scan {}, confirmation {})", of,
                       units_text(cost.units()), units_text(cost.scan_units),
                       units_text(cost.point_units)) +
           rest_of_line(cost);
}

std::string repair_cost_line(const std::string& of, const store::ReadCost& cost) {
    std::string text = "cost of " + of + ": " + units_text(cost.units()) + " read units";
    if (cost.write_units > 0.0) {
        text.append(", ").append(units_text(cost.write_units)).append(" write units");
    }
    return text + rest_of_line(cost);
}

}  // namespace idxfsck::reports
