#include "store/azure_tables/client.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/azure_tables/range_cutter.hpp"
#include "store/azure_tables/row_read.hpp"
#include "store/azure_tables/table_scan_walk.hpp"
#include "store/http/curl_transport.hpp"
#include "store/http/url_text.hpp"
#include "store/json/scalar_text.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t names_max = 100'000;
constexpr std::size_t name_bytes_max = 255;

std::unique_ptr<Transport> make_transport(const AzureSurroundings& around) {
    if (around.transport != nullptr) return nullptr;
    return std::make_unique<CurlTransport>();
}

std::unique_ptr<TablesApi> make_api(const AzureTablesSettings& settings, AzureSurroundings around,
                                    Transport* transport) {
    if (transport != nullptr) around.transport = transport;
    AzureAccess access = find_azure_access(around, settings.place);
    return std::make_unique<TablesApi>(std::move(access), std::move(around), settings.retries,
                                       settings.requests_a_second);
}

Capabilities capabilities_of(const AzureAccess& access) {
    Capabilities out;
    out.order = access.cosmos ? ScanOrder::none : ScanOrder::by_utf16;
    out.row_versions = true;
    out.metered = true;
    out.guard = GuardReach::row;
    out.key_limits = table_key_limits();
    return out;
}

TableCall query_of(Bytes path, Bytes query, const char* operation) {
    return {"GET",
            std::move(path),
            std::move(query),
            {{"Accept", "application/json;odata=minimalmetadata"}},
            {},
            operation};
}

// What a name of a table may be, at either service.
bool is_name(BytesView name) {
    const auto fits = [](char c) {
        return static_cast<std::uint8_t>(c) > 0x20 && c != 0x7f &&
               BytesView{"/\\#?()'%"}.find(c) == BytesView::npos;
    };
    return !name.empty() && name.size() <= name_bytes_max && name != "Tables" && name[0] != '$' &&
           is_utf8(name) && std::all_of(name.begin(), name.end(), fits);
}

std::optional<std::vector<Bytes>> names_in(const Bytes& body) {
    const auto json = nlohmann::json::parse(body, nullptr, false);
    const auto list = json.is_object() ? json.find("value") : json.end();
    if (!json.is_object() || list == json.end() || !list->is_array()) return std::nullopt;
    std::vector<Bytes> names;
    for (const auto& table : *list) {
        const auto name = table.is_object() ? table.find("TableName") : table.end();
        if (!table.is_object() || name == table.end() || !name->is_string()) return std::nullopt;
        names.push_back(name->get<std::string>());
    }
    return names;
}

// Keys are texts, whatever the rows hold.
TableSchema schema_of(Bytes name) {
    return {std::move(name), entity_key_names(), {Kind::text, Kind::text}};
}

}  // namespace

AzureTablesClient::AzureTablesClient(const AzureTablesSettings& settings,
                                     const AzureSurroundings& around)
    : transport_{make_transport(around)},
      api_{make_api(settings, around, transport_.get())},
      capabilities_{capabilities_of(api_->access())} {
    // Before anything is sent to the tables' own service.
    check_tenant(settings.expect_tenant);
}

void AzureTablesClient::check_tenant(const std::string& expected) {
    if (expected.empty()) return;
    if (api_->access().right != AzureRight::token) {
        throw Error{"the credentials are of no tenant, and the spec expects one", Trouble::usage}
            .with("expect_tenant", expected)
            .with("credentials", api_->credentials_source())
            .hint("unset them, so that a token of Microsoft Entra ID is used, or leave out "
                  "expect_tenant; nothing was read");
    }
    const TokenClaims claims = api_->claims();
    if (claims.tenant == expected) return;
    const bool known = !claims.tenant.empty();
    Error error{known ? "the credentials are those of another tenant than the spec expects"
                      : "the tenant of these credentials cannot be found out",
                known ? Trouble::usage : Trouble::could_not_tell};
    error.with("expect_tenant", expected);
    if (known) error.with("tenant", claims.tenant);
    if (!claims.identity.empty()) error.with("identity", claims.identity);
    throw error.with("credentials", api_->credentials_source())
        .hint("choose others with AZURE_TENANT_ID or `az login --tenant`, or change "
              "expect_tenant; nothing was read");
}

std::vector<TableSchema> AzureTablesClient::tables() {
    std::vector<TableSchema> out;
    Continuation next;
    do {
        Bytes query = next.query();
        if (!query.empty()) query.erase(0, 1);
        std::optional<std::vector<Bytes>> names;
        const TableReply reply =
            api_->call(query_of("/Tables", query, "Query Tables"), [&](HttpResult& result) {
                names = names_in(result.body);
                return names ? std::string_view{} : "an answer that is no list of tables";
            });
        if (reply.fault) {
            throw fault_error("the tables cannot be listed", api_->name(), "Query Tables",
                              *reply.fault);
        }
        for (Bytes& name : *names) out.push_back(schema_of(std::move(name)));
        Continuation following = continuation_in(reply.result);
        const bool stuck = following.more() && following == next;
        if (stuck || out.size() > names_max) {
            throw Error{"a list of tables does not advance"}.with("store", api_->name());
        }
        next = std::move(following);
    } while (next.more());
    std::sort(out.begin(), out.end(),
              [](const TableSchema& a, const TableSchema& b) { return a.name < b.name; });
    return out;
}

std::optional<TableSchema> AzureTablesClient::table(BytesView name) {
    {
        const std::lock_guard lock{mutex_};
        if (known_.contains(name)) return schema_of(Bytes{name});
    }
    if (!exists(name)) return std::nullopt;
    const std::lock_guard lock{mutex_};
    known_.emplace(name);
    return schema_of(Bytes{name});
}

// By a query, as who may read a table may not be allowed to list all.
bool AzureTablesClient::exists(BytesView name) {
    if (!is_name(name)) return false;
    std::vector<BytesView> rows;
    const TableReply reply = api_->call(
        query_of("/" + url_encoded(name) + "()", "$top=1&$select=PartitionKey", "Query Entities"),
        [&](HttpResult& result) { return take_page(result, rows); });
    if (!reply.fault) return true;
    const TableFault& fault = *reply.fault;
    if (fault.status == 404 || fault.code == "InvalidResourceName" ||
        fault.code == "OutOfRangeInput") {
        return false;
    }
    throw fault_error("the table cannot be looked at", api_->name(), "Query Entities", fault)
        .with("table", name);
}

TableSchema AzureTablesClient::get(BytesView name) {
    if (auto found = table(name)) return *found;
    throw Error{"there is no such table"}
        .with("store", api_->name())
        .with("table", name)
        .hint(missing_hint());
}

std::vector<Partition> AzureTablesClient::split(BytesView table, std::size_t target) {
    static_cast<void>(get(table));
    PlaceRange rest;
    std::vector<Partition> out;
    if (target > 1) {
        for (TablePlace& place : RangeCutter{*api_, table}.cut(rest, target).places) {
            out.push_back(range_partition({rest.begin, place}));
            rest.begin = std::move(place);
        }
    }
    out.push_back(range_partition(rest));
    return out;
}

std::vector<Partition> AzureTablesClient::split_rest(BytesView table, const Partition& partition,
                                                     const Position& position) {
    static_cast<void>(get(table));
    const ScanPlace place = parse_position(partition, position);
    if (place.ended) return {};
    // Rows in no order: what is left of a leg is known by its continuation alone.
    if (place.leg > 0 || place.next.more()) return {rest_partition(place)};
    RangeCuts cuts = RangeCutter{*api_, table}.cut(place.range, 2);
    if (cuts.empty) return {};
    if (cuts.places.empty()) return {range_partition(place.range)};
    return {range_partition({place.range.begin, cuts.places.front()}),
            range_partition({cuts.places.front(), place.range.end})};
}

ScanEnd AzureTablesClient::scan(BytesView table, const Partition& partition,
                                const ScanOptions& options, RowSink& sink) {
    static_cast<void>(get(table));
    const ScanPlace place = parse_position(partition, options.resume);
    try {
        return TableScanWalk{*api_, table, options}.run(partition, place, sink);
    } catch (Error& error) {
        error.with("table", table).with("partition", partition.label);
        throw;
    }
}

std::vector<std::optional<Row>> AzureTablesClient::read(BytesView table,
                                                        std::span<const Key> keys) {
    const TableSchema schema = get(table);
    for (const Key& key : keys) static_cast<void>(encode_key_of(schema, key));
    return read_rows(*api_, table, keys);
}

void AzureTablesClient::refresh() {
    const std::lock_guard lock{mutex_};
    known_.clear();
}

}  // namespace idxfsck::store
