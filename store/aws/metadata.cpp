#include "store/aws/metadata.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/http/address.hpp"
#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t answer_bytes_max = 64 << 10;
constexpr std::int64_t instance_ms_max = 1'000;

HttpRequest request_for(Bytes method, Bytes url) {
    HttpRequest request;
    request.method = std::move(method);
    request.url = std::move(url);
    request.plain = PlainHttp::metadata;
    request.connect_ms_max = instance_ms_max;
    request.total_ms_max = 5'000;
    request.response_bytes_max = answer_bytes_max;
    return request;
}

Bytes answer_in(const HttpResult& result, const std::string& source) {
    if (result.failure.empty() && result.status == 200) return result.body;
    Error error{"this machine gave no credentials"};
    error.with("source", source);
    if (!result.failure.empty()) throw error.with("cause", result.failure);
    throw error.with("status", std::to_string(result.status));
}

Bytes container_token(const AwsSurroundings& around) {
    if (const auto path = around.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
        Bytes token = read_file(*path, answer_bytes_max, Links::follow);
        while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
        return token;
    }
    return around.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN").value_or("");
}

std::string instance_url(const AwsSurroundings& around) {
    std::string url = around.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT")
                          .value_or("http://169.254.169.254");
    while (url.ends_with('/')) url.pop_back();
    return url;
}

// A name of a role goes into the next address.
bool is_role_name(const Bytes& name) {
    const auto fits = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               BytesView{"+=,.@_-"}.find(c) != BytesView::npos;
    };
    return !name.empty() && name.size() <= 128 && std::all_of(name.begin(), name.end(), fits);
}

// The questions to an instance, in one second together.
class InstanceTalk {
public:
    explicit InstanceTalk(const AwsSurroundings& around)
        : around_{around}, url_{instance_url(around)}, begin_ms_{around.clock->steady_ms()} {}

    Bytes ask(const std::string& method, const std::string& path, const HttpHeader& header) {
        const std::int64_t spent = around_.clock->steady_ms() - begin_ms_;
        HttpRequest request = request_for(method, url_ + path);
        request.headers = {header};
        request.total_ms_max = std::max<std::int64_t>(instance_ms_max - spent, 1);
        return answer_in(around_.transport->start(std::move(request)).get(), "instance metadata");
    }

private:
    const AwsSurroundings& around_;
    const std::string url_;
    const std::int64_t begin_ms_;
};

}  // namespace

bool names_container(const AwsSurroundings& around) {
    return around.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") ||
           around.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
}

Credentials container_credentials(const AwsSurroundings& around) {
    const auto relative = around.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const std::string url =
        relative ? "http://169.254.170.2" + *relative
                 : around.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI").value_or("");
    const std::optional<HttpAddress> address = parse_address(url);
    if (!address || !may_send(*address, PlainHttp::metadata)) {
        throw Error{"the address of the container's credentials may not be asked"}
            .with("source", "container")
            .hint("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or this machine");
    }
    HttpRequest request = request_for("GET", url);
    const Bytes token = container_token(around);
    if (!token.empty()) request.headers = {{"Authorization", token}};
    const HttpResult result = send_patiently(around, std::move(request), {100, 1'000, 5'000});
    return credentials_from_json(answer_in(result, "container"), "Token", "container");
}

Credentials instance_credentials(const AwsSurroundings& around) {
    InstanceTalk talk{around};
    const std::string path = "/latest/meta-data/iam/security-credentials/";
    const Bytes token = talk.ask("PUT", "/latest/api/token",
                                 {"X-aws-ec2-metadata-token-ttl-seconds", "21600"});
    const HttpHeader proof{"X-aws-ec2-metadata-token", token};
    Bytes role = talk.ask("GET", path, proof);
    role = role.substr(0, role.find('\n'));
    if (!is_role_name(role)) {
        throw Error{"this instance has no role"}.with("source", "instance metadata");
    }
    return credentials_from_json(talk.ask("GET", path + role, proof), "Token",
                                 "instance role " + role);
}

}  // namespace idxfsck::store
