#include "audit/finding_json.hpp"

#include "audit/json_fields.hpp"

namespace idxfsck::audit {

namespace {

using store::Json;

void write_entry(Json& json, const Entry& entry) {
    json["key"] = store::key_to_json(entry.key);
    json["pointer"] = store::key_to_json(entry.pointer);
    if (entry.key_version != 0) json["key_version"] = entry.key_version;
}

Json difference_to_json(const Difference& difference) {
    Json json = Json::object();
    json["attribute"] = text_to_json(difference.attribute);
    if (difference.expected) json["expected"] = store::value_to_json(*difference.expected);
    if (difference.actual) json["actual"] = store::value_to_json(*difference.actual);
    return json;
}

void write_lists(Json& json, const Finding& finding) {
    if (!finding.differences.empty()) {
        Json& list = json["differences"] = Json::array();
        for (const Difference& difference : finding.differences) {
            list.push_back(difference_to_json(difference));
        }
    }
    if (!finding.claimants.empty()) {
        Json& list = json["claimants"] = Json::array();
        for (const store::Key& claimant : finding.claimants) {
            list.push_back(store::key_to_json(claimant));
        }
    }
}

Json finding_to_json(const Finding& finding) {
    Json json = Json::object();
    json["id"] = text_to_json(finding.id);
    json["index"] = text_to_json(finding.index);
    json["kind"] = kind_name(finding.kind);
    if (finding.reason != Reason::none) json["reason"] = reason_name(finding.reason);
    if (finding.damage != Damage::none) json["damage"] = damage_name(finding.damage);
    if (!finding.attribute.empty()) json["attribute"] = text_to_json(finding.attribute);
    write_entry(json, finding.entry);
    if (finding.base) json["base"] = seen_row_to_json(*finding.base);
    if (finding.index_row) json["index_row"] = seen_row_to_json(*finding.index_row);
    if (finding.holder_row) json["holder_row"] = seen_row_to_json(*finding.holder_row);
    write_lists(json, finding);
    if (finding.holder) json["holder"] = store::key_to_json(*finding.holder);
    if (finding.winner) json["winner"] = store::key_to_json(*finding.winner);
    if (finding.severity != "error") json["severity"] = text_to_json(finding.severity);
    if (!finding.linked.empty()) json["linked"] = text_to_json(finding.linked);
    return json;
}

// A word out of a list; `none` where the field is not there.
template <typename Enumerator, typename Lookup>
Enumerator word(JsonFields& fields, std::string_view name, Enumerator none, Lookup lookup) {
    if (!fields.has(name)) return none;
    const auto found = lookup(fields.text(name));
    if (!found) fields.complain(name, "is a word that this program does not know");
    return found.value_or(none);
}

void read_differences(JsonFields& fields, Finding& finding) {
    for (const Json& json : fields.array("differences")) {
        JsonFields difference{json};
        finding.differences.push_back({difference.text("attribute"),
                                       difference.value_if("expected"),
                                       difference.value_if("actual")});
        if (!difference.sound()) fields.complain("differences", difference.problem());
    }
}

void read_claimants(JsonFields& fields, Finding& finding) {
    for (const Json& json : fields.array("claimants")) {
        store::Decoded<store::Key> key = store::key_from_json(json);
        if (!key) return fields.complain("claimants", key.why_not);
        finding.claimants.push_back(std::move(*key));
    }
}

Finding read_finding(JsonFields& fields) {
    Finding finding;
    finding.id = fields.text("id");
    finding.index = fields.text("index");
    if (!fields.has("kind")) fields.complain("kind", "is missing");
    finding.kind = word(fields, "kind", FindingKind::orphaned_write, kind_of);
    finding.reason = word(fields, "reason", Reason::none, reason_of);
    finding.damage = word(fields, "damage", Damage::none, damage_of);
    finding.attribute = fields.text_or_empty("attribute");
    finding.entry.key = fields.key("key");
    finding.entry.pointer = fields.key("pointer");
    if (fields.has("key_version")) {
        finding.entry.key_version = static_cast<std::uint32_t>(fields.count("key_version"));
    }
    finding.base = fields.seen_row_if("base");
    finding.index_row = fields.seen_row_if("index_row");
    finding.holder_row = fields.seen_row_if("holder_row");
    if (fields.has("differences")) read_differences(fields, finding);
    if (fields.has("claimants")) read_claimants(fields, finding);
    finding.holder = fields.key_if("holder");
    finding.winner = fields.key_if("winner");
    if (fields.has("severity")) finding.severity = fields.text("severity");
    finding.linked = fields.text_or_empty("linked");
    return finding;
}

}  // namespace

void append_finding_line(std::string& out, const Finding& finding) {
    out.append(finding_to_json(finding).dump()).push_back('\n');
}

std::variant<Finding, std::string> read_finding_line(std::string_view line) {
    if (line.size() > finding_line_bytes_max) return "the line is too long";
    const std::optional<Json> json = parse_object(line);
    if (!json) return "the line is no JSON object";
    JsonFields fields{*json};
    Finding finding = read_finding(fields);
    if (!fields.sound()) return fields.problem();
    return finding;
}

}  // namespace idxfsck::audit
