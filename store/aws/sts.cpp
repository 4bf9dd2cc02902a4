#include "store/aws/sts.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/http/url_text.hpp"

namespace idxfsck::store {

namespace {

constexpr RetryLimits patience{100, 2'000, 15'000};
constexpr std::size_t answer_bytes_max = 256 << 10;

using Parameters = std::vector<std::pair<std::string, std::string>>;

Bytes form_of(const Parameters& parameters) {
    Bytes out;
    for (const auto& [name, value] : parameters) {
        if (value.empty()) continue;
        if (!out.empty()) out.push_back('&');
        out.append(name).append("=").append(url_encoded(value));
    }
    return out;
}

// What stands in the first element of this name, if there is no markup in it. Of the characters
// that XML escapes none can be in what is read here.
Bytes element(BytesView xml, const std::string& name) {
    const std::string open = "<" + name + ">";
    const std::size_t begin = xml.find(open);
    if (begin == BytesView::npos) return {};
    const std::size_t end = xml.find('<', begin + open.size());
    if (end == BytesView::npos || !xml.substr(end).starts_with("</" + name + ">")) return {};
    const Bytes text{xml.substr(begin + open.size(), end - begin - open.size())};
    return text.find('&') == Bytes::npos ? text : Bytes{};
}

// A code is a word; anything longer or else is not shown.
Bytes code_of(BytesView xml) {
    const Bytes code = element(xml, "Code");
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool word = code.size() <= 64 && std::all_of(code.begin(), code.end(), letter);
    return word ? code : Bytes{};
}

HttpResult ask(const AwsSurroundings& around, const AwsPlace& place, const Parameters& parameters,
               const Credentials* signer) {
    HttpRequest request;
    request.url = place.url + "/";
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    request.body = form_of(parameters);
    request.response_bytes_max = answer_bytes_max;
    request.total_ms_max = 10'000;
    if (signer != nullptr) {
        request.signing = Signing{place.region,         "sts",
                                  signer->key_id,       signer->secret,
                                  signer->session_token, around.clock->wall_ms()};
    }
    return send_patiently(around, std::move(request), patience);
}

void add_facts(Error& error, const HttpResult& result) {
    if (!result.failure.empty()) error.with("cause", result.failure);
    else error.with("status", std::to_string(result.status));
    const Bytes code = code_of(result.body);
    if (!code.empty()) error.with("code", code);
}

Credentials credentials_in(const HttpResult& result, const Role& role) {
    Credentials out;
    if (result.failure.empty() && result.status == 200) {
        out = {element(result.body, "AccessKeyId"), element(result.body, "SecretAccessKey"),
               element(result.body, "SessionToken"),
               time_ms_from_text(element(result.body, "Expiration")), role.source};
    }
    if (!out.key_id.empty() && !out.secret.empty() && out.expires_ms) return out;
    Error error{"the role was not given"};
    error.with("role", role.arn).with("source", role.source);
    add_facts(error, result);
    throw error.hint("is the role's trust policy such that this identity may take it on?");
}

Parameters role_parameters(const std::string& action, const Role& role) {
    return {{"Action", action},
            {"Version", "2011-06-15"},
            {"RoleArn", role.arn},
            {"RoleSessionName", role.session_name.empty() ? "idxfsck" : role.session_name},
            {"ExternalId", role.external_id},
            {"DurationSeconds", role.duration_seconds}};
}

}  // namespace

Credentials assume_role(const AwsSurroundings& around, const AwsPlace& place, const Role& role,
                        const Credentials& from) {
    return credentials_in(ask(around, place, role_parameters("AssumeRole", role), &from), role);
}

Credentials assume_role_with_token(const AwsSurroundings& around, const AwsPlace& place,
                                   const Role& role, const Bytes& token) {
    Parameters parameters = role_parameters("AssumeRoleWithWebIdentity", role);
    parameters.emplace_back("WebIdentityToken", token);
    return credentials_in(ask(around, place, parameters, nullptr), role);
}

Caller caller_of(const AwsSurroundings& around, const AwsPlace& place,
                 const Credentials& credentials) {
    const Parameters parameters{{"Action", "GetCallerIdentity"}, {"Version", "2011-06-15"}};
    const HttpResult result = ask(around, place, parameters, &credentials);
    Caller caller{element(result.body, "Account"), element(result.body, "Arn")};
    if (!caller.arn.starts_with("arn:")) caller.arn.clear();
    const bool answered =
        result.failure.empty() && result.status == 200 && caller.account.size() == 12;
    if (answered && caller.account.find_first_not_of("0123456789") == Bytes::npos) return caller;
    Error error{"the account of these credentials cannot be found out"};
    error.with("source", credentials.source).with("service", place.url);
    add_facts(error, result);
    throw error.hint("are the credentials still good? `aws sts get-caller-identity` says");
}

}  // namespace idxfsck::store
