// tests/store/live_tables.hpp
//
// Tables on a server that speaks DynamoDB's protocol, made and filled by a test.
//
// Errors   Throws Error where a call of the test's own fails.

#pragma once

#include <algorithm>

#include "store/dynamodb/dynamodb_store.hpp"
#include "store/http/curl_transport.hpp"

namespace idxfsck::store {

// For a server on this machine.
inline DynamodbSettings settings_for(const std::string& endpoint) {
    DynamodbSettings settings;
    settings.place = {"eu-west-1", endpoint};
    return settings;
}

// Nothing of this person's own.
inline AwsSurroundings bare_surroundings() {
    AwsSurroundings around;
    around.environment = [](const std::string&) { return std::nullopt; };
    around.clock = &system_clock();
    around.random = system_random;
    return around;
}

class LiveTables {
public:
    explicit LiveTables(const std::string& endpoint)
        : transport_{std::make_unique<CurlTransport>()}, around_{bare_surroundings()} {
        around_.transport = transport_.get();
        const AwsPlace place =
            find_place(around_, {}, "dynamodb", settings_for(endpoint).place);
        api_ = std::make_unique<DynamodbApi>(place, around_, Profiles{});
    }

    const AwsSurroundings& around() const { return around_; }

    // The first component of the key is text, the second a number.
    void create(const TableSchema& schema) {
        Bytes keys;
        Bytes kinds;
        for (std::size_t place = 0; place < schema.key.size(); ++place) {
            const Bytes comma = place > 0 ? "," : "";
            const Bytes name = "{\"AttributeName\":\"" + schema.key[place] + "\",";
            keys += comma + name + "\"KeyType\":\"" + (place == 0 ? "HASH" : "RANGE") + "\"}";
            kinds += comma + name + "\"AttributeType\":\"" + (place == 0 ? "S" : "N") + "\"}";
        }
        call("CreateTable", "{\"TableName\":\"" + schema.name + "\",\"KeySchema\":[" + keys +
                                "],\"AttributeDefinitions\":[" + kinds +
                                "],\"BillingMode\":\"PAY_PER_REQUEST\"}");
        wait_until(schema.name, "\"TableStatus\":\"ACTIVE\"");
    }

    void remove_all() {
        for (const Bytes& name : DynamodbTables{*api_}.names()) {
            call("DeleteTable", "{\"TableName\":\"" + name + "\"}");
            wait_until(name, "ResourceNotFoundException");
        }
    }

    void put(const TableSchema& schema, const std::vector<Row>& rows) {
        for (std::size_t begin = 0; begin < rows.size(); begin += rows_a_batch) {
            const std::size_t end = std::min(begin + rows_a_batch, rows.size());
            Bytes body = "{\"RequestItems\":{\"" + schema.name + "\":[";
            for (std::size_t place = begin; place < end; ++place) {
                body.append(place > begin ? "," : "").append("{\"PutRequest\":{\"Item\":");
                append_item(body, schema.key, *dynamodb_row(rows[place]));
                body.append("}}");
            }
            call("BatchWriteItem", body + "]}}");
        }
    }

private:
    static constexpr std::size_t rows_a_batch = 25;

    // Until the description of the table, or the fault, has the word in it.
    void wait_until(const Bytes& table, const Bytes& word) {
        for (int tries = 0; tries < 10'000; ++tries) {
            const Reply reply = api_->call("DescribeTable", "{\"TableName\":\"" + table + "\"}");
            const Bytes& text = reply.fault ? reply.fault->body : reply.body;
            if (text.find(word) != Bytes::npos) return;
        }
        throw Error{"a table of the test's own does not come or go"};
    }

    void call(const std::string& operation, const Bytes& body) {
        const Reply reply = api_->call(operation, body);
        if (!reply.fault) return;
        throw fault_error("a call of the test's own failed", "", operation, *reply.fault);
    }

    std::unique_ptr<Transport> transport_;
    AwsSurroundings around_;
    std::unique_ptr<DynamodbApi> api_;
};

}  // namespace idxfsck::store
