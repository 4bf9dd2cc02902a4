#include "repair/journal_json.hpp"

#include "store/digest.hpp"

namespace idxfsck::repair {

namespace {

using audit::JsonFields;
using audit::text_to_json;
using store::Json;

constexpr std::string_view seal_begin = ",\"digest\":\"";
constexpr std::string_view seal_end = "\"}";
constexpr std::size_t digest_size = 32;
constexpr std::size_t seal_size = seal_begin.size() + digest_size + seal_end.size();

Json row_to_json(const std::optional<store::Row>& row) {
    return row ? store::row_to_json(*row) : Json{};
}

Json intent_to_json(const Intent& intent) {
    Json json = Json::object();
    json["record"] = "intent";
    json["operation"] = text_to_json(intent.operation);
    if (intent.compensation) json["compensation"] = true;
    json["store"] = text_to_json(intent.store);
    json["table"] = text_to_json(intent.table);
    json["key"] = store::key_to_json(intent.key);
    json["before"] = row_to_json(intent.before);
    json["after"] = row_to_json(intent.after);
    return json;
}

Json done_to_json(const Done& done) {
    Json json = Json::object();
    json["record"] = "done";
    json["operation"] = text_to_json(done.operation);
    if (done.compensation) json["compensation"] = true;
    json["outcome"] = outcome_name(done.outcome);
    if (done.version) json["version"] = store::to_hex(*done.version);
    return json;
}

std::optional<store::Row> read_row(JsonFields& fields, const Json& json, std::string_view name) {
    if (!fields.has(name)) {
        if (!json.contains(name)) fields.complain(name, "is missing");
        return std::nullopt;
    }
    store::Decoded<store::Row> row = store::row_from_json(fields.object(name));
    if (row) return std::move(*row);
    fields.complain(name, row.why_not);
    return std::nullopt;
}

Intent read_intent(JsonFields& fields, const Json& json) {
    Intent intent;
    intent.operation = fields.text("operation");
    intent.compensation = fields.has("compensation") && fields.flag("compensation");
    intent.store = fields.text("store");
    intent.table = fields.text("table");
    intent.key = fields.key("key");
    intent.before = read_row(fields, json, "before");
    intent.after = read_row(fields, json, "after");
    return intent;
}

Done read_done(JsonFields& fields) {
    Done done;
    done.operation = fields.text("operation");
    done.compensation = fields.has("compensation") && fields.flag("compensation");
    const std::optional<Outcome> outcome = outcome_of(fields.text("outcome"));
    if (!outcome) fields.complain("outcome", "is a word that this program does not know");
    done.outcome = outcome.value_or(Outcome::failed);
    if (fields.has("version")) done.version = fields.hex_or_empty("version");
    return done;
}

}  // namespace

Json header_to_json(const JournalHeader& header) {
    Json json = Json::object();
    json["idxfsck"] = "journal";
    json["format_version"] = journal_format_version;
    json["tool_version"] = text_to_json(header.tool_version);
    json["purpose"] = text_to_json(header.purpose);
    json["plan_digest"] = text_to_json(header.plan_digest);
    json["spec_digest"] = text_to_json(header.spec_digest);
    Json& stores = json["stores"] = Json::array();
    for (const auto& [name, identity] : header.stores) {
        stores.push_back({{"name", text_to_json(name)}, {"identity", text_to_json(identity)}});
    }
    json["started_ms"] = header.started_ms;
    return json;
}

Json record_to_json(const JournalRecord& record) {
    if (const auto* intent = std::get_if<Intent>(&record)) return intent_to_json(*intent);
    return done_to_json(std::get<Done>(record));
}

std::variant<JournalHeader, std::string> header_from_json(const Json& json) {
    JsonFields fields{json};
    if (fields.text_or_empty("idxfsck") != "journal") return "it does not say that it is one";
    if (fields.integer("format_version") != journal_format_version) {
        return "it has a format that this program does not know";
    }
    JournalHeader header;
    header.tool_version = fields.text("tool_version");
    header.purpose = fields.text("purpose");
    header.plan_digest = fields.text("plan_digest");
    header.spec_digest = fields.text("spec_digest");
    for (const Json& entry : fields.array("stores")) {
        JsonFields store{entry};
        header.stores.emplace_back(store.text("name"), store.text("identity"));
        if (!store.sound()) fields.complain("stores", store.problem());
    }
    header.started_ms = fields.integer("started_ms");
    if (!fields.sound()) return fields.problem();
    return header;
}

std::variant<JournalRecord, std::string> record_from_json(const Json& json) {
    JsonFields fields{json};
    const std::string kind = fields.text("record");
    JournalRecord record;
    if (kind == "intent") {
        record = read_intent(fields, json);
    } else if (kind == "done") {
        record = read_done(fields);
    } else {
        fields.complain("record", "is a word that this program does not know");
    }
    if (!fields.sound()) return fields.problem();
    return record;
}

std::string seal(const std::string& body, std::string& digest) {
    digest = store::digest(digest + body);
    std::string line{body, 0, body.size() - 1};
    line.append(seal_begin).append(digest).append(seal_end).push_back('\n');
    return line;
}

std::optional<std::string> unseal(std::string_view line, std::string& digest) {
    if (line.size() <= seal_size || !line.ends_with(seal_end)) return std::nullopt;
    const std::string_view tail = line.substr(line.size() - seal_size);
    if (!tail.starts_with(seal_begin)) return std::nullopt;
    std::string body{line.substr(0, line.size() - seal_size)};
    body.push_back('}');
    const std::string expected = store::digest(digest + body);
    if (tail.substr(seal_begin.size(), digest_size) != expected) return std::nullopt;
    digest = expected;
    return body;
}

}  // namespace idxfsck::repair
