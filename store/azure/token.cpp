#include "store/azure/token.hpp"

#include "store/azure/token_json.hpp"
#include "store/error.hpp"
#include "store/http/address.hpp"
#include "store/http/url_text.hpp"
#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

constexpr RetryLimits patience{100, 2'000, 15'000};
constexpr std::size_t answer_bytes_max = 256 << 10;
constexpr std::size_t file_bytes_max = 64 << 10;
constexpr std::int64_t machine_ms_max = 1'000;

using Parameters = std::vector<std::pair<std::string, Bytes>>;

// The variable, which the source needs once it is named.
std::string needed(const AzureSurroundings& around, const std::string& name,
                   const std::string& because) {
    const std::optional<std::string> value = around.variable(name);
    if (!value) {
        throw Error{"half an identity is set", Trouble::usage}
            .with("variable", name)
            .hint("with " + because + " it is needed; unset that one for another identity");
    }
    return *value;
}

std::string identity_name(const AzureSurroundings& around, const std::string& name,
                          const std::string& because) {
    const std::string value = needed(around, name, because);
    if (is_identity_name(value)) return value;
    throw Error{"this is no name of an identity", Trouble::usage}.with("variable", name);
}

HttpRequest request_to(Bytes method, Bytes url) {
    HttpRequest request;
    request.method = std::move(method);
    request.url = std::move(url);
    request.response_bytes_max = answer_bytes_max;
    request.total_ms_max = 10'000;
    return request;
}

// As the identity, which proves itself by `proof`.
AzureToken ask_authority(const AzureSurroundings& around, const TokenResource& resource,
                         const std::string& because, const Parameters& proof) {
    const std::string tenant = identity_name(around, "AZURE_TENANT_ID", because);
    const std::string client = identity_name(around, "AZURE_CLIENT_ID", because);
    std::string authority = around.variable("AZURE_AUTHORITY_HOST")
                                .value_or("https://login.microsoftonline.com");
    while (authority.ends_with('/')) authority.pop_back();
    const std::optional<HttpAddress> address = parse_address(authority);
    if (!address || address->text() != authority || !may_send(*address, PlainHttp::loopback)) {
        throw Error{"the authority may not be asked at this address", Trouble::usage}
            .with("variable", "AZURE_AUTHORITY_HOST")
            .hint("it is like https://login.microsoftonline.com");
    }
    HttpRequest request = request_to("POST", authority + "/" + tenant + "/oauth2/v2.0/token");
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    request.body = "grant_type=client_credentials&client_id=" + url_encoded(client) +
                   "&scope=" + url_encoded(resource + "/.default");
    for (const auto& [name, value] : proof) {
        request.body.append("&" + name + "=").append(url_encoded(value));
    }
    const HttpResult result = send_patiently(around, std::move(request), patience);
    return token_from_answer(around, result,
                             because + ", client " + client + " of tenant " + tenant);
}

// Which of the machine's identities; the machine's own if nothing is said.
Bytes client_query(const AzureSurroundings& around) {
    const std::optional<std::string> client = around.variable("AZURE_CLIENT_ID");
    return client ? "&client_id=" + url_encoded(*client) : Bytes{};
}

}  // namespace

std::optional<AzureToken> environment_token(const AzureSurroundings& around,
                                            const TokenResource& resource) {
    const std::optional<std::string> secret = around.variable("AZURE_CLIENT_SECRET");
    if (secret) {
        return ask_authority(around, resource, "AZURE_CLIENT_SECRET", {{"client_secret", *secret}});
    }
    if (!around.variable("AZURE_CLIENT_CERTIFICATE_PATH")) return std::nullopt;
    throw Error{"identities that prove themselves by a certificate are not supported",
                Trouble::usage}
        .with("variable", "AZURE_CLIENT_CERTIFICATE_PATH")
        .hint("log in with it: az login --service-principal --certificate FILE; then unset it");
}

std::optional<AzureToken> workload_token(const AzureSurroundings& around,
                                         const TokenResource& resource) {
    const std::optional<std::string> path = around.variable("AZURE_FEDERATED_TOKEN_FILE");
    if (!path) return std::nullopt;
    Bytes assertion = read_file(*path, file_bytes_max, Links::follow);
    while (assertion.ends_with('\n') || assertion.ends_with('\r')) assertion.pop_back();
    return ask_authority(
        around, resource, "AZURE_FEDERATED_TOKEN_FILE",
        {{"client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
         {"client_assertion", assertion}});
}

std::optional<AzureToken> hosted_identity_token(const AzureSurroundings& around,
                                                const TokenResource& resource) {
    const std::optional<std::string> url = around.variable("IDENTITY_ENDPOINT");
    if (!url) return std::nullopt;
    const std::string header = needed(around, "IDENTITY_HEADER", "IDENTITY_ENDPOINT");
    const std::optional<HttpAddress> address = parse_address(*url);
    if (!address || !may_send(*address, PlainHttp::metadata)) {
        throw Error{"the address of the managed identity may not be asked", Trouble::usage}
            .with("variable", "IDENTITY_ENDPOINT");
    }
    HttpRequest request =
        request_to("GET", *url + "?api-version=2019-08-01&resource=" + url_encoded(resource) +
                              client_query(around));
    request.headers = {{"X-IDENTITY-HEADER", header}};
    request.plain = PlainHttp::metadata;
    const HttpResult result = send_patiently(around, std::move(request), patience);
    return token_from_answer(around, result, "managed identity of IDENTITY_ENDPOINT");
}

AzureToken machine_token(const AzureSurroundings& around, const TokenResource& resource) {
    std::string host = around.variable("AZURE_POD_IDENTITY_AUTHORITY_HOST")
                           .value_or("http://169.254.169.254");
    while (host.ends_with('/')) host.pop_back();
    HttpRequest request = request_to(
        "GET", host + "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=" +
                   url_encoded(resource) + client_query(around));
    request.headers = {{"Metadata", "true"}};
    request.plain = PlainHttp::metadata;
    request.connect_ms_max = machine_ms_max;
    request.total_ms_max = machine_ms_max;
    return token_from_answer(around, around.transport->start(std::move(request)).get(),
                             "managed identity of this machine");
}

AzureToken command_token(const AzureSurroundings& around, const TokenResource& resource) {
    std::string command =
        "az account get-access-token --output json --scope " + resource + "/.default";
    const std::string tenant = around.variable("AZURE_TENANT_ID").value_or("");
    if (is_identity_name(tenant)) command += " --tenant " + tenant;
    const std::optional<Bytes> text = around.run(command);
    if (text) return token_from_json(around, *text, "az");
    throw Error{"`az` gave no token: it is not installed, or not logged in"}.with("source", "az");
}

}  // namespace idxfsck::store
