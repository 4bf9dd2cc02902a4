// tests/store/azure_tables_world.hpp
//
// A table service that a test plays by a script: what it was asked, and what it says.

#pragma once

#include <map>

#include "scripted_world.hpp"
#include "store/azure_tables/azure_tables_store.hpp"
#include "store/json/base64.hpp"

namespace idxfsck::store {

inline HttpResult table_fault(int status, const Bytes& code, const Bytes& message = "words") {
    return answer_of(status,
                     R"({"odata.error":{"code":")" + code +
                         R"(","message":{"lang":"en-US","value":")" + message + R"("}}})",
                     {{"x-ms-error-code", code}});
}

// An entity of a partition and a row, with one number.
inline Bytes entity_json(const Bytes& partition, const Bytes& row, int number = 1) {
    return R"({"odata.etag":"W/\"1\"","PartitionKey":")" + partition + R"(","RowKey":")" + row +
           R"(","Timestamp":"2026-01-01T00:00:00Z","n":)" + std::to_string(number) + "}";
}

inline HttpResult page_of(const std::vector<Bytes>& entities, const Bytes& next_partition = {},
                          const Bytes& next_row = {}) {
    Bytes body = R"({"odata.metadata":"x","value":[)";
    for (const Bytes& entity : entities) body.append(body.back() == '[' ? "" : ",").append(entity);
    std::vector<HttpHeader> headers;
    if (!next_partition.empty()) {
        headers.push_back({"x-ms-continuation-nextpartitionkey", next_partition});
    }
    if (!next_row.empty()) headers.push_back({"x-ms-continuation-nextrowkey", next_row});
    return answer_of(200, body + "]}", headers);
}

class AzureTablesWorld {
public:
    using Script = std::function<HttpResult(const HttpRequest&)>;

    explicit AzureTablesWorld(Script script) : transport{std::move(script)} {}

    AzureSurroundings around() {
        AzureSurroundings out;
        out.environment = [this](const std::string& name) -> std::optional<std::string> {
            const auto found = environment.find(name);
            if (found == environment.end()) return std::nullopt;
            return found->second;
        };
        out.run = [](const std::string&) { return std::nullopt; };
        out.transport = &transport;
        out.clock = &clock;
        out.random = [] { return 0.5; };
        return out;
    }

    // The addresses asked for, without those that look whether the table is there.
    std::vector<Bytes> asked() const {
        std::vector<Bytes> out;
        for (const HttpRequest& request : transport.requests) {
            if (!looks(request)) out.push_back(request.method + " " + request.url);
        }
        return out;
    }

    static bool looks(const HttpRequest& request) {
        return request.url.find("users()?$top=1&$select=PartitionKey") != Bytes::npos;
    }

    std::map<std::string, std::string> environment{
        {"AZURE_STORAGE_ACCOUNT", "shop"}, {"AZURE_STORAGE_KEY", to_base64("key-secret")}};
    ScriptedTransport transport;
    ScriptedClock clock;
};

}  // namespace idxfsck::store
