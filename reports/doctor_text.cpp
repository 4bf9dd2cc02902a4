#include <cmath>

#include <fmt/format.h>

#include "reports/doctor.hpp"
#include "reports/escape.hpp"
#include "reports/plural.hpp"
#include "reports/shell_text.hpp"
#include "reports/value_text.hpp"

namespace idxfsck::reports {

namespace {

using store::Access;

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
    return out;
}

std::string obstacle_text(const store::Obstacle& obstacle) {
    std::string text = "  PROBLEM: " + escape_terminal(obstacle.text);
    if (!obstacle.cause.empty()) text.append(": ").append(escape_terminal(obstacle.cause));
    text.append("\n");
    if (obstacle.hint.empty()) return text;
    return text.append("    hint: ").append(escape_terminal(obstacle.hint)).append("\n");
}

std::string obstacles_text(const std::vector<store::Obstacle>& obstacles) {
    std::string text;
    for (const store::Obstacle& obstacle : obstacles) text.append(obstacle_text(obstacle));
    return text;
}

std::string store_text(const DoctorStore& store) {
    std::string text =
        fmt::format("store {}: {}\n", escape_terminal(store.name), escape_terminal(store.kind));
    for (const store::InspectedFact& fact : store.seen.facts) {
        text.append(fmt::format("  {:<12} {}\n", fact.name, escape_terminal(fact.value)));
    }
    return text + obstacles_text(store.seen.obstacles);
}

std::string key_words(const store::TableInspection& seen) {
    std::vector<std::string> words;
    for (std::size_t place = 0; place < seen.schema->key.size(); ++place) {
        std::string word = escape_terminal(seen.schema->key[place]);
        const std::vector<store::Kind>& kinds = seen.schema->key_kinds;
        if (place < kinds.size()) word.append(" (").append(kind_name(kinds[place])).append(")");
        words.push_back(std::move(word));
    }
    return joined(words);
}

std::string size_words(const store::TableInspection& seen) {
    std::vector<std::string> words;
    if (seen.rows) words.push_back("about " + counted(*seen.rows, "row", "rows"));
    if (seen.bytes) words.push_back(grouped(*seen.bytes) + " bytes");
    if (words.empty()) words.push_back("not known without a scan");
    return joined(words) + (seen.counted.empty() ? "" : " (" + seen.counted + ")");
}

// The actions of one kind, in a line; nothing if there are none.
std::string access_line(const store::TableInspection& seen, Access access, bool for_repair,
                        const std::string& title) {
    std::vector<std::string> actions;
    for (const store::Permission& permission : seen.permissions) {
        if (permission.access == access && permission.for_repair == for_repair) {
            actions.push_back(escape_terminal(permission.action));
        }
    }
    return actions.empty() ? "" : fmt::format("  {:<12} {}\n", title, joined(actions));
}

std::string permissions_text(const DoctorTable& table) {
    std::string text = access_line(table.seen, Access::allowed, false, "allowed");
    const std::string repair = access_line(table.seen, Access::untried, true, "to repair");
    if (!repair.empty()) {
        text.append(repair).append("               (not tried: only a write can tell)\n");
    }
    for (const store::Permission& permission : table.seen.permissions) {
        if (permission.access != Access::refused) continue;
        text.append(fmt::format("  MISSING: {} on {}: {}\n", escape_terminal(permission.action),
                                escape_terminal(table.table), escape_terminal(permission.cause)));
    }
    return text;
}

// Whether the store deletes rows by itself, and what of that the spec should know.
std::string expiry_text(const DoctorTable& table) {
    const std::optional<store::TableExpiry>& expiry = table.seen.expiry;
    if (!expiry) return {};
    std::string words = expiry->attribute.empty() ? "off" : escape_terminal(expiry->attribute);
    if (!expiry->untold.empty()) words = "could not be asked: " + escape_terminal(expiry->untold);
    std::string text = fmt::format("  {:<12} {}\n", "ttl", words);
    for (const std::string& note : table.notes) {
        text.append("  NOTE: ").append(escape_terminal(note)).append("\n");
    }
    return text;
}

std::string table_text(const DoctorTable& table) {
    std::string text = fmt::format("table {} in {}: {}\n", escape_terminal(table.table),
                                   escape_terminal(table.store),
                                   escape_terminal(joined(table.roles)));
    const store::TableInspection& seen = table.seen;
    if (!seen.state.empty()) {
        text.append(fmt::format("  {:<12} {}\n", "state", escape_terminal(seen.state)));
    }
    if (seen.schema) {
        text.append(fmt::format("  {:<12} {}\n", "key", key_words(seen)));
        text.append(fmt::format("  {:<12} {}\n", "size", size_words(seen)));
    }
    return text + expiry_text(table) + permissions_text(table) + obstacles_text(seen.obstacles);
}

std::string entry_line(const WhyEntry& entry) {
    std::string claim = entry.entry.key.empty() ? "damaged" : key_text(entry.entry.key);
    const std::string& damaged = entry.finding.attribute;
    if (!damaged.empty()) claim.append(" (").append(escape_terminal(damaged)).append(")");
    if (!entry.entry.pointer.empty()) claim.append(" -> ").append(key_text(entry.entry.pointer));
    return fmt::format("      {}: {}\n", claim, verdict_words(entry));
}

std::string sample_text(const DoctorSample& sample) {
    std::string text = fmt::format("sample of {}, {} side, {}: ", escape_terminal(sample.index),
                                   sample.of_base ? "base" : "index",
                                   escape_terminal(sample.table));
    const std::string rows = counted(sample.rows_looked_at, "row", "rows");
    if (!sample.judged) return text + "not looked up: in this store that takes a scan\n";
    if (sample.rows.empty()) return text + "none of the first " + rows + " is of it\n";
    const std::size_t untold =
        sample.entries() - sample.entries_met() - sample.entries_differing();
    text.append(fmt::format("{} of {} met{}\n", grouped(sample.entries_met()),
                            counted(sample.entries(), "entry", "entries"),
                            untold == 0 ? "" : "; of the others only a scan can tell"));
    for (const WhyAnswer& row : sample.rows) {
        text.append("    ").append(key_text(row.key)).append("\n");
        for (const WhyEntry& entry : row.entries) text.append(entry_line(entry));
    }
    return text;
}

std::string amount(double number) {
    return grouped(static_cast<std::uint64_t>(std::llround(std::ceil(number))));
}

std::string cost_text(const DoctorCost& cost) {
    std::string text = fmt::format("cost of one scan of each table: {}{} {}s",
                                   cost.whole ? "about " : "at least ", amount(cost.units),
                                   cost.unit);
    if (cost.dollars) text.append(fmt::format(", {:.2f} dollars at the price", *cost.dollars));
    if (cost.minutes) text.append(fmt::format(", {:.1f} minutes at the rate", *cost.minutes));
    text.append(cost.minutes ? "\n" : "; --rate N tells the minutes\n");
    if (!cost.whole) text.append("  of a table that counts 0 bytes it is not known\n");
    return text;
}

}  // namespace

std::string doctor_text(const DoctorReport& report, const std::string& spec_path) {
    std::string text;
    for (const DoctorStore& store : report.stores) text.append(store_text(store));
    for (const DoctorTable& table : report.tables) text.append(table_text(table));
    for (const DoctorSample& sample : report.samples) text.append(sample_text(sample));
    for (const DoctorCost& cost : report.costs) text.append(cost_text(cost));
    if (!report.obstacles.empty()) text.append("the spec as a whole\n");
    text.append(obstacles_text(report.obstacles));
    const std::size_t problems = report.problems();
    const std::string spec = shell_word(spec_path);
    if (problems > 0) {
        return text + fmt::format("\nNOT READY: {}; nothing was scanned or written\n"
                                  "next: mend what is named above, then idxfsck doctor {}\n",
                                  counted(problems, "problem", "problems"), spec);
    }
    return text + fmt::format("\nREADY: nothing stands against an audit; nothing was scanned or "
                              "written\nnext: idxfsck audit {}\n", spec);
}

}  // namespace idxfsck::reports
