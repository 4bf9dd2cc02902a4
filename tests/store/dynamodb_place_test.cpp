// What is said of where tables are, and of what DynamoDB does to them: the region and where it is
// from, a table that is not there, the time to live.
//
// Method: a service played by a script; what must be said is written out.

#include <catch2/catch.hpp>

#include "dynamodb_world.hpp"

using namespace idxfsck::store;

TEST_CASE("a server of another region is told by its words, and by where the region is from") {
    DynamodbWorld world{[](const Bytes&, const Bytes&) {
        return fault_of("InvalidSignatureException",
                        ",\"message\":\"Credential should be scoped to a valid region, not "
                        "'eu-west-1'. token-secret\"");
    }};
    DynamodbReader reader{world.settings(), world.around()};
    std::string said;
    try {
        static_cast<void>(reader.tables());
    } catch (const Error& error) {
        said = std::string{error.what()} + " | " + error.hint();
    }
    for (const char* const words :
         {"Credential should be scoped to a valid region", "region=eu-west-1",
          "eu-west-1, which is from `region` in the spec", "endpoint"}) {
        REQUIRE_THAT(said, Catch::Contains(words));
    }
    REQUIRE_THAT(said, !Catch::Contains("token-secret"));
}

TEST_CASE("a table that is not there is told with where it was looked for, and what to change") {
    DynamodbWorld world{[](const Bytes&, const Bytes&) { return answer_of(200, "{}"); }};
    DynamodbReader reader{world.settings(), world.around()};
    const auto hint_of = [&] {
        try {
            static_cast<void>(reader.split("Nobody", 1));
        } catch (const Error& error) {
            return error.hint();
        }
        return std::string{};
    };
    for (const char* const words :
         {"region eu-west-1, which is from `region` in the spec", "the account of the credentials",
          "AWS_REGION", "AWS_PROFILE", "idxfsck doctor", "another name", "index of a table"}) {
        REQUIRE_THAT(hint_of(), Catch::Contains(words));
    }
    REQUIRE(reader.table("Users"));
    REQUIRE_THAT(hint_of(), Catch::Contains("in account 123456789012"));
    world.environment["AWS_DEFAULT_REGION"] = "eu-2";
    DynamodbReader elsewhere{{}, world.around()};
    REQUIRE_THAT(elsewhere.missing_hint(),
                 Catch::Contains("region eu-2, which is from AWS_DEFAULT_REGION"));
}

TEST_CASE("the time to live of a table is read from what DynamoDB says of it") {
    const auto said = [](const Bytes& words) {
        return expiry_in("{\"TimeToLiveDescription\":{" + words + "}}");
    };
    REQUIRE(said(R"("TimeToLiveStatus":"ENABLED","AttributeName":"ttl")") == "ttl");
    REQUIRE(said(R"("TimeToLiveStatus":"ENABLING","AttributeName":"ttl")") == "ttl");
    REQUIRE(said(R"("TimeToLiveStatus":"DISABLING","AttributeName":"ttl")") == "");
    REQUIRE(said(R"("TimeToLiveStatus":"DISABLED")") == "");
    for (const char* const other : {"", "{}", "[]", "{\"TimeToLiveDescription\":{}}"}) {
        REQUIRE(expiry_in(other) == std::nullopt);
    }
}
