#include <nlohmann/json.hpp>

#include "audit/finding_json.hpp"
#include "reports/catalogue.hpp"
#include "reports/commands/commands.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/finding_text.hpp"
#include "reports/help.hpp"
#include "reports/json_text.hpp"
#include "reports/open_stores.hpp"
#include "reports/plural.hpp"
#include "reports/shell_text.hpp"
#include "reports/spec_file.hpp"
#include "reports/system_clock.hpp"
#include "reports/value_text.hpp"
#include "reports/why.hpp"
#include "store/json/value_json.hpp"

namespace idxfsck::reports {

namespace {

using audit::Ruling;
using Json = nlohmann::ordered_json;

// A JSON array of components; or, of a key of one component, the text itself.
store::Key key_of(std::string_view option, const std::string& text) {
    if (!text.starts_with('[')) return {store::Value::text(text)};
    const Json json = Json::parse(text, nullptr, false);
    const auto key = store::key_from_json(json);
    if (key) return *key;
    throw store::Error{"this is no key", store::Trouble::usage}
        .with("option", "--" + std::string{option})
        .with("value", text)
        .with("problem", json.is_discarded() ? "it is no JSON" : key.why_not)
        .hint("a JSON array, one value for each component: '[\"ann@x.org\"]'");
}

int code_of(const WhyAnswer& answer) {
    const int drift = answer.findings().empty() ? exit_consistent : exit_drift;
    return drift + (answer.undecided() ? exit_could_not_tell : 0);
}

std::string repair_words(const audit::Finding& finding) {
    auto entry = catalogue_entry(cause_name(finding));
    if (!entry) entry = catalogue_entry(kind_name(finding.kind));
    return entry ? std::string{entry->repair} : "";
}

void print_entry(const WhyEntry& entry, Output& out) {
    const auto line = [&](std::string_view title, const std::string& text) {
        if (!text.empty()) out.print("  {:<9} {}\n", title, text);
    };
    std::string claim = entry.entry.key.empty() ? "" : key_text(entry.entry.key);
    if (!entry.entry.pointer.empty()) claim.append(" -> ").append(key_text(entry.entry.pointer));
    line("entry", claim);
    line("of row", entry.owner);
    for (const std::string& call : entry.calls) line("calls for", call);
    // Only where it says more than the entry: who holds the key, who else claims it.
    const std::string facts = finding_words(entry.finding).facts;
    if (entry.ruling == Ruling::finding && facts != claim) line("found", facts);
    line("verdict", verdict_words(entry));
    if (entry.ruling != Ruling::finding) return;
    line("mends it", wrapped(repair_words(entry.finding), 68, 12));
}

void print_text(const WhyAnswer& answer, const std::string& spec, Streams& streams) {
    Output& out = streams.out;
    out.print("{}: {} {} of {}: {}\n", escape_terminal(answer.index),
              answer.of_base ? "row" : "key", key_text(answer.key), escape_terminal(answer.table),
              answer.state);
    for (const store::Key& claimant : answer.claimants) {
        out.print("  derived by {}\n", key_text(claimant));
    }
    for (const WhyEntry& entry : answer.entries) print_entry(entry, out);
    const std::size_t findings = answer.findings().size();
    if (findings > 0) {
        out.print("\nDRIFT: {}\nnext: idxfsck audit {} --index {}\n",
                  counted(findings, "finding", "findings"), shell_word(spec),
                  shell_word(answer.index));
    } else if (answer.undecided() && answer.entries.empty()) {
        out.print("\nNO ENTRY here; whether a base row calls for one: look with --scan\n");
    } else if (answer.undecided()) {
        out.print("\nCOULD NOT TELL without a look through the base table\n");
    } else {
        out.print("\nCONSISTENT, as far as this key goes\n");
    }
}

Json entry_json(const WhyEntry& entry) {
    Json json{{"key", store::key_to_json(entry.entry.key)},
              {"pointer", store::key_to_json(entry.entry.pointer)},
              {"verdict", verdict_words(entry)}};
    if (entry.ruling != Ruling::finding) return json;
    std::string line;
    audit::append_finding_line(line, entry.finding);
    json["finding"] = Json::parse(line);
    return json;
}

void print_json(const WhyAnswer& answer, int code, Output& out) {
    Json entries = Json::array();
    for (const WhyEntry& entry : answer.entries) entries.push_back(entry_json(entry));
    Json claimants = Json::array();
    for (const store::Key& claimant : answer.claimants) {
        claimants.push_back(store::key_to_json(claimant));
    }
    out.write(json_text({{"format_version", 1},
                         {"command", "why"},
                         {"exit_code", code},
                         {"index", valid_utf8(answer.index)},
                         {"table", valid_utf8(answer.table)},
                         {"key", store::key_to_json(answer.key)},
                         {"state", answer.state},
                         {"scanned", answer.looked_through},
                         {"derived_by", std::move(claimants)},
                         {"entries", std::move(entries)}}));
}

// The index that is asked about: it need not be named where the spec has only one.
std::string index_of(const Arguments& arguments, const audit::Spec& spec) {
    if (const auto name = arguments.text("index")) {
        check_index_name(*name, spec);
        return *name;
    }
    // Older key versions stand behind their index, and are looked at with it.
    if (spec.indexes.back().family() == spec.indexes.front().name) {
        return spec.indexes.front().name;
    }
    throw store::Error{"the spec has several indexes", store::Trouble::usage}
        .with("option", "--index")
        .hint("name one of them");
}

int run(const Arguments& arguments, Streams& streams) {
    const bool json = arguments.choice("format", {"text", "json"}) == "json";
    const auto key = arguments.text("key");
    const auto row = arguments.text("row");
    if (key.has_value() == row.has_value()) {
        throw store::Error{"one of --key and --row must be given", store::Trouble::usage}.with(
            "option", key ? "--row" : "--key");
    }
    const store::Key asked = key ? key_of("key", *key) : key_of("row", *row);
    const std::string path = *arguments.text("SPEC");
    const audit::Spec spec = require_spec(path, streams);
    const std::string index = index_of(arguments, spec);
    if (key && spec.index(index)->inside) {
        throw store::Error{"an index inside the base row has no rows of its own",
                           store::Trouble::usage}
            .with("index", index)
            .hint("ask with --row, by the key of the base row");
    }
    const OpenReaders stores{spec};
    const std::int64_t now_ms = arguments.time_ms("as-of").value_or(SystemClock{}.now_ms());
    WhyLook look{spec, stores.readers(), index, now_ms};
    const WhyAnswer answer =
        key ? look.by_key(asked, arguments.has("scan")) : look.by_row(asked);
    const int code = code_of(answer);
    if (json) {
        print_json(answer, code, streams.out);
    } else {
        print_text(answer, path, streams);
    }
    return code;
}

}  // namespace

Command why_command() {
    return {
        .name = "why",
        .summary = "explain one key: expected, actual, verdict, what would mend it",
        .description =
            "Reads one index row (--key) or one base row (--row), and the rows that its entries\n"
            "name, and judges them as an audit would: what is called for, what is there, and\n"
            "what a repair would do. With --scan it also looks through the base table for rows\n"
            "that derive the key.\n\n"
            "Never writes. Reads a few rows only, unless --scan is given.",
        .positionals = {{"SPEC"}},
        .options = {{"index", "NAME", "the index; may be left out if the spec has only one"},
                    {"key", "KEY", "key of an index row: a JSON array, or the text itself if it "
                                   "has one component"},
                    {"row", "KEY", "key of a base row, written the same way"},
                    {"scan", "", "with --key: look through the base table, too"},
                    {"as-of", "TIME", "the moment that expiry is judged by (default: now)"},
                    {"format", "FORMAT", "text (default) or json"}},
        .exit_statuses = {{0, "what was looked at is consistent"},
                          {4, "it is not"},
                          {8, "a store could not be read, or only --scan can tell"},
                          {16, "the spec, the key or the command line makes no sense"}},
        .examples = {{"idxfsck why shop.toml --index users-by-email --key ann@x.org", ""},
                     {"idxfsck why shop.toml --index by-city --key '[\"Rome\", \"u1\"]'", ""},
                     {"idxfsck why shop.toml --index users-by-email --row u1", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
