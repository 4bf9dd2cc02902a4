// Where requests to AWS go: the matrix of spec, environment and profile, for region and endpoint.
//
// Method: a world of its own for each case; the place, or the message.

#include <catch2/catch.hpp>

#include "aws_world.hpp"
#include "store/aws/place.hpp"
#include "store/aws/sts.hpp"

using namespace idxfsck::store;

TEST_CASE("a region is the spec's, the environment's or the profile's, never a guess") {
    const auto region = [](const AwsWorld& world, const std::string& wished) {
        AwsMachine place{world};
        const AwsSurroundings around = place.around();
        try {
            return find_region(around, read_profiles(around), wished);
        } catch (const Error& error) {
            REQUIRE(error.trouble() == Trouble::usage);
            return error_text(error);
        }
    };
    AwsWorld world{{{"AWS_PROFILE", "dev"}, {"AWS_DEFAULT_REGION", "eu-2"}, {"AWS_REGION", "eu-1"}},
                "[profile dev]\nregion = eu-3\n", "", {}, {}, {}};
    REQUIRE(region(world, "eu-0") == "eu-0");
    REQUIRE(region(world, "") == "eu-1");
    world.environment.erase("AWS_REGION");
    REQUIRE(region(world, "") == "eu-2");
    world.environment.erase("AWS_DEFAULT_REGION");
    REQUIRE(region(world, "") == "eu-3");
    world.environment.erase("AWS_PROFILE");
    REQUIRE(region(world, "").find("AWS_REGION") != std::string::npos);
    AwsMachine place{world};
    AwsSurroundings around = place.around();
    around.store_region = "eu-4";
    REQUIRE(find_region(around, read_profiles(around), "") == "eu-4");
    REQUIRE(region(world, "evil.org/x").find("no name of a region") != std::string::npos);
}

TEST_CASE("a place says where its region is from") {
    AwsWorld world{{{"AWS_PROFILE", "dev"}, {"AWS_REGION", "eu-1"}, {"AWS_DEFAULT_REGION", "eu-2"}},
                   "[profile dev]\nregion = eu-3\n", "", {}, {}, {}};
    const auto source = [&](const std::string& wished) {
        AwsMachine place{world};
        const AwsSurroundings around = place.around();
        return find_place(around, read_profiles(around), "dynamodb", {wished, ""}).region_source;
    };
    REQUIRE(source("eu-0") == "`region` in the spec");
    REQUIRE(source("") == "AWS_REGION");
    world.environment.erase("AWS_REGION");
    REQUIRE(source("") == "AWS_DEFAULT_REGION");
    world.environment.erase("AWS_DEFAULT_REGION");
    REQUIRE(source("") == "profile dev");
}

TEST_CASE("credentials go to AWS and to where the environment says, not where a spec says") {
    const auto place_of = [](std::map<std::string, std::string> environment,
                             const std::string& endpoint) {
        environment["AWS_REGION"] = "eu-west-1";
        AwsMachine place{{std::move(environment), "", "", {}, {}, {}}};
        const AwsSurroundings around = place.around();
        try {
            const AwsPlace found =
                find_place(around, read_profiles(around), "dynamodb", {"", endpoint});
            return found.url + (found.configured ? " configured" : "") +
                   (found.credentials ? "" : " without credentials");
        } catch (const Error& error) {
            REQUIRE(error.trouble() == Trouble::usage);
            return error_text(error);
        }
    };
    const std::string own = "https://dynamodb.eu-west-1.amazonaws.com";
    REQUIRE(place_of({}, "") == own);
    REQUIRE(place_of({{"AWS_ENDPOINT_URL", "http://localhost:1"}}, "") ==
            "http://localhost:1 configured");
    REQUIRE(place_of({{"AWS_ENDPOINT_URL", "http://localhost:1"},
                      {"AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:2/"}}, "") ==
            "http://localhost:2 configured");
    REQUIRE(place_of({{"AWS_ENDPOINT_URL", "http://localhost:1"},
                      {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true"}}, "") == own);
    REQUIRE(place_of({}, own) == own);
    REQUIRE(place_of({}, "https://dynamodb-fips.eu-west-1.amazonaws.com") ==
            "https://dynamodb-fips.eu-west-1.amazonaws.com");
    REQUIRE(place_of({}, "http://localhost:4567") ==
            "http://localhost:4567 configured without credentials");
    REQUIRE(place_of({{"AWS_ENDPOINT_URL", "http://localhost:4567"}}, "http://localhost:4567") ==
            "http://localhost:4567 configured");
    REQUIRE(place_of({{"AWS_ENDPOINT_URL", "https://db.corp.org"}}, "https://db.corp.org") ==
            "https://db.corp.org configured");
    for (const std::string& evil :
         {std::string{"https://evil.org"}, std::string{"https://x.s3.amazonaws.com"},
          std::string{"https://dynamodb.eu-west-1.amazonaws.com.evil.org"},
          std::string{"https://dynamodb.eu-west-1.amazonaws.com:8443"}}) {
        CAPTURE(evil);
        REQUIRE(place_of({}, evil).find("AWS_ENDPOINT_URL_DYNAMODB") != std::string::npos);
    }
    REQUIRE(place_of({}, "http://db.corp.org").find("plain HTTP") != std::string::npos);
    REQUIRE(place_of({{"AWS_ENDPOINT_URL", "http://db.corp.org"}}, "").find("plain HTTP") !=
            std::string::npos);
    REQUIRE(place_of({}, "nonsense").find("no address") != std::string::npos);
    const std::string with_password = place_of({}, "https://me:my-secret@db.corp.org");
    REQUIRE(with_password.find("no address") != std::string::npos);
    REQUIRE(with_password.find("secret") == std::string::npos);
}

TEST_CASE("the account is asked for, and only a number is taken for an answer") {
    AwsWorld world{{}, "", "", {}, {}, {}};
    AwsMachine place{world};
    AwsPlace sts;
    sts.region = "eu-west-1";
    sts.url = "https://sts.eu-west-1.amazonaws.com";
    const Credentials me{"ME", "ME-secret", "", std::nullopt, "environment"};
    place.set_rules({{"GetCallerIdentity", 200, "<Account>123456789012</Account>"}});
    REQUIRE(caller_of(place.around(), sts, me).account == "123456789012");
    for (const char* const answer : {"", "<Account>12345678901x</Account>", "<Account>1</Account>",
                                     "<Account>123456789012<Account>"}) {
        place.set_rules({{"GetCallerIdentity", 200, answer}});
        REQUIRE_THROWS_AS(caller_of(place.around(), sts, me), Error);
    }
}
