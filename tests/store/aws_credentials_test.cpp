// Where credentials come from: a matrix of environment, files and servers, and for each the winner
// or the message. No message holds a part of a secret.
//
// Method: a world of its own for each case; every secret in it has "-secret" in it, and every text
// of an error is searched for that.

#include <catch2/catch.hpp>

#include "aws_world.hpp"
#include "store/aws/credential_chain.hpp"
#include "store/aws/process.hpp"

using namespace idxfsck::store;

namespace {

const Bytes future_time = "2030-01-01T00:00:00Z";

std::string keys_json(const std::string& name, const std::string& token_name,
                      const std::string& expiration = future_time) {
    return "{\"Code\":\"Success\",\"Version\":1,\"AccessKeyId\":\"" + name +
           "\",\"SecretAccessKey\":\"" + name + "-secret\",\"" + token_name + "\":\"" + name +
           "-token-secret\",\"Expiration\":\"" + expiration + "\"}";
}

std::string role_xml(const std::string& name, const std::string& expiration = future_time) {
    return "<R><Credentials><AccessKeyId>" + name + "</AccessKeyId><SecretAccessKey>" + name +
           "-secret</SecretAccessKey><SessionToken>" + name + "-token-secret</SessionToken>"
           "<Expiration>" + expiration + "</Expiration></Credentials></R>";
}

// The key id and the source of the winner, or the message.
std::string winner(const AwsWorld& world) {
    AwsMachine place{world};
    try {
        const AwsSurroundings around = place.around();
        const Credentials found = find_credentials(around, read_profiles(around));
        REQUIRE(found.secret == found.key_id + "-secret");
        return found.key_id + " from " + found.source;
    } catch (const Error& error) {
        const std::string text = error_text(error);
        REQUIRE(text.find("-secret") == std::string::npos);
        return text;
    }
}

void check_message(const AwsWorld& world, const std::vector<std::string>& parts) {
    const std::string text = winner(world);
    for (const std::string& part : parts) {
        CAPTURE(text, part);
        REQUIRE(text.find(part) != std::string::npos);
    }
}

const std::map<std::string, std::string> environment_keys{
    {"AWS_ACCESS_KEY_ID", "ENV"}, {"AWS_SECRET_ACCESS_KEY", "ENV-secret"}};

const std::string plain_profiles =
    "[default]\naws_access_key_id = DEF\naws_secret_access_key = DEF-secret\n"
    "[dev]\naws_access_key_id=DEV\naws_secret_access_key=DEV-secret\n";

const std::vector<AwsRule> instance{
    {"PUT http://169.254.169.254/latest/api/token", 200, "token-secret"},
    {"security-credentials/my-role", 200, keys_json("IMDS", "Token")},
    {"security-credentials/", 200, "my-role"}};

const std::string sso_config = "[profile staff]\nsso_session = corp\n"
                               "sso_account_id = 123456789012\nsso_role_name = Reader\n"
                               "[sso-session corp]\nsso_region = eu-west-1\n"
                               "sso_start_url = https://corp.awsapps.com/start\n";

// sha1("corp")
const std::string sso_file = ".aws/sso/cache/ee0bfd2552fbd840c02cc48b6e823320543c450f.json";

}  // namespace

TEST_CASE("the environment wins over files, and half a key is refused") {
    REQUIRE(winner({environment_keys, "", plain_profiles, {}, instance, {}}) ==
            "ENV from environment");
    AwsWorld named{environment_keys, "", plain_profiles, {}, {}, {}};
    named.environment["AWS_PROFILE"] = "dev";
    REQUIRE(winner(named) == "ENV from environment");
    check_message({{{"AWS_SECRET_ACCESS_KEY", "ENV-secret"}}, "", plain_profiles, {}, {}, {}},
                  {"half a key", "AWS_ACCESS_KEY_ID"});
    // Set but empty is not set.
    check_message({{{"AWS_ACCESS_KEY_ID", ""}, {"AWS_EC2_METADATA_DISABLED", "true"}}, {}, {}, {},
                   {}, {}},
                  {"no credentials"});
}

TEST_CASE("both files of profiles are read, and credentials wins over config") {
    REQUIRE(winner({{}, "", plain_profiles, {}, instance, {}}) == "DEF from profile default");
    REQUIRE(winner({{{"AWS_PROFILE", "dev"}}, "", plain_profiles, {}, instance, {}}) ==
            "DEV from profile dev");
    REQUIRE(winner({{{"AWS_PROFILE", "dev"}},
                    "[profile dev] # mine\naws_access_key_id = OLD\n"
                    "aws_secret_access_key = CFG-secret ; not this\ns3 =\n  max = 1\n",
                    "[dev]\naws_access_key_id = CFG\n", {}, {}, {}}) == "CFG from profile dev");
    REQUIRE(winner({{{"AWS_PROFILE", "a b"}},
                    "[profile \"a b\"]\naws_access_key_id = Q\naws_secret_access_key = Q-secret\n",
                    "", {}, {}, {}}) == "Q from profile a b");
    REQUIRE(winner({{{"AWS_SHARED_CREDENTIALS_FILE", "$HOME/elsewhere"}}, "", plain_profiles,
                    {{"elsewhere", "[default]\naws_access_key_id=ELSE\n"
                                   "aws_secret_access_key=ELSE-secret\n"}}, {}, {}}) ==
            "ELSE from profile default");
}

TEST_CASE("a profile that is named and gives nothing ends the search") {
    check_message({{{"AWS_PROFILE", "typo"}}, "", plain_profiles, {}, instance, {}},
                  {"no such profile", "profile=typo", "list-profiles"});
    check_message({{{"AWS_PROFILE", "bare"}}, "[profile bare]\nregion = eu-west-1\n",
                   plain_profiles, {}, instance, {}},
                  {"says nothing of credentials", "profile=bare"});
    check_message({{{"AWS_PROFILE", "half"}}, "", "[half]\naws_secret_access_key = x-secret\n", {},
                   instance, {}},
                  {"half a key", "profile=half"});
    // A default profile with nothing but a region does not.
    REQUIRE(winner({{}, "[default]\nregion = eu-west-1\n", "", {}, instance, {}}) ==
            "IMDS from instance role my-role");
}

TEST_CASE("a process gives credentials, or its failure ends the search") {
    const std::string config = "[profile p]\ncredential_process = /bin/fetch --user \"a b\"\n";
    AwsWorld world{{{"AWS_PROFILE", "p"}}, config, "", {}, instance, {}};
    world.programs["/bin/fetch --user \"a b\""] = keys_json("PROC", "SessionToken");
    REQUIRE(winner(world) == "PROC from profile p (process)");
    world.programs.begin()->second = "{\"SecretAccessKey\": \"my-secret\"}";
    check_message(world, {"gave none", "profile p (process)"});
    world.programs.begin()->second = keys_json("PROC", "SessionToken", "soon");
    check_message(world, {"gave none"});
    world.programs.clear();
    check_message(world, {"program that fetches credentials failed", "profile=p"});
}

TEST_CASE("a program is run by the shell, and too much or a bad end is nothing") {
    REQUIRE(run_process("printf 'a b' && printf c") == "a bc");
    REQUIRE(run_process("cat") == "");
    REQUIRE_FALSE(run_process("printf a; exit 1"));
    REQUIRE_FALSE(run_process("/no/such/program"));
    REQUIRE_FALSE(run_process("head -c 70000 /dev/zero; exec cat /dev/zero"));
}

TEST_CASE("a role is taken on by another profile, the machine or the environment") {
    const std::string roles =
        "[profile admin]\nrole_arn = arn:aws:iam::1:role/admin\nsource_profile = dev\n"
        "external_id = x/y z\nregion = eu-west-1\n"
        "[profile twice]\nrole_arn = arn:aws:iam::1:role/twice\nsource_profile = admin\n"
        "region = eu-west-1\n"
        "[profile self]\nrole_arn = arn:aws:iam::1:role/self\nsource_profile = self\n"
        "aws_access_key_id = SELF\naws_secret_access_key = SELF-secret\n"
        "[profile there]\nrole_arn = arn:aws:iam::1:role/there\n"
        "credential_source = Ec2InstanceMetadata\n"
        "[profile outside]\nrole_arn = arn:aws:iam::1:role/outside\n"
        "credential_source = Environment\n"
        "[profile ring]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = gnir\n"
        "[profile gnir]\nrole_arn = arn:aws:iam::1:role/g\nsource_profile = ring\n"
        "[profile lost]\nrole_arn = arn:aws:iam::1:role/l\nsource_profile = nobody\n"
        "[profile alone]\nrole_arn = arn:aws:iam::1:role/a\n"
        "[profile device]\nrole_arn = arn:aws:iam::1:role/d\nsource_profile = dev\n"
        "mfa_serial = arn:aws:iam::1:mfa/me\n";
    std::vector<AwsRule> rules = instance;
    rules.push_back({"role%2Fadmin", 200, role_xml("ADMIN")});
    rules.push_back({"role%2Ftwice", 200, role_xml("TWICE")});
    rules.push_back({"role%2Fself", 200, role_xml("ROLE")});
    rules.push_back({"role%2Fthere", 200, role_xml("THERE")});
    const auto named = [&](const std::string& profile) {
        return AwsWorld{{{"AWS_PROFILE", profile}, {"AWS_REGION", "us-east-1"}},
                     roles, plain_profiles, {}, rules, {}};
    };
    REQUIRE(winner(named("admin")) == "ADMIN from profile admin (role)");
    REQUIRE(winner(named("twice")) == "TWICE from profile twice (role)");
    REQUIRE(winner(named("self")) == "ROLE from profile self (role)");
    REQUIRE(winner(named("there")) == "THERE from profile there (role)");
    check_message(named("outside"), {"whose credentials", "profile=outside"});
    check_message(named("ring"), {"circle"});
    check_message(named("lost"), {"has no credentials", "source_profile=nobody"});
    check_message(named("alone"), {"whose credentials", "source_profile"});
    check_message(named("device"), {"code from a device", "export-credentials"});

    AwsMachine place{named("twice")};
    const AwsSurroundings around = place.around();
    find_credentials(around, read_profiles(around));
    REQUIRE(place.requests().size() == 2);
    const HttpRequest& first = place.requests()[0];
    REQUIRE(first.url == "https://sts.eu-west-1.amazonaws.com/");
    REQUIRE(first.signing->key_id == "DEV");
    REQUIRE(first.signing->service == "sts");
    REQUIRE(first.body.find("ExternalId=x%2Fy%20z") != Bytes::npos);
    REQUIRE(place.requests()[1].signing->key_id == "ADMIN");
    REQUIRE(place.requests()[1].signing->session_token == "ADMIN-token-secret");
}

TEST_CASE("a role that is refused says by which code, and nothing else of the answer") {
    AwsWorld world{{{"AWS_PROFILE", "r"}, {"AWS_REGION", "us-east-1"}},
                "[profile r]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = dev\n",
                plain_profiles, {}, {}, {}};
    world.rules = {{"AssumeRole", 403, "<Error><Code>AccessDenied</Code><M>my-secret</M></Error>"}};
    check_message(world, {"role was not given", "status=403", "code=AccessDenied", "role/r"});
    world.rules = {{"AssumeRole", 403, "<Error><Code>an access-secret</Code></Error>"}};
    check_message(world, {"status=403"});
    world.rules = {{"AssumeRole", 200, "<AccessKeyId>a</AccessKeyId>"}};
    check_message(world, {"role was not given", "status=200"});
    world.rules = {{"AssumeRole", 0, "timed out"}};
    check_message(world, {"cause=timed out"});
}

TEST_CASE("a web identity takes on the role in the environment") {
    AwsWorld world{{{"AWS_WEB_IDENTITY_TOKEN_FILE", "$HOME/token"},
                 {"AWS_ROLE_ARN", "arn:aws:iam::1:role/pod"},
                 {"AWS_REGION", "eu-west-1"}},
                "", "", {{"token", "jwt-secret"}}, instance, {}};
    world.rules.push_back({"AssumeRoleWithWebIdentity", 200, role_xml("POD")});
    REQUIRE(winner(world) == "POD from web identity");
    AwsMachine place{world};
    const AwsSurroundings around = place.around();
    find_credentials(around, read_profiles(around));
    REQUIRE_FALSE(place.requests().at(0).signing);
    REQUIRE(place.requests()[0].body.find("WebIdentityToken=jwt-secret") != Bytes::npos);
    // A profile outranks it; a failure of it outranks the instance.
    world.credentials = plain_profiles;
    REQUIRE(winner(world) == "DEF from profile default");
    world.credentials.clear();
    world.rules.back().status = 400;
    check_message(world, {"role was not given", "web identity"});
    world.files.clear();
    check_message(world, {"token"});
}

TEST_CASE("a container is asked where the environment says, and its failure ends the search") {
    AwsWorld world{{{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/1"}}, "", "", {},
                instance, {}};
    world.rules.push_back({"GET http://169.254.170.2/v2/credentials/1", 200,
                           keys_json("ECS", "Token")});
    REQUIRE(winner(world) == "ECS from container");
    world.rules.back().status = 403;
    check_message(world, {"source=container", "status=403"});

    world.environment = {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:80/get"},
                         {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "Bearer my-secret"}};
    world.rules = {{"GET http://127.0.0.1:80/get", 200, keys_json("EKS", "Token")}};
    REQUIRE(winner(world) == "EKS from container");
    world.environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "$HOME/pod";
    world.files["pod"] = "file-secret\n";
    AwsMachine place{world};
    const AwsSurroundings around = place.around();
    find_credentials(around, read_profiles(around));
    REQUIRE(place.requests().at(0).headers.at(0).value == "file-secret");
    world.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://example.org/get";
    check_message(world, {"may not be asked", "AWS_CONTAINER_CREDENTIALS_FULL_URI"});
}

TEST_CASE("an instance is asked by the second version, for a second, and last") {
    AwsWorld world{{}, "", "", {}, instance, {}};
    REQUIRE(winner(world) == "IMDS from instance role my-role");
    AwsMachine place{world};
    AwsSurroundings around = place.around();
    find_credentials(around, read_profiles(around));
    REQUIRE(place.requests().size() == 3);
    REQUIRE(place.requests()[1].headers[0].value == "token-secret");
    REQUIRE(place.requests()[0].plain == PlainHttp::metadata);

    // Nobody answers: one question, of at most a second, and no second try.
    world.rules = {{"169.254.169.254", 0, "Timeout was reached"}};
    AwsMachine off_cloud{world};
    around = off_cloud.around();
    REQUIRE_THROWS_AS(find_credentials(around, read_profiles(around)), Error);
    REQUIRE(off_cloud.requests().size() == 1);
    REQUIRE(off_cloud.requests()[0].total_ms_max <= 1000);
    REQUIRE(off_cloud.clock.slept.empty());
    check_message(world, {"no credentials for AWS were found", "environment=AWS_ACCESS_KEY_ID",
                          "profile default=not in", "web identity=", "container=",
                          "instance=this machine gave no credentials", "Timeout was reached",
                          "aws sso login"});
    world.environment["AWS_EC2_METADATA_DISABLED"] = "true";
    check_message(world, {"instance=AWS_EC2_METADATA_DISABLED"});
    world = {{}, "", "", {}, instance, {}};
    world.rules[2].body = "../../evil";
    check_message(world, {"no role"});
}

TEST_CASE("a login of Identity Center is used as long as it lasts, else its command is told") {
    AwsWorld world{{{"AWS_PROFILE", "staff"}}, sso_config, "", {}, {}, {}};
    check_message(world, {"nobody has logged in", "aws sso login --profile staff"});
    world.files[sso_file] =
        "{\"accessToken\":\"bearer-secret\",\"expiresAt\":\"2030-01-01T00:00:00Z\"}";
    world.rules = {{"GET https://portal.sso.eu-west-1.amazonaws.com/federation/credentials"
                    "?role_name=Reader&account_id=123456789012", 200,
                    "{\"roleCredentials\":{\"accessKeyId\":\"SSO\",\"secretAccessKey\":"
                    "\"SSO-secret\",\"sessionToken\":\"t\",\"expiration\":1900000000000}}"}};
    REQUIRE(winner(world) == "SSO from profile staff (sso)");
    AwsMachine place{world};
    const AwsSurroundings around = place.around();
    const Credentials found = find_credentials(around, read_profiles(around));
    REQUIRE(found.expires_ms == 1'900'000'000'000);
    REQUIRE(place.requests().at(0).headers.at(0).value == "bearer-secret");
    world.rules[0].status = 401;
    check_message(world, {"not accepted any more", "aws sso login --profile staff"});
    world.rules[0].status = 403;
    check_message(world, {"gives no credentials", "status=403"});
    world.files[sso_file] =
        "{\"accessToken\":\"bearer-secret\",\"expiresAt\":\"2020-01-01T00:00:00Z\"}";
    check_message(world, {"run out", "aws sso login --profile staff"});
    world.files[sso_file] = "{\"accessToken\": \"bearer-secret\", cut";
    check_message(world, {"cannot be read", "aws sso login --profile staff"});
    world.config = "[profile staff]\nsso_session = corp\nsso_account_id = 1\nsso_role_name = R\n";
    check_message(world, {"lacks a setting", "sso-session corp"});
    world.config = "[profile staff]\nlogin_session = arn:aws:iam::1:user/x\n";
    check_message(world, {"not known here", "export-credentials"});
}

TEST_CASE("credentials of two minutes are renewed while a run goes on") {
    AwsWorld world{{{"AWS_PROFILE", "p"}}, "[profile p]\ncredential_process = x\n", "", {}, {}, {}};
    AwsMachine place{world};
    int calls = 0;
    AwsSurroundings around = place.around();
    around.run = [&](const std::string&) -> std::optional<Bytes> {
        // Each lasts two minutes: 2023-11-14T22:13:20Z is where the clock starts.
        static const char* const ends[] = {"2023-11-14T22:15:20Z", "2023-11-14T22:17:20Z"};
        if (calls >= 2) return std::nullopt;
        ++calls;
        return keys_json("K" + std::to_string(calls), "SessionToken", ends[calls - 1]);
    };
    CredentialChain chain{around, read_profiles(around)};
    REQUIRE(chain.get().key_id == "K1");
    place.clock.now_ms += 50'000;
    REQUIRE(chain.get().key_id == "K1");
    place.clock.now_ms += 20'000;
    REQUIRE(chain.get().key_id == "K2");
    REQUIRE(calls == 2);
    // The source fails: what is left is used to the end, and then the failure is told.
    place.clock.now_ms += 160'000;
    REQUIRE(chain.get().key_id == "K2");
    place.clock.now_ms += 10'000;
    REQUIRE_THROWS_AS(chain.get(), Error);
}

TEST_CASE("credentials that a server refuses are asked for again, once for all threads") {
    AwsWorld world{environment_keys, "", "", {}, {}, {}};
    AwsMachine place{world};
    int calls = 0;
    AwsSurroundings around = place.around();
    const auto environment = around.environment;
    around.environment = [&](const std::string& name) {
        if (name == "AWS_ACCESS_KEY_ID") ++calls;
        return environment(name);
    };
    CredentialChain chain{around, {}};
    const Credentials first = chain.get();
    chain.get();
    REQUIRE(calls == 1);
    chain.forget(first);
    chain.get();
    REQUIRE(calls == 2);
    Credentials older = first;
    older.secret = "another";
    chain.forget(older);
    chain.get();
    REQUIRE(calls == 2);
}
