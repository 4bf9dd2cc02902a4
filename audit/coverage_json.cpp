#include "audit/coverage_json.hpp"

#include <array>
#include <cmath>

namespace idxfsck::audit {

namespace {

using store::Json;

// The counts of an index, by the name of their field.
struct IndexCount {
    std::string_view name;
    std::uint64_t IndexCoverage::*count;
};

constexpr std::array<IndexCount, 17> index_counts{{
    {"base_rows", &IndexCoverage::base_rows},
    {"base_rows_partial", &IndexCoverage::base_rows_partial},
    {"base_rows_exempt", &IndexCoverage::base_rows_exempt},
    {"base_rows_expired", &IndexCoverage::base_rows_expired},
    {"base_rows_uncovered", &IndexCoverage::base_rows_uncovered},
    {"entries_expected", &IndexCoverage::entries_expected},
    {"entries_held", &IndexCoverage::entries_held},
    {"suspects", &IndexCoverage::suspects},
    {"settled", &IndexCoverage::settled},
    {"shared", &IndexCoverage::shared},
    {"findings", &IndexCoverage::findings},
    {"moves", &IndexCoverage::moves},
    {"legacy", &IndexCoverage::legacy},
    {"uncovered", &IndexCoverage::uncovered},
    {"expiring", &IndexCoverage::expiring},
    {"unverifiable", &IndexCoverage::unverifiable},
    {"differences_estimate", &IndexCoverage::differences_estimate},
}};

struct TableCount {
    std::string_view name;
    std::uint64_t TableCoverage::*count;
};

constexpr std::array<TableCount, 6> table_counts{{
    {"partitions", &TableCoverage::partitions},
    {"partitions_read", &TableCoverage::partitions_read},
    {"rows", &TableCoverage::rows},
    {"rows_other", &TableCoverage::rows_other},
    {"rows_damaged", &TableCoverage::rows_damaged},
    {"pages_reread", &TableCoverage::pages_reread},
}};

Json to_json(const store::ReadCost& cost) {
    Json json = Json::object();
    json["scan_units"] = cost.scan_units;
    json["point_units"] = cost.point_units;
    json["requests"] = cost.requests;
    json["retries"] = cost.retries;
    json["throttles"] = cost.throttles;
    if (cost.dollars) json["dollars"] = *cost.dollars;
    return json;
}

Json to_json(const TableCoverage& table) {
    Json json = Json::object();
    json["store"] = text_to_json(table.store);
    json["table"] = text_to_json(table.table);
    for (const auto& [name, count] : table_counts) json[std::string{name}] = table.*count;
    if (table.as_of_ms) json["as_of_ms"] = *table.as_of_ms;
    if (!table.live_store.empty()) json["live_store"] = text_to_json(table.live_store);
    if (table.cost) json["cost"] = to_json(*table.cost);
    return json;
}

Json to_json(const IndexCoverage& index) {
    Json json = Json::object();
    json["index"] = text_to_json(index.index);
    json["engine"] = text_to_json(index.engine);
    json["engine_reason"] = text_to_json(index.engine_reason);
    for (const auto& [name, count] : index_counts) json[std::string{name}] = index.*count;
    json["differences_error"] = index.differences_error;
    // JSON has no word for what is not a number: then nothing is sure.
    json["miss_probability"] = std::isfinite(index.miss_probability) ? index.miss_probability : 1.0;
    return json;
}

Json to_json(const Gap& gap) {
    Json json = Json::object();
    json["table"] = text_to_json(gap.table);
    json["partition"] = text_to_json(gap.partition);
    json["cause"] = text_to_json(gap.cause);
    return json;
}

Json to_json(const Doubt& doubt) {
    Json json = Json::object();
    json["subject"] = text_to_json(doubt.subject);
    json["text"] = text_to_json(doubt.text);
    json["hint"] = text_to_json(doubt.hint);
    return json;
}

Json to_json(const ShareCoverage& share) {
    Json json = Json::object();
    json["share"] = text_to_json(share.share);
    json["begin_ms"] = share.begin_ms;
    json["end_ms"] = share.end_ms;
    json["contents"] = share.contents;
    return json;
}

template <typename Part>
Json list_to_json(const std::vector<Part>& parts) {
    Json list = Json::array();
    for (const Part& part : parts) list.push_back(to_json(part));
    return list;
}

store::ReadCost read_cost(JsonFields& fields) {
    store::ReadCost cost;
    cost.scan_units = fields.real("scan_units");
    cost.point_units = fields.real("point_units");
    cost.requests = fields.count("requests");
    cost.retries = fields.count("retries");
    cost.throttles = fields.count("throttles");
    if (fields.has("dollars")) cost.dollars = fields.real("dollars");
    return cost;
}

void read(JsonFields& fields, TableCoverage& table) {
    table.store = fields.text("store");
    table.table = fields.text("table");
    for (const auto& [name, count] : table_counts) table.*count = fields.count(name);
    if (fields.has("as_of_ms")) table.as_of_ms = fields.integer("as_of_ms");
    table.live_store = fields.text_or_empty("live_store");
    if (!fields.has("cost")) return;
    JsonFields cost{fields.object("cost")};
    table.cost = read_cost(cost);
    if (!cost.sound()) fields.complain("cost", cost.problem());
}

void read(JsonFields& fields, IndexCoverage& index) {
    index.index = fields.text("index");
    index.engine = fields.text("engine");
    index.engine_reason = fields.text_or_empty("engine_reason");
    for (const auto& [name, count] : index_counts) index.*count = fields.count(name);
    index.differences_error = fields.real("differences_error");
    index.miss_probability = fields.real("miss_probability");
}

void read(JsonFields& fields, Gap& gap) {
    gap = {fields.text("table"), fields.text("partition"), fields.text("cause")};
}

void read(JsonFields& fields, Doubt& doubt) {
    doubt = {fields.text("subject"), fields.text("text"), fields.text_or_empty("hint")};
}

void read(JsonFields& fields, ShareCoverage& share) {
    share = {fields.text("share"), fields.integer("begin_ms"), fields.integer("end_ms"),
             fields.count("contents")};
}

template <typename Part>
void read_list(JsonFields& fields, std::string_view name, std::vector<Part>& parts) {
    for (const Json& json : fields.array(name)) {
        JsonFields part{json};
        read(part, parts.emplace_back());
        if (!part.sound()) return fields.complain(name, part.problem());
    }
}

}  // namespace

Json coverage_to_json(const Coverage& coverage) {
    Json json = Json::object();
    json["begin_ms"] = coverage.begin_ms;
    json["end_ms"] = coverage.end_ms;
    json["snapshot"] = coverage.snapshot;
    json["tables"] = list_to_json(coverage.tables);
    json["indexes"] = list_to_json(coverage.indexes);
    json["gaps"] = list_to_json(coverage.gaps);
    json["doubts"] = list_to_json(coverage.doubts);
    if (!coverage.shares.empty()) json["shares"] = list_to_json(coverage.shares);
    return json;
}

Coverage read_coverage(JsonFields& fields) {
    JsonFields inner{fields.object("coverage")};
    Coverage coverage;
    coverage.begin_ms = inner.integer("begin_ms");
    coverage.end_ms = inner.integer("end_ms");
    coverage.snapshot = inner.flag("snapshot");
    read_list(inner, "tables", coverage.tables);
    read_list(inner, "indexes", coverage.indexes);
    read_list(inner, "gaps", coverage.gaps);
    read_list(inner, "doubts", coverage.doubts);
    if (inner.has("shares")) read_list(inner, "shares", coverage.shares);
    if (!inner.sound()) fields.complain("coverage", inner.problem());
    return coverage;
}

}  // namespace idxfsck::audit
