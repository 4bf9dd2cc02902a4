// tests/store/dynamodb_subject.hpp
//
// A DynamoDB server as the subject of the conformance suite. What DynamoDB cannot hold is left out:
// a key component is of one kind, and no row can be damaged.

#pragma once

#include "conformance.hpp"
#include "store/dynamodb/dynamodb_store.hpp"
#include "store/http/curl_transport.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store::conformance {

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

class DynamodbSubject : public Subject {
public:
    DynamodbSubject(const std::string& endpoint, bool separate)
        : transport_{std::make_unique<CurlTransport>()}, around_{bare_surroundings()} {
        around_.transport = transport_.get();
        settings_ = settings_for(endpoint);
        writer_ = std::make_unique<DynamodbStore>(settings_, around_);
        if (separate) reader_ = std::make_unique<DynamodbReader>(settings_, around_);
        const AwsPlace place = find_place(around_, {}, "dynamodb", settings_.place);
        api_ = std::make_unique<DynamodbApi>(place, around_, Profiles{});
        remove_tables();
    }
    ~DynamodbSubject() override { remove_tables(); }

    Store& writer() override { return *writer_; }
    Reader& reader() override { return reader_ ? *reader_ : static_cast<Reader&>(*writer_); }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        create(schema);
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
        writer().refresh();
        reader().refresh();
    }

    void damage(BytesView, const Key&) override {}
    bool can_be_damaged() const override { return false; }

    // Those that a key of kind text may be.
    std::vector<Row> key_rows() override {
        std::vector<Row> out;
        for (const Row& row : rows_of_every_key_kind()) {
            const Value& key = row.key[0];
            const bool fits = key.kind == Kind::text && is_utf8(key.payload);
            if (fits && !key.payload.empty()) out.push_back(row);
        }
        return out;
    }

private:
    static constexpr std::size_t rows_a_batch = 25;

    // The second component is the number of numbered_rows().
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

    // Until the description of the table, or the fault, has the word in it.
    void wait_until(const Bytes& table, const Bytes& word) {
        for (int tries = 0; tries < 10'000; ++tries) {
            const Reply reply = api_->call("DescribeTable", "{\"TableName\":\"" + table + "\"}");
            const Bytes& text = reply.fault ? reply.fault->body : reply.body;
            if (text.find(word) != Bytes::npos) return;
        }
        throw Error{"a table of the test's own does not come or go"};
    }

    void remove_tables() {
        for (const Bytes& name : DynamodbTables{*api_}.names()) {
            call("DeleteTable", "{\"TableName\":\"" + name + "\"}");
            wait_until(name, "ResourceNotFoundException");
        }
    }

    void call(const std::string& operation, const Bytes& body) {
        const Reply reply = api_->call(operation, body);
        if (!reply.fault) return;
        throw fault_error("a call of the test's own failed", "", operation, *reply.fault);
    }

    std::unique_ptr<Transport> transport_;
    AwsSurroundings around_;
    DynamodbSettings settings_;
    std::unique_ptr<DynamodbStore> writer_;
    std::unique_ptr<DynamodbReader> reader_;
    std::unique_ptr<DynamodbApi> api_;
};

}  // namespace idxfsck::store::conformance
