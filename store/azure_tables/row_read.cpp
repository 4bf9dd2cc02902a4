#include "store/azure_tables/row_read.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "store/azure_tables/odata_text.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t rows_in_flight_max = 32;
constexpr const char* operation = "Query Entity";

std::string_view check_json(HttpResult& result) {
    return nlohmann::json::accept(result.body) ? std::string_view{} : "an answer that is no JSON";
}

std::optional<Row> row_in(TablesApi& api, BytesView table, const Key& key, TableReply reply) {
    if (reply.fault) {
        if (is_absent_row(*reply.fault)) return std::nullopt;
        throw fault_error("a row cannot be read", api.name(), operation, *reply.fault)
            .with("table", table)
            .with("key", readable_key(key));
    }
    Bytes& body = reply.result.body;
    body.reserve(body.size() + line_padding);
    EntityReader entity;
    std::string_view why_not = entity.read(body);
    Row row;
    if (why_not.empty()) row = entity.row();
    if (why_not.empty() && row.key != key) why_not = "another row than the one asked for";
    if (!why_not.empty()) {
        throw Error{"the table service gives a row that makes no sense"}
            .with("store", api.name())
            .with("table", table)
            .with("key", readable_key(key))
            .with("cause", why_not);
    }
    if (const BytesView tag = reply.result.header("etag"); !tag.empty()) row.version = tag;
    return row;
}

}  // namespace

bool is_absent_row(const TableFault& fault) {
    return fault.status == 404 &&
           (fault.code == "ResourceNotFound" || fault.code == "EntityNotFound");
}

std::vector<std::optional<Row>> read_rows(TablesApi& api, BytesView table,
                                          std::span<const Key> keys) {
    std::map<Bytes, std::size_t> places;
    std::vector<const Key*> wanted;
    std::vector<std::optional<std::size_t>> answers;  // of each key
    for (const Key& key : keys) {
        answers.emplace_back();
        if (!possible_entity_key(key)) continue;
        const auto [place, fresh] = places.emplace(encode_key(key), wanted.size());
        if (fresh) wanted.push_back(&key);
        answers.back() = place->second;
    }
    std::vector<std::optional<Row>> rows(wanted.size());
    std::vector<TablesApi::Pending> flight;
    for (std::size_t begun = 0; begun < wanted.size();) {
        const std::size_t first = begun;
        for (; begun < wanted.size() && begun - first < rows_in_flight_max; ++begun) {
            const Key& key = *wanted[begun];
            flight.push_back(api.begin({"GET",
                                        entity_path(table, key[0].payload, key[1].payload),
                                        {},
                                        {{"Accept", "application/json;odata=minimalmetadata"}},
                                        {},
                                        operation,
                                        Bytes{table}}));
        }
        for (std::size_t place = first; place < begun; ++place) {
            rows[place] = row_in(api, table, *wanted[place],
                                 api.finish(std::move(flight[place - first]), check_json));
        }
        flight.clear();
    }
    std::vector<std::optional<Row>> out;
    for (const auto& answer : answers) out.push_back(answer ? rows[*answer] : std::nullopt);
    return out;
}

}  // namespace idxfsck::store
