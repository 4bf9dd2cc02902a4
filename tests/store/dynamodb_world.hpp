// tests/store/dynamodb_world.hpp
//
// A DynamoDB that a test plays by a script: what it was asked, and what it says.

#pragma once

#include "scripted_world.hpp"
#include "store/dynamodb/dynamodb_store.hpp"

namespace idxfsck::store {

// The operation that a request asks for.
inline Bytes operation_of(const HttpRequest& request) {
    for (const HttpHeader& header : request.headers) {
        if (header.name == "X-Amz-Target") return header.value.substr(header.value.find('.') + 1);
    }
    return {};
}

inline HttpResult fault_of(const Bytes& code, const Bytes& more = {}, int status = 400) {
    return answer_of(status, "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\"" +
                                 more + "}");
}

// Tables are described, all else is answered by `answer`.
class DynamodbWorld {
public:
    using Script = std::function<HttpResult(const Bytes& operation, const Bytes& body)>;

    explicit DynamodbWorld(Script script) : answer{std::move(script)} {
        transport.answer = [this](const HttpRequest& request) { return play(request); };
    }

    AwsSurroundings around() {
        AwsSurroundings out;
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

    DynamodbSettings settings() const {
        DynamodbSettings out;
        out.place.region = "eu-west-1";
        return out;
    }

    // Those that `answer` answered.
    std::vector<std::pair<Bytes, Bytes>> asked;
    std::map<std::string, std::string> environment{{"AWS_ACCESS_KEY_ID", "AKID"},
                                                   {"AWS_SECRET_ACCESS_KEY", "my-secret"},
                                                   {"AWS_SESSION_TOKEN", "token-secret"}};
    ScriptedTransport transport;
    ScriptedClock clock;
    Script answer;
    Bytes status = "ACTIVE";
    Bytes size = "9";  // of a table, in bytes

private:
    HttpResult play(const HttpRequest& request) {
        const Bytes operation = operation_of(request);
        if (operation == "DescribeTable") return describe(request.body);
        asked.emplace_back(operation, request.body);
        return answer(operation, request.body);
    }

    // Users has one component, of text; Parts two, the second a number.
    HttpResult describe(const Bytes& body) const {
        const bool users = body.find("\"Users\"") != Bytes::npos;
        const bool parts = body.find("\"Parts\"") != Bytes::npos;
        if (!users && !parts) return fault_of("ResourceNotFoundException");
        const Bytes keys = users ? R"({"AttributeName":"id","KeyType":"HASH"})"
                                 : R"({"AttributeName":"n","KeyType":"RANGE"},)"
                                   R"({"AttributeName":"id","KeyType":"HASH"})";
        return answer_of(200, R"({"Table":{"TableName":")" + Bytes{users ? "Users" : "Parts"} +
                                  R"(","TableArn":"arn:aws:dynamodb:eu-west-1:)"
                                  R"(123456789012:table/T","TableStatus":")" + status +
                                  R"(","KeySchema":[)" + keys +
                                  R"(],"AttributeDefinitions":[{"AttributeName":"id",)"
                                  R"("AttributeType":"S"},{"AttributeName":"n",)"
                                  R"("AttributeType":"N"}],"ItemCount":7,"TableSizeBytes":)" +
                                  size + "}}");
    }
};

// {"id":{"S":"a"},"v":{"N":"1"}}
inline Bytes user_json(const Bytes& id, const Bytes& value) {
    return R"({"id":{"S":")" + id + R"("},"v":{"N":")" + value + R"("}})";
}

inline Row user_row(const Bytes& id, const Bytes& value) {
    return {{Value::text(id)}, encode_attributes({{"v", Value::number(value)}}), {}};
}

}  // namespace idxfsck::store
