// tests/store/azure_tables_live.hpp
//
// Tables on a server that speaks Azure's table protocol, made and filled by a test.
//
// Errors   Throws Error where a call of the test's own fails.

#pragma once

#include "store/azure_tables/azure_tables_store.hpp"
#include "store/http/url_text.hpp"
#include "store/http/curl_transport.hpp"

namespace idxfsck::store {

// For a server on this machine.
inline AzureTablesSettings azure_settings_for(const std::string& endpoint) {
    AzureTablesSettings settings;
    settings.place.endpoint = endpoint;
    return settings;
}

class AzureTablesLive {
public:
    explicit AzureTablesLive(const std::string& endpoint)
        : transport_{std::make_unique<CurlTransport>()} {
        // Nothing of this person's own.
        around_.environment = [](const std::string&) { return std::nullopt; };
        around_.clock = &system_clock();
        around_.random = system_random;
        around_.transport = transport_.get();
        client_ = std::make_unique<AzureTablesClient>(azure_settings_for(endpoint), around_);
    }

    const AzureSurroundings& around() const { return around_; }

    void create(const Bytes& table) {
        const Bytes body = "{\"TableName\":\"" + table + "\"}";
        call({"POST", "/Tables", {}, json_headers(), body, "create"});
    }

    void remove_all() {
        for (const TableSchema& table : client_->tables()) {
            call({"DELETE", "/Tables('" + table.name + "')", {}, json_headers(), {}, "remove"});
        }
    }

    void put(const Bytes& table, const std::vector<Row>& rows) {
        std::vector<TablesApi::Pending> flight;
        for (const Row& row : rows) {
            const HeldRow held = held_row(row);
            ensure(held.row.has_value(), "the test's own rows fit");
            flight.push_back(client_->api().begin({"POST", "/" + url_encoded(table), {},
                                                   json_headers(), entity_text(*held.row),
                                                   "put"}));
        }
        for (TablesApi::Pending& pending : flight) check(client_->api().finish(std::move(pending)));
    }

private:
    static std::vector<HttpHeader> json_headers() {
        return {{"Accept", "application/json;odata=minimalmetadata"},
                {"Content-Type", "application/json"}};
    }

    void call(TableCall call) { check(client_->api().call(std::move(call))); }

    static void check(const TableReply& reply) {
        if (reply.fault) throw fault_error("a call of the test's own failed", "", "", *reply.fault);
    }

    std::unique_ptr<Transport> transport_;
    AzureSurroundings around_;
    std::unique_ptr<AzureTablesClient> client_;
};

}  // namespace idxfsck::store
