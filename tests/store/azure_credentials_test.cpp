// By what right Azure's tables are read: a matrix of environment and servers, and for each the
// winner or the message. No message holds a part of a secret.
//
// Method: a world of its own for each case; every secret in it has "secret" in it, and every text
// of an error is searched for that.

#include <catch2/catch.hpp>

#include "aws_world.hpp"
#include "store/azure/access.hpp"
#include "store/azure/connection_string.hpp"
#include "store/azure/token_chain.hpp"
#include "store/azure/token_claims.hpp"
#include "store/json/base64.hpp"

using namespace idxfsck::store;

namespace {

using Environment = std::map<std::string, std::string>;

const std::string key_text = to_base64("key-secret");
const std::string signature_text = "sv=2019-02-02&se=2030-01-01T00%3A00%3A00Z&sp=r&sig=sas-secret";
const std::string connection_text = "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=" +
                                    key_text + ";EndpointSuffix=core.windows.net";

template <typename Act>
std::string outcome(const AwsWorld& world, Act act) {
    AwsMachine place{world};
    try {
        return act(place.around());
    } catch (const Error& error) {
        const std::string text = error_text(error);
        REQUIRE(text.find("secret") == std::string::npos);
        REQUIRE(text.find(key_text) == std::string::npos);
        return text;
    }
}

// Address and source, or the message.
std::string access_of(const Environment& environment, const AzureWishes& wishes = {}) {
    return outcome({environment, "", "", {}, {}, {}}, [&](const AzureSurroundings& around) {
        const AzureAccess access = find_azure_access(around, wishes);
        const char* const rights[] = {"key", "signature", "token"};
        return access.account + " at " + access.url + " by " + rights[int(access.right)];
    });
}

// The token's source, or the message.
std::string token_of(const AwsWorld& world) {
    return outcome(world, [](const AzureSurroundings& around) {
        const AzureToken token = find_azure_token(around, "https://storage.azure.com");
        REQUIRE(token.text == "token-secret");
        return token.source;
    });
}

void check_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        CAPTURE(text, part);
        REQUIRE(text.find(part) != std::string::npos);
    }
}

const std::string token_json = R"({"access_token":"token-secret","expires_in":3600})";
const Environment client{{"AZURE_TENANT_ID", "t1"},
                         {"AZURE_CLIENT_ID", "c1"},
                         {"AZURE_CLIENT_SECRET", "client-secret"}};
const Environment workload{{"AZURE_TENANT_ID", "t1"},
                           {"AZURE_CLIENT_ID", "c1"},
                           {"AZURE_FEDERATED_TOKEN_FILE", "$HOME/assertion"}};
const AwsRule authority{"POST https://login.microsoftonline.com/t1/oauth2/v2.0/token grant_type="
                        "client_credentials&client_id=c1&scope=https%3A%2F%2Fstorage.azure.com%2F"
                        ".default&client_",
                        200, token_json};
const AwsRule machine{"GET http://169.254.169.254/metadata/identity/oauth2/token?api-version="
                      "2018-02-01&resource=https%3A%2F%2Fstorage.azure.com",
                      200, R"({"access_token":"token-secret","expires_in":"3600"})"};
const std::string az =
    "az account get-access-token --output json --scope https://storage.azure.com/.default";
const std::string az_token = R"({"accessToken":"token-secret","expires_on":1893456000})";
const std::map<std::string, std::string> logged_in{{az, az_token}, {az + " --tenant t1", az_token}};

Environment with(Environment environment, const Environment& more) {
    environment.insert(more.begin(), more.end());
    return environment;
}

}  // namespace

TEST_CASE("the account, its address and the right to it come from the environment") {
    const Environment named{{"AZURE_STORAGE_ACCOUNT", "shop"}};
    const std::string own = "shop at https://shop.table.core.windows.net by ";
    REQUIRE(access_of({{"AZURE_STORAGE_CONNECTION_STRING", connection_text}}) == own + "key");
    REQUIRE(access_of(with(named, {{"AZURE_STORAGE_KEY", key_text}})) == own + "key");
    REQUIRE(access_of(with(named, {{"AZURE_STORAGE_SAS_TOKEN", "?" + signature_text}})) ==
            own + "signature");
    REQUIRE(access_of(named) == own + "token");
    REQUIRE(access_of({}, {"shop", ""}) == own + "token");
    REQUIRE(access_of({}, {"", "https://shop.table.core.windows.net"}) == own + "token");
    REQUIRE(access_of({}, {"", "https://shop.table.cosmos.azure.com"}) ==
            "shop at https://shop.table.cosmos.azure.com by token");
    REQUIRE(access_of({{"AZURE_STORAGE_CONNECTION_STRING", "UseDevelopmentStorage=true"}}) ==
            "devstoreaccount1 at http://127.0.0.1:10002/devstoreaccount1 by key");
    // A connection string says all, and is asked first.
    REQUIRE(access_of({{"AZURE_STORAGE_CONNECTION_STRING", connection_text},
                       {"AZURE_STORAGE_SAS_TOKEN", signature_text}}) == own + "key");
}

TEST_CASE("credentials go to no server that only a spec names, and to no other account") {
    const Environment key{{"AZURE_STORAGE_CONNECTION_STRING", connection_text}};
    check_parts(access_of(key, {"", "https://evil.example"}),
                {"no server that only a spec names", "https://evil.example"});
    check_parts(access_of(key, {"", "https://shop.table.core.windows.net.evil.example"}),
                {"no server that only a spec names"});
    check_parts(access_of(key, {"other", ""}), {"another account", "wished=other"});
    check_parts(access_of({{"AZURE_STORAGE_ACCOUNT", "shop"}, {"AZURE_STORAGE_KEY", key_text}},
                          {"other", ""}),
                {"another account"});
    check_parts(access_of({}, {"shop", "http://10.0.0.1"}),
                {"plain HTTP goes to this machine only"});
    check_parts(access_of({}, {"evil.example/", ""}), {"no name of a storage account"});
    check_parts(access_of({}), {"no storage account is given", "AZURE_STORAGE_ACCOUNT"});
    // This machine is an emulator, and gets what everybody knows.
    REQUIRE(access_of(key, {"", "http://127.0.0.1:9"}) ==
            "devstoreaccount1 at http://127.0.0.1:9/devstoreaccount1 by key");
    // Unless the environment names the server too.
    REQUIRE(access_of({{"AZURE_STORAGE_ACCOUNT", "shop"},
                       {"AZURE_STORAGE_KEY", key_text},
                       {"AZURE_STORAGE_SERVICE_ENDPOINT", "https://tables.corp.example"}}) ==
            "shop at https://tables.corp.example by key");
}

TEST_CASE("a right that is named and makes no sense is refused") {
    const Environment named{{"AZURE_STORAGE_ACCOUNT", "shop"}};
    for (const std::string& text : std::vector<std::string>{
             "AccountName=shop", "AccountKey=" + key_text, "key-secret",
             "AccountName=shop;AccountKey=key-secret-is-no-base64",
             "AccountName=shop;AccountName=shop;AccountKey=" + key_text}) {
        const std::string said = access_of({{"AZURE_STORAGE_CONNECTION_STRING", text}});
        check_parts(said, {"AZURE_STORAGE_CONNECTION_STRING"});
    }
    check_parts(access_of(with(named, {{"AZURE_STORAGE_KEY", "no base64 secret"}})),
                {"no key of a storage account", "AZURE_STORAGE_KEY"});
    check_parts(access_of(with(named, {{"AZURE_STORAGE_SAS_TOKEN", "sas-secret"}})),
                {"no shared access signature"});
    check_parts(access_of(with(named, {{"AZURE_STORAGE_SAS_TOKEN",
                                        "se=2020-01-01T00:00:00Z&sig=sas-secret"}})),
                {"has run out", "AZURE_STORAGE_SAS_TOKEN"});
}

TEST_CASE("a signature that shows a range of the keys alone is refused, by each of its names") {
    const Environment named{{"AZURE_STORAGE_ACCOUNT", "shop"}};
    for (const std::string name : {"spk", "srk", "epk", "erk"}) {
        const std::string text = signature_text + "&" + name + "=p";
        check_parts(access_of(with(named, {{"AZURE_STORAGE_SAS_TOKEN", text}})),
                    {"a range of the keys alone", "parameter=" + name, "AZURE_STORAGE_SAS_TOKEN"});
        check_parts(access_of({{"AZURE_STORAGE_CONNECTION_STRING",
                                "AccountName=shop;SharedAccessSignature=" + text}}),
                    {"a range of the keys alone", "AZURE_STORAGE_CONNECTION_STRING"});
    }
    // An empty bound is none, and another parameter may begin, or end, with such letters.
    const std::string harmless = signature_text + "&spk=&xspk=p&spkx=p";
    check_parts(access_of(with(named, {{"AZURE_STORAGE_SAS_TOKEN", harmless}})), {"by signature"});
}

TEST_CASE("a signature says what it permits, and until when") {
    REQUIRE(signature_parameter(signature_text, "sp") == "r");
    REQUIRE(signature_parameter(signature_text, "sv") == "2019-02-02");
    REQUIRE(signature_parameter(signature_text, "s").empty());
    REQUIRE(signature_parameter(signature_text, "si").empty());
    REQUIRE(signature_end(signature_text) == "2030-01-01T00:00:00Z");
    REQUIRE(signature_end("se=2030-01-01T00:00:00Z&sig=x") == "2030-01-01T00:00:00Z");
    REQUIRE(signature_end("se=soon&sig=x").empty());
    REQUIRE(signature_end("sv=1&sig=x").empty());
}

TEST_CASE("a token says its tenant and whom it stands for, and nothing else is taken from it") {
    const std::string guid = "0F0E0D0C-0b0a-4908-8706-050403020100";
    const std::string lower = "0f0e0d0c-0b0a-4908-8706-050403020100";
    const auto of = [](const std::string& claims) {
        const TokenClaims seen = claims_of("head." + to_base64(claims, {true, false}) + ".sign");
        return seen.tenant + " " + seen.identity;
    };
    REQUIRE(of(R"({"tid":")" + guid + R"(","appid":")" + guid + R"("})") ==
            lower + " client " + lower);
    REQUIRE(of(R"({"tid":")" + guid + R"(","upn":"ann@x.org","appid":")" + guid + R"("})") ==
            lower + " ann@x.org");
    REQUIRE(of(R"({"oid":")" + guid + R"("})") == " object " + lower);
    // A name with a control character, or a blank, in it is no name; a tenant is a guid.
    REQUIRE(of(R"({"tid":"example.com","upn":"a\u001bb","unique_name":"a b"})") == " ");
    REQUIRE(of(R"({"tid":7,"appid":["x"]})") == " ");
    for (const std::string text : {"", "opaque", "a.b", "a.b.c", "..", ".W10.", ".bnVsbA."}) {
        CAPTURE(text);
        REQUIRE(claims_of(text).tenant.empty());
        REQUIRE(claims_of(text).identity.empty());
    }
}

TEST_CASE("tokens come from the first identity that there is") {
    const AwsWorld all{with(client, workload), "", "", {{"assertion", "jwt-secret\n"}},
                       {authority, machine}, logged_in};
    REQUIRE(token_of(all) == "AZURE_CLIENT_SECRET, client c1 of tenant t1");
    AwsWorld world = all;
    world.environment = workload;
    REQUIRE(token_of(world) == "AZURE_FEDERATED_TOKEN_FILE, client c1 of tenant t1");
    world.environment = {};
    REQUIRE(token_of(world) == "managed identity of this machine");
    world.rules = {};
    REQUIRE(token_of(world) == "az");
    world.environment = {{"IDENTITY_ENDPOINT", "http://127.0.0.1:41/msi"},
                         {"IDENTITY_HEADER", "header-secret"}};
    world.rules = {{"GET http://127.0.0.1:41/msi?api-version=2019-08-01&resource=https%3A%2F%2F"
                    "storage.azure.com", 200, token_json}};
    REQUIRE(token_of(world) == "managed identity of IDENTITY_ENDPOINT");
}

TEST_CASE("AZURE_TOKEN_CREDENTIALS leaves out sources, or names the one") {
    const AwsWorld all{client, "", "", {}, {authority, machine}, logged_in};
    const auto by = [&](const std::string& word) {
        AwsWorld world = all;
        world.environment["AZURE_TOKEN_CREDENTIALS"] = word;
        return token_of(world);
    };
    REQUIRE(by("dev") == "AZURE_CLIENT_SECRET, client c1 of tenant t1");
    REQUIRE(by("ManagedIdentityCredential").find("managed") == 0);
    REQUIRE(by("azureclicredential") == "az");
    check_parts(by("WorkloadIdentityCredential"), {"no credentials for Azure were found",
                                                   "left out by AZURE_TOKEN_CREDENTIALS"});
    check_parts(by("everything"), {"names no source of credentials", "seen=everything"});
    AwsWorld production{{{"AZURE_TOKEN_CREDENTIALS", "prod"}}, "", "", {}, {}, logged_in};
    check_parts(token_of(production), {"no credentials for Azure were found", "az="});
}

TEST_CASE("an identity that is named and fails ends the search") {
    AwsWorld world{client, "", "", {}, {machine}, logged_in};
    world.rules = {{"login.microsoftonline.com", 401,
                    R"({"error":"invalid_client",)"
                    R"("error_description":"AADSTS7000215: client-secret"})"},
                   machine};
    check_parts(token_of(world), {"no token was given", "invalid_client", "AADSTS7000215"});
    world.environment.erase("AZURE_TENANT_ID");
    check_parts(token_of(world), {"half an identity", "AZURE_TENANT_ID"});
    world.environment = client;
    world.environment["AZURE_TENANT_ID"] = "t1/../../evil";
    check_parts(token_of(world), {"no name of an identity"});
    world.environment = with(client, {{"AZURE_AUTHORITY_HOST", "http://login.evil.example"}});
    check_parts(token_of(world), {"may not be asked at this address", "AZURE_AUTHORITY_HOST"});
    world.environment = {{"AZURE_CLIENT_CERTIFICATE_PATH", "/x"}};
    check_parts(token_of(world), {"certificate", "az login"});
    world.environment = {{"IDENTITY_ENDPOINT", "http://10.0.0.1/msi"}, {"IDENTITY_HEADER", "h"}};
    check_parts(token_of(world), {"may not be asked"});
}

TEST_CASE("where nothing is found the error says what was tried, within a second") {
    AwsMachine place{{{}, "", "", {}, {{"169.254.169.254", 0, "nobody is there"}}, {}}};
    const std::int64_t begin_ms = place.clock.now_ms;
    try {
        find_azure_token(place.around(), "https://storage.azure.com");
        FAIL("there is none");
    } catch (const Error& error) {
        check_parts(error_text(error),
                    {"AZURE_STORAGE_CONNECTION_STRING is not set", "AZURE_CLIENT_SECRET is not set",
                     "AZURE_FEDERATED_TOKEN_FILE is not set", "nobody is there", "not logged in",
                     "az login"});
    }
    REQUIRE(place.clock.now_ms - begin_ms <= 1'000);
    REQUIRE(place.requests().size() == 1);
}

TEST_CASE("a token of two minutes is renewed in time, and one that is refused at once") {
    AwsMachine place{{client, "", "", {}, {{"login", 200,
                      R"({"access_token":"first-secret","expires_in":120})"}}, {}}};
    TokenChain chain{place.around(), false};
    REQUIRE(chain.get() == "first-secret");
    place.set_rules({{"login", 200, R"({"access_token":"second-secret","expires_in":120})"}});
    place.clock.now_ms += 59'000;
    REQUIRE(chain.get() == "first-secret");
    place.clock.now_ms += 2'000;
    REQUIRE(chain.get() == "second-secret");
    place.set_rules({{"login", 200, R"({"access_token":"third-secret","expires_in":120})"}});
    chain.forget("first-secret");
    REQUIRE(chain.get() == "second-secret");
    chain.forget("second-secret");
    REQUIRE(chain.get() == "third-secret");
    // What is left of the old one helps over a server that is away.
    place.set_rules({});
    place.clock.now_ms += 61'000;
    REQUIRE(chain.get() == "third-secret");
    place.clock.now_ms += 60'000;
    REQUIRE_THROWS_AS(chain.get(), Error);
    REQUIRE(chain.source() == "AZURE_CLIENT_SECRET, client c1 of tenant t1");
}
