#include "repair/plan_json.hpp"

#include <unordered_set>

#include "audit/json_fields.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

using audit::JsonFields;
using audit::text_to_json;
using store::Json;
using store::Trouble;

Json stores_to_json(const PlanHeader& header) {
    Json json = Json::array();
    for (const auto& [name, identity] : header.stores) {
        json.push_back({{"name", text_to_json(name)}, {"identity", text_to_json(identity)}});
    }
    return json;
}

Json header_to_json(const PlanHeader& header) {
    Json json = Json::object();
    json["idxfsck"] = "plan";
    json["format_version"] = header.format_version;
    json["tool_version"] = text_to_json(header.tool_version);
    json["spec_file"] = text_to_json(header.spec_file);
    json["spec_digest"] = text_to_json(header.spec_digest);
    json["stores"] = stores_to_json(header);
    json["created_ms"] = header.created_ms;
    json["expires_ms"] = header.expires_ms;
    json["entries_held"] = header.entries_held;
    json["findings"] = header.findings;
    json["operations"] = header.operations;
    json["deletes"] = header.deletes;
    json["left_out"] = header.left_out;
    return json;
}

Json operation_to_json(const Operation& operation) {
    Json json = Json::object();
    json["id"] = text_to_json(operation.id);
    json["operation"] = operation_name(operation.kind);
    json["index"] = text_to_json(operation.index);
    json["key"] = store::key_to_json(operation.entry.key);
    json["pointer"] = store::key_to_json(operation.entry.pointer);
    if (operation.entry.key_version != 0) json["key_version"] = operation.entry.key_version;
    json["why"] = text_to_json(operation.why);
    if (!operation.after.empty()) {
        Json& after = json["after"] = Json::array();
        for (const std::string& id : operation.after) after.push_back(text_to_json(id));
    }
    if (operation.base) json["base"] = audit::seen_row_to_json(*operation.base);
    if (operation.holder) json["holder"] = audit::seen_row_to_json(*operation.holder);
    if (operation.index_row) json["index_row"] = audit::seen_row_to_json(*operation.index_row);
    json["finding"] = text_to_json(operation.finding);
    return json;
}

store::Error broken(std::size_t line, std::string_view problem) {
    store::Error error{"this is no plan that can be read", Trouble::usage};
    error.with("line", std::to_string(line)).with("problem", problem);
    error.hint("make the plan again with `idxfsck plan`");
    return error;
}

// The lines of a text that ends with a newline, one after the other.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_{text} {}

    bool next() {
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find('\n');
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        ++number_;
        return true;
    }

    std::size_t number() const { return number_; }

    Json object() const {
        if (line_.size() > plan_line_bytes_max) throw broken(number_, "the line is too long");
        std::optional<Json> json = audit::parse_object(line_);
        if (!json) throw broken(number_, "the line is no JSON object");
        return std::move(*json);
    }

private:
    std::string_view rest_;
    std::string_view line_;
    std::size_t number_ = 0;
};

void check_version(std::int64_t version) {
    if (version == plan_format_version) return;
    throw store::Error{"the plan has a format that this program does not know", Trouble::refused}
        .with("format_version", std::to_string(version))
        .with("known", std::to_string(plan_format_version))
        .hint("use the version of idxfsck that made the plan, or make it again");
}

PlanHeader read_header(const Lines& lines) {
    const Json json = lines.object();
    JsonFields fields{json};
    if (fields.text_or_empty("idxfsck") != "plan") {
        throw broken(lines.number(), "the first line is no header of a plan");
    }
    check_version(fields.integer("format_version"));
    PlanHeader header;
    header.tool_version = fields.text("tool_version");
    header.spec_file = fields.text("spec_file");
    header.spec_digest = fields.text("spec_digest");
    for (const Json& entry : fields.array("stores")) {
        JsonFields store{entry};
        header.stores.emplace_back(store.text("name"), store.text("identity"));
        if (!store.sound()) fields.complain("stores", store.problem());
    }
    header.created_ms = fields.integer("created_ms");
    header.expires_ms = fields.integer("expires_ms");
    header.entries_held = fields.count("entries_held");
    header.findings = fields.count("findings");
    header.operations = fields.count("operations");
    header.deletes = fields.count("deletes");
    header.left_out = fields.count("left_out");
    if (!fields.sound()) throw broken(lines.number(), fields.problem());
    return header;
}

void read_after(JsonFields& fields, Operation& operation) {
    for (const Json& id : fields.array("after")) {
        if (id.is_string()) operation.after.push_back(id.get<std::string>());
        else fields.complain("after", "holds what is no id");
    }
}

Operation read_operation(const Lines& lines) {
    const Json json = lines.object();
    JsonFields fields{json};
    Operation operation;
    operation.id = fields.text("id");
    const std::optional<OperationKind> kind = operation_of(fields.text("operation"));
    if (!kind) fields.complain("operation", "is a word that this program does not know");
    operation.kind = kind.value_or(OperationKind::manual);
    operation.index = fields.text("index");
    operation.entry.key = fields.key("key");
    operation.entry.pointer = fields.key("pointer");
    if (fields.has("key_version")) {
        operation.entry.key_version = static_cast<std::uint32_t>(fields.count("key_version"));
    }
    operation.why = fields.text_or_empty("why");
    if (fields.has("after")) read_after(fields, operation);
    operation.base = fields.seen_row_if("base");
    operation.holder = fields.seen_row_if("holder");
    operation.index_row = fields.seen_row_if("index_row");
    operation.finding = fields.text_or_empty("finding");
    if (!fields.sound()) throw broken(lines.number(), fields.problem());
    return operation;
}

std::string body_of(const Plan& plan) {
    std::string body = header_to_json(plan.header).dump();
    body.push_back('\n');
    for (const Operation& operation : plan.operations) {
        body.append(operation_to_json(operation).dump()).push_back('\n');
    }
    return body;
}

std::string trailer_of(const std::string& digest) {
    return "{\"digest\":\"" + digest + "\"}\n";
}

// Where the trailer begins; throws if it is not there or names another digest than that of the
// rest.
std::size_t check_digest(std::string_view text) {
    const std::size_t end = text.empty() || text.back() != '\n' ? 0 : text.size() - 1;
    const std::size_t before = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    if (begin != 0 && text.substr(begin) == trailer_of(store::digest(text.substr(0, begin)))) {
        return begin;
    }
    throw store::Error{"the plan was cut or changed after it was made", Trouble::refused}.hint(
        "leave operations out with `repair --except ID` or `--only ID` instead of editing the "
        "file, or make the plan again with `idxfsck plan`");
}

}  // namespace

std::string write_plan(const Plan& plan) {
    std::string body = body_of(plan);
    const std::string digest = store::digest(body);
    return body.append(trailer_of(digest));
}

std::string plan_digest(const Plan& plan) { return store::digest(body_of(plan)); }

Plan read_plan(std::string_view text) {
    Lines head{text};
    if (!head.next()) throw broken(1, "the file is empty");
    Plan plan;
    plan.header = read_header(head);
    Lines lines{text.substr(0, check_digest(text))};
    lines.next();
    std::unordered_set<std::string> ids;
    while (lines.next()) {
        plan.operations.push_back(read_operation(lines));
        if (!ids.insert(plan.operations.back().id).second) {
            throw broken(lines.number(), "an operation has the id of another");
        }
    }
    if (plan.operations.size() != plan.header.operations) {
        throw broken(lines.number(), "the header names another number of operations");
    }
    return plan;
}

}  // namespace idxfsck::repair
