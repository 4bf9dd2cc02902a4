#include "audit/result_json.hpp"

#include <charconv>
#include <map>

#include "audit/coverage_json.hpp"
#include "audit/finding_json.hpp"
#include "audit/state_file.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::audit {

namespace {

using store::Json;
using store::Trouble;

store::Error broken(std::string_view file, std::string_view problem) {
    store::Error error{"this is no result of an audit that can be read", Trouble::usage};
    error.with("file", file).with("problem", problem);
    error.hint("audit again");
    return error;
}

// Findings by index, kind and reason or damage, as the summary shows them.
Json counts_to_json(const std::vector<Finding>& findings) {
    std::map<std::string, std::map<std::string, std::map<std::string, std::uint64_t>>> counts;
    for (const Finding& finding : findings) {
        auto& by_reason = counts[finding.index][std::string{kind_name(finding.kind)}];
        const std::string_view reason = finding.damage != Damage::none
                                            ? damage_name(finding.damage)
                                            : reason_name(finding.reason);
        ++by_reason[std::string{reason}];
    }
    Json list = Json::array();
    for (const auto& [index, by_kind] : counts) {
        Json json = Json::object();
        json["index"] = text_to_json(index);
        for (const auto& [kind, by_reason] : by_kind) {
            for (const auto& [reason, count] : by_reason) json[kind][reason] = count;
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json stores_to_json(const AuditResult& result) {
    Json list = Json::array();
    for (const auto& [name, identity] : result.stores) {
        Json json = Json::object();
        json["name"] = text_to_json(name);
        json["identity"] = text_to_json(identity);
        list.push_back(std::move(json));
    }
    return list;
}

Json summary_to_json(const AuditResult& result, std::string_view spec_file,
                     const store::Bytes& digest) {
    Json json = Json::object();
    json["idxfsck"] = "audit";
    json["format_version"] = audit_format_version;
    json["verdict"] = verdict_name(result.verdict());
    json["spec_file"] = text_to_json(spec_file);
    json["spec_digest"] = text_to_json(result.spec_digest);
    json["stores"] = stores_to_json(result);
    json["now_ms"] = result.now_ms;
    json["seed"] = std::to_string(result.seed);
    Json file = Json::object();
    file["count"] = result.findings.size();
    file["digest"] = digest;
    json["findings"] = std::move(file);
    json["counts"] = counts_to_json(result.findings);
    json["coverage"] = coverage_to_json(result.coverage);
    return json;
}

void check_version(JsonFields& fields) {
    if (fields.text_or_empty("idxfsck") != "audit") {
        throw broken("audit.json", "it does not say that it is one");
    }
    const std::int64_t version = fields.integer("format_version");
    if (!fields.sound() || version == audit_format_version) return;
    throw store::Error{"the audit has a format that this program does not know", Trouble::refused}
        .with("format_version", std::to_string(version))
        .with("known", std::to_string(audit_format_version))
        .hint("use the version of idxfsck that made it, or audit again");
}

std::uint64_t read_seed(JsonFields& fields) {
    const std::string text = fields.text("seed");
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc{} || end != text.data() + text.size()) {
        fields.complain("seed", "is no number");
    }
    return seed;
}

std::vector<Finding> read_findings(std::string_view text) {
    std::vector<Finding> findings;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) throw broken("findings.ndjson", "the last line is cut");
        auto read = read_finding_line(text.substr(0, end));
        if (const auto* problem = std::get_if<std::string>(&read)) {
            throw broken("findings.ndjson", *problem)
                .with("line", std::to_string(findings.size() + 1));
        }
        findings.push_back(std::move(std::get<Finding>(read)));
        text.remove_prefix(end + 1);
    }
    return findings;
}

// Does findings.ndjson belong to the summary? A lost line must not look like a clean index.
void check_findings(JsonFields& fields, const AuditResult& result, std::string_view text) {
    JsonFields file{fields.object("findings")};
    const bool same = file.count("count") == result.findings.size() &&
                      file.text("digest") == store::digest(text);
    if (!file.sound()) fields.complain("findings", file.problem());
    if (!fields.sound()) throw broken("audit.json", fields.problem());
    if (!same) throw broken("findings.ndjson", "it is not the one that audit.json was written for");
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::consistent:
            return "consistent";
        case Verdict::drift:
            return "drift";
        case Verdict::could_not_tell:
            return "could_not_tell";
    }
    return "could_not_tell";
}

namespace {

std::string summary_text(const AuditResult& result, std::string_view spec_file,
                         const store::Bytes& digest, std::string_view tool_version) {
    Json json = summary_to_json(result, spec_file, digest);
    json["tool_version"] = text_to_json(tool_version);
    return json.dump(2) + "\n";
}

}  // namespace

ResultFiles write_result(const AuditResult& result, std::string_view tool_version) {
    ResultFiles files;
    for (const Finding& finding : result.findings) append_finding_line(files.findings, finding);
    const store::Bytes digest = store::digest(files.findings);
    files.summary = summary_text(result, result.spec_file, digest, tool_version);
    return files;
}

// Line by line: the whole text of many findings would be as large as they are.
void save_result(const std::string& folder, const AuditResult& result, std::string_view spec_file,
                 std::string_view tool_version) {
    store::FileReplacement findings{folder + "/findings.ndjson"};
    RunningDigest digest;
    std::string line;
    for (const Finding& finding : result.findings) {
        line.clear();
        append_finding_line(line, finding);
        findings.write(line);
        digest.add(line);
    }
    findings.commit();
    store::replace_file(folder + "/audit.json",
                        summary_text(result, spec_file, digest.hex(), tool_version));
}

AuditResult load_result(const std::string& folder) {
    try {
        return read_result(store::read_file(folder + "/audit.json", result_bytes_max),
                           store::read_file(folder + "/findings.ndjson", result_bytes_max));
    } catch (store::Error& error) {
        error.with("folder", folder);
        throw;
    }
}

AuditResult read_result(std::string_view summary, std::string_view findings) {
    const std::optional<Json> json = parse_object(summary);
    if (!json) throw broken("audit.json", "it is no JSON object");
    JsonFields fields{*json};
    check_version(fields);
    AuditResult result;
    result.spec_file = fields.text("spec_file");
    result.spec_digest = fields.text("spec_digest");
    for (const Json& entry : fields.array("stores")) {
        JsonFields store{entry};
        result.stores.emplace_back(store.text("name"), store.text("identity"));
        if (!store.sound()) fields.complain("stores", store.problem());
    }
    result.now_ms = fields.integer("now_ms");
    result.seed = read_seed(fields);
    result.coverage = read_coverage(fields);
    result.findings = read_findings(findings);
    check_findings(fields, result, findings);
    return result;
}

}  // namespace idxfsck::audit
