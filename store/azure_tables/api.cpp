#include "store/azure_tables/api.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <nlohmann/json.hpp>
#include <openssl/hmac.h>

#include "store/json/base64.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t code_bytes_max = 100;
constexpr std::size_t message_bytes_max = 1'000;
// The first that takes tokens.
constexpr const char* service_version = "2020-12-06";

// Of these the words are about tables, rows and permissions. Those about signatures repeat what was
// signed.
constexpr std::array<BytesView, 10> speaking{
    "AuthorizationPermissionMismatch", "AuthorizationFailure", "TableNotFound", "InvalidInput",
    "AccountIsDisabled", "EntityTooLarge", "PropertyValueTooLarge", "RequestBodyTooLarge",
    "PropertyNameInvalid", "TableBeingDeleted"};

template <std::size_t Count>
bool is_one_of(const std::array<BytesView, Count>& words, BytesView word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Bytes word_of(BytesView text) {
    const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    const bool word = text.size() <= code_bytes_max && std::all_of(text.begin(), text.end(), fits);
    return word ? Bytes{text} : Bytes{};
}

// Mon, 30 Nov 2026 10:14:32 GMT, in English wherever the machine stands.
Bytes http_date(std::int64_t time_ms) {
    constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::time_t seconds = static_cast<std::time_t>(time_ms / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                   days[std::size_t(parts.tm_wday)], parts.tm_mday,
                                   months[std::size_t(parts.tm_mon)], parts.tm_year + 1900,
                                   parts.tm_hour, parts.tm_min, parts.tm_sec);
    return {text, std::size_t(size)};
}

// The path of an address, as it is sent.
BytesView path_of(BytesView url) {
    const std::size_t begin = url.find('/', url.find("://") + 3);
    return begin == BytesView::npos ? BytesView{} : url.substr(begin);
}

std::string hint_for(const TableFault& fault, const AzureAccess& access) {
    if (fault.code == "AuthorizationPermissionMismatch" ||
        fault.code == "InsufficientAccountPermissions") {
        return "the identity lacks a role: the README has those that an audit and a repair need";
    }
    if (fault.status == 401 || fault.status == 403) {
        return access.right == AzureRight::shared_access
                   ? "has the signature run out, and does it permit this? `sp=r` is for an audit"
                   : "is it the right account, and are its key and its firewall such that this "
                     "machine may ask?";
    }
    return "";
}

}  // namespace

Bytes shared_key_lite(const AzureAccess& access, BytesView date, BytesView path) {
    Bytes text{date};
    text.append("\n/").append(access.account).append(path);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    HMAC(EVP_sha256(), access.secret.data(), static_cast<int>(access.secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
    const BytesView bytes{reinterpret_cast<const char*>(digest), size};
    return "SharedKeyLite " + access.account + ":" + to_base64(bytes);
}

TableFault fault_in(int status, BytesView body, BytesView code_header) {
    TableFault fault;
    fault.status = status;
    fault.code = word_of(code_header);
    fault.own = !code_header.empty();
    const auto json = nlohmann::json::parse(body, nullptr, false);
    const auto error = json.is_object() ? json.find("odata.error") : json.end();
    if (!json.is_object() || error == json.end() || !error->is_object()) return fault;
    fault.own = true;
    const auto text = [](const nlohmann::json& object, const char* name) {
        const auto found = object.find(name);
        return found != object.end() && found->is_string() ? found->get<std::string>() : Bytes{};
    };
    if (fault.code.empty()) fault.code = word_of(text(*error, "code"));
    const auto message = error->find("message");
    if (message == error->end() || !message->is_object() || !is_one_of(speaking, fault.code)) {
        return fault;
    }
    fault.message = text(*message, "value");
    fault.message.resize(std::min({fault.message.size(), message_bytes_max,
                                   fault.message.find('\n')}));
    return fault;
}

Error fault_error(const std::string& text, const std::string& store, const std::string& operation,
                  const TableFault& fault) {
    Error error{text};
    error.with("store", store).with("operation", operation);
    error.with("status", std::to_string(fault.status));
    if (!fault.code.empty()) error.with("code", fault.code);
    if (!fault.message.empty()) error.with("cause", fault.message);
    return error;
}

TablesApi::TablesApi(AzureAccess access, AzureSurroundings around, RetryLimits limits,
                     double requests_a_second)
    : access_{std::move(access)},
      around_{std::move(around)},
      limits_{limits},
      capacity_{*around_.clock, requests_a_second, std::nullopt},
      chain_{around_, access_.cosmos},
      clock_{*around_.clock} {}

std::string TablesApi::credentials_source() {
    if (access_.right != AzureRight::token) return access_.source;
    static_cast<void>(chain_.get());
    return chain_.source();
}

TokenClaims TablesApi::claims() {
    return access_.right == AzureRight::token ? claims_of(chain_.get()) : TokenClaims{};
}

TablesApi::Pending TablesApi::begin(TableCall call) {
    Pending pending{std::move(call), {}, {}};
    send(pending);
    return pending;
}

void TablesApi::send(Pending& pending) {
    const TableCall& call = pending.call;
    capacity_.begin(call.kind, {1.0, 1.0}).settle({{call.table, 1.0}});
    ++capacity_.counts(call.table).requests;
    HttpRequest request;
    request.method = call.method;
    request.url = access_.url + call.path + (call.query.empty() ? "" : "?") + call.query;
    request.headers = call.headers;
    request.body = call.body;
    authorize(pending, request);
    pending.result = around_.transport->start(std::move(request));
}

void TablesApi::authorize(Pending& pending, HttpRequest& request) {
    const Bytes date = http_date(clock_.now_ms());
    request.headers.push_back({"x-ms-date", date});
    request.headers.push_back({"x-ms-version", service_version});
    request.headers.push_back({"DataServiceVersion", "3.0;NetFx"});
    request.headers.push_back({"MaxDataServiceVersion", "3.0;NetFx"});
    if (access_.right == AzureRight::shared_access) {
        request.url.append(pending.call.query.empty() ? "?" : "&").append(access_.secret);
        return;
    }
    if (access_.right == AzureRight::token) {
        pending.token = chain_.get();
        request.headers.push_back({"Authorization", "Bearer " + pending.token});
        return;
    }
    const Bytes path = Bytes{path_of(access_.url)} + pending.call.path;
    request.headers.push_back({"Authorization", shared_key_lite(access_, date, path)});
}

TableReply TablesApi::finish(Pending pending, const ReplyCheck& check) {
    TableReply reply;
    TableFault fault;
    std::string_view damage;
    RetrySteps steps;
    steps.take = [&] {
        reply.result = pending.result.get();
        fault = {};
        damage = {};
        return judge(pending, reply.result, check, fault, damage);
    };
    steps.send = [&] {
        RequestCounts& counts = capacity_.counts(pending.call.table);
        ++counts.retries;
        if (reply.result.status == 503 || reply.result.status == 429) ++counts.throttles;
        send(pending);
    };
    steps.why_not = [&](int waits, bool stopped) {
        return stopped ? stopped_error(pending.call.operation)
                       : no_answer_error(pending, reply.result, fault, damage, waits);
    };
    reply.maybe_done_before = send_until_answered(steps, backoff());
    if (fault.status != 0) reply.fault = std::move(fault);
    return reply;
}

NextTry TablesApi::judge(const Pending& pending, HttpResult& result, const ReplyCheck& check,
                         TableFault& fault, std::string_view& damage) {
    if (!result.failure.empty()) return result.may_help ? NextTry::later : NextTry::hopeless;
    if (result.status >= 200 && result.status < 300) {
        if (check) damage = check(result);
        return damage.empty() ? NextTry::none : NextTry::later;
    }
    fault = fault_in(result.status, result.body, result.header("x-ms-error-code"));
    const int status = result.status;
    if (status == 501) return NextTry::hopeless;
    if (status >= 500 || status == 429 || status == 408) return NextTry::later;
    if (status != 401 && status != 403) {
        // A page of what stands between is no answer.
        const bool own = fault.own || !result.header("x-ms-request-id").empty();
        return own ? NextTry::none : NextTry::later;
    }
    if (access_.right == AzureRight::token && status == 401) {
        chain_.forget(pending.token);
        return NextTry::renewed;
    }
    return clock_.mend(result) ? NextTry::renewed : NextTry::hopeless;
}

Error TablesApi::stopped_error(const std::string& operation) const {
    Error error{"the run was stopped while the table service was asked again", Trouble::stopped};
    error.with("store", name()).with("operation", operation);
    return error;
}

Error TablesApi::no_answer_error(const Pending& pending, const HttpResult& result,
                                 const TableFault& fault, std::string_view damage,
                                 int waits) const {
    const std::string& operation = pending.call.operation;
    const std::string tries = std::to_string(waits + 1);
    if (fault.status != 0) {
        const bool refused = fault.status == 401 || fault.status == 403 || fault.status == 501;
        Error error = fault_error(refused ? "the table service refuses this request"
                                          : "the table service cannot answer for now",
                                  name(), operation, fault);
        const std::string hint = hint_for(fault, access_);
        if (!hint.empty()) error.hint(hint);
        const std::string source = access_.source.empty() ? chain_.source() : access_.source;
        return error.with("credentials", source).with("tries", tries);
    }
    Error error{"the table service does not answer"};
    error.with("store", name()).with("operation", operation);
    error.with("cause", result.failure.empty() ? damage : BytesView{result.failure});
    return error.with("tries", tries).hint("are network, account and endpoint right?");
}

}  // namespace idxfsck::store
