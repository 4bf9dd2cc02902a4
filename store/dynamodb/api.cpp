#include "store/dynamodb/api.hpp"

#include <algorithm>
#include <array>

#include <isa-l.h>
#include <nlohmann/json.hpp>

#include "store/dynamodb/response.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t code_bytes_max = 100;
constexpr std::size_t message_bytes_max = 1'000;

constexpr std::array<BytesView, 7> throttles{
    "ProvisionedThroughputExceededException", "ThrottlingException", "Throttling",
    "RequestLimitExceeded", "InternalServerError", "ServiceUnavailable", "SlowDown"};
constexpr std::array<BytesView, 3> run_outs{"ExpiredTokenException", "ExpiredToken",
                                            "RequestExpired"};
constexpr std::array<BytesView, 4> clocks{"RequestTimeTooSkewed", "InvalidSignatureException",
                                          "SignatureDoesNotMatch", "RequestExpired"};
constexpr std::array<BytesView, 7> refusals{
    "AccessDeniedException",      "AccessDenied",          "UnrecognizedClientException",
    "InvalidSignatureException",  "ExpiredTokenException", "MissingAuthenticationTokenException",
    "IncompleteSignatureException"};
constexpr BytesView other_region = "Credential should be scoped to a valid region";
// Of these the words are about tables, attributes and permissions. Those about signatures repeat
// the request, with what it was signed with.
constexpr std::array<BytesView, 8> speaking{
    "AccessDeniedException", "ResourceNotFoundException", "ValidationException",
    "TransactionCanceledException", "ResourceInUseException", "UnknownOperationException",
    "ProvisionedThroughputExceededException", "ItemCollectionSizeLimitExceededException"};

template <std::size_t Count>
bool is_one_of(const std::array<BytesView, Count>& words, BytesView word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Bytes word_of(BytesView text) {
    text.remove_prefix(std::min(text.rfind('#') + 1, text.size()));
    const auto fits = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    const bool word = text.size() <= code_bytes_max && std::all_of(text.begin(), text.end(), fits);
    return word ? Bytes{text} : Bytes{};
}

Bytes text_in(const nlohmann::json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : Bytes{};
}

// The one complaint about a signature whose first words say all, and nothing of who signed.
bool is_of_other_region(BytesView code, BytesView message) {
    const bool signature =
        code == "InvalidSignatureException" || code == "SignatureDoesNotMatch";
    return signature && message.starts_with(other_region);
}

Fault fault_in(const HttpResult& result) {
    Fault fault;
    fault.status = result.status;
    fault.body = result.body;
    const auto json = nlohmann::json::parse(result.body, nullptr, false);
    if (!json.is_object()) return fault;
    fault.code = word_of(text_in(json, "__type"));
    if (is_of_other_region(fault.code, text_in(json, "message"))) fault.message = other_region;
    if (!is_one_of(speaking, fault.code)) return fault;
    fault.message = text_in(json, "message");
    if (fault.message.empty()) fault.message = text_in(json, "Message");
    fault.message.resize(std::min(fault.message.size(), message_bytes_max));
    return fault;
}

// Is the body the one that was sent? Where the service says nothing, libcurl has counted its bytes.
bool is_whole(const HttpResult& result) {
    const BytesView said = result.header("x-amz-crc32");
    if (said.empty()) return true;
    const auto expected = integer_from_text<std::uint32_t>(said);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(result.body.data());
    return expected && *expected == crc32_gzip_refl(0, bytes, result.body.size());
}

bool says_slower(const HttpResult& result, const Fault& fault) {
    return result.status == 429 || fault.code == "ProvisionedThroughputExceededException" ||
           fault.code.starts_with("Throttling") || fault.code == "RequestLimitExceeded" ||
           fault.code == "SlowDown";
}

std::string hint_for(const Fault& fault) {
    if (fault.code.starts_with("AccessDenied")) {
        return "the message names the permission that is missing; the README has the policies that "
               "an audit and a repair need";
    }
    if (fault.code.starts_with("ExpiredToken")) {
        return "log in again: aws sso login --profile NAME, or fetch new keys";
    }
    if (fault.code == "InvalidSignatureException" || fault.code == "SignatureDoesNotMatch") {
        return "the two parts of the key do not belong together, or the endpoint is one of another "
               "region than the store's";
    }
    if (fault.code == "UnrecognizedClientException") {
        return "this key is not known to AWS, or not in this region; "
               "`aws sts get-caller-identity` says who you are";
    }
    return "";
}

}  // namespace

Error fault_error(const std::string& text, const std::string& store, const std::string& operation,
                  const Fault& fault) {
    Error error{text};
    error.with("store", store).with("operation", operation);
    error.with("status", std::to_string(fault.status));
    if (!fault.code.empty()) error.with("code", fault.code);
    if (!fault.message.empty()) error.with("cause", fault.message);
    const std::string hint = hint_for(fault);
    if (!hint.empty()) error.hint(hint);
    return error;
}

DynamodbApi::DynamodbApi(AwsPlace place, AwsSurroundings around, Profiles profiles,
                         RetryLimits limits)
    : place_{std::move(place)},
      around_{std::move(around)},
      profiles_{std::move(profiles)},
      limits_{limits},
      chain_{around_, profiles_},
      clock_{*around_.clock} {}

AwsPlace DynamodbApi::caller_place() const {
    return find_place(around_, profiles_, "sts", {place_.region, ""});
}

Caller DynamodbApi::caller() {
    if (!place_.credentials) {
        throw Error{"nobody is known to a server that only the spec names"}.with("store", name());
    }
    return caller_of(around_, caller_place(), chain_.get());
}

bool DynamodbApi::has_caller() const {
    return place_.credentials && (!place_.configured || caller_place().configured);
}

std::string DynamodbApi::credentials_source() {
    return place_.credentials ? chain_.get().source
                              : "none: they go to no server that only the spec names";
}

DynamodbApi::Pending DynamodbApi::begin(const std::string& operation, Bytes body,
                                        RequestCounts* counts) {
    Pending pending{operation, std::move(body), {}, {}, counts};
    send(pending);
    return pending;
}

void DynamodbApi::send(Pending& pending) {
    // A server that only a spec names gets a signature, as it may want one, but of nobody.
    pending.signer =
        place_.credentials ? chain_.get() : Credentials{"local", "local", "", std::nullopt, "none"};
    HttpRequest request;
    request.url = place_.url + "/";
    request.headers = {{"Content-Type", "application/x-amz-json-1.0"},
                       {"X-Amz-Target", "DynamoDB_20120810." + pending.operation}};
    request.body = pending.body;
    request.signing =
        Signing{place_.region,         "dynamodb",
                pending.signer.key_id, pending.signer.secret,
                pending.signer.session_token, clock_.now_ms()};
    pending.result = around_.transport->start(std::move(request));
    if (pending.counts != nullptr) ++pending.counts->requests;
}

Reply DynamodbApi::finish(Pending pending) {
    HttpResult result;
    Fault fault;
    RetrySteps steps;
    steps.take = [&] {
        result = pending.result.get();
        fault = {};
        const NextTry next = judge(pending, result, fault);
        if (next == NextTry::slower && pending.counts != nullptr) ++pending.counts->throttles;
        return next;
    };
    steps.send = [&] {
        send(pending);
        if (pending.counts != nullptr) ++pending.counts->retries;
    };
    steps.why_not = [&](int waits, bool stopped) {
        return stopped ? stopped_error(pending.operation)
                       : no_answer_error(pending, result, fault, waits);
    };
    const bool maybe_done = send_until_answered(steps, backoff());
    if (fault.status == 0) return {std::move(result.body), std::nullopt, maybe_done};
    return {{}, std::move(fault), maybe_done};
}

NextTry DynamodbApi::judge(const Pending& pending, const HttpResult& result, Fault& fault) {
    if (!result.failure.empty()) return result.may_help ? NextTry::later : NextTry::hopeless;
    if (!is_whole(result)) return NextTry::later;
    // What stands between may answer in the service's place: a page of a proxy is no answer.
    if (result.status == 200) return is_json_object(result.body) ? NextTry::none : NextTry::later;
    fault = fault_in(result);
    if (is_one_of(throttles, fault.code) || result.status >= 500 || result.status == 429) {
        return says_slower(result, fault) ? NextTry::slower : NextTry::later;
    }
    if (is_one_of(clocks, fault.code) && clock_.mend(result)) return NextTry::renewed;
    if (is_one_of(run_outs, fault.code)) {
        chain_.forget(pending.signer);
        return NextTry::renewed;
    }
    return is_one_of(refusals, fault.code) ? NextTry::hopeless : NextTry::none;
}

Error DynamodbApi::stopped_error(const std::string& operation) const {
    Error error{"the run was stopped while DynamoDB was asked again", Trouble::stopped};
    error.with("store", name()).with("operation", operation);
    return error;
}

Error DynamodbApi::no_answer_error(const Pending& pending, const HttpResult& result,
                                   const Fault& fault, int waits) const {
    const std::string source = place_.credentials ? pending.signer.source : "none";
    if (fault.status != 0) {
        const bool refused = is_one_of(refusals, fault.code);
        Error error = fault_error(refused ? "DynamoDB refuses this request"
                                          : "DynamoDB cannot answer for now",
                                  name(), pending.operation, fault);
        error.with("credentials", source).with("tries", std::to_string(waits + 1));
        if (fault.message == other_region) {
            error.with("region", place_.region)
                .hint("this server is of another region than " + place_.region +
                      ", which is from " + place_.region_source +
                      ": change that, or the endpoint");
        }
        return error;
    }
    Error error{"DynamoDB does not answer"};
    error.with("store", name()).with("operation", pending.operation);
    error.with("cause", result.failure.empty() ? "an answer that is damaged, or no JSON"
                                               : result.failure);
    error.with("tries", std::to_string(waits + 1));
    return error.hint("are network, region and endpoint right?");
}

}  // namespace idxfsck::store
