#include "store/http/curl_exchange.hpp"

#include <ctime>

#include "store/error.hpp"
#include "store/http/address.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t header_bytes_max = 64 << 10;

Bytes basic_time(std::int64_t time_ms) {
    const std::time_t seconds = static_cast<std::time_t>(time_ms / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts)};
}

BytesView trimmed(BytesView text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

// What went wrong on the way may not go wrong again, unless it is the request or the trust.
bool may_help(CURLcode code) {
    switch (code) {
        case CURLE_URL_MALFORMAT:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_OUT_OF_MEMORY:
        case CURLE_BAD_FUNCTION_ARGUMENT: return false;
        default: return true;
    }
}

}  // namespace

BytesView HttpResult::header(BytesView name) const {
    for (const HttpHeader& header : headers) {
        if (header.name == name) return header.value;
    }
    return {};
}

bool CurlExchange::prepare(const std::string& certificates) {
    const std::optional<HttpAddress> address = parse_address(request_.url);
    if (!address) return result_.failure = "the address of the server is none", false;
    if (!may_send(*address, request_.plain)) {
        return result_.failure = "plain HTTP goes to this machine only: use https", false;
    }
    handle_.reset(curl_easy_init());
    if (!handle_) return result_.failure = "libcurl gives no handle", false;
    set_request(!address->encrypted);
    if (!certificates.empty()) {
        curl_easy_setopt(handle(), CURLOPT_CAINFO, certificates.c_str());
    }
    if (request_.signing) set_signing(*request_.signing);
    for (const HttpHeader& header : request_.headers) add_header(header.name, header.value);
    curl_easy_setopt(handle(), CURLOPT_HTTPHEADER, headers_.get());
    return true;
}

void CurlExchange::set_request(bool no_proxy) {
    CURL* const curl = handle();
    curl_easy_setopt(curl, CURLOPT_URL, request_.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L << 10);
    // Large bodies ask first. Taking that header away by hand would spoil the signature, which
    // covers every header that is given by hand.
    curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_ms_max));
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request_.total_ms_max));
    if (no_proxy) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    if (request_.method != "GET") {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(request_.body.size()));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request_.body.data());
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    }
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, before_sending);
    curl_easy_setopt(curl, CURLOPT_PREREQDATA, this);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, this);
}

void CurlExchange::set_signing(const Signing& signing) {
    const Bytes scheme = "aws:amz:" + signing.region + ":" + signing.service;
    curl_easy_setopt(handle(), CURLOPT_AWS_SIGV4, scheme.c_str());
    curl_easy_setopt(handle(), CURLOPT_USERNAME, signing.key_id.c_str());
    curl_easy_setopt(handle(), CURLOPT_PASSWORD, signing.secret.c_str());
    // libcurl signs with the time of this header if it is there, else with the machine's.
    add_header("X-Amz-Date", basic_time(signing.time_ms));
    if (!signing.session_token.empty()) add_header("X-Amz-Security-Token", signing.session_token);
}

void CurlExchange::add_header(const Bytes& name, const Bytes& value) {
    const Bytes line = name + ":" + (value.empty() ? "" : " " + value);
    // A line end would begin another header.
    if (line.find_first_of(BytesView{"\r\n\0", 3}) != Bytes::npos) return;
    curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
    ensure(longer != nullptr, "there is memory for a header");
    static_cast<void>(headers_.release());
    headers_.reset(longer);
}

// libcurl sends again by itself what got no answer on a connection that had been used before. The
// server may have done it: only the caller knows whether it may be done twice.
int CurlExchange::before_sending(void* self, char*, char*, int, int) {
    auto& exchange = *static_cast<CurlExchange*>(self);
    return ++exchange.sendings_ == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

std::size_t CurlExchange::take_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& exchange = *static_cast<CurlExchange*>(self);
    const std::size_t more = size * count;
    Bytes& body = exchange.result_.body;
    if (more > exchange.request_.response_bytes_max - body.size()) {
        exchange.too_large_ = true;
        return 0;
    }
    body.append(bytes, more);
    return more;
}

std::size_t CurlExchange::take_header(char* bytes, std::size_t size, std::size_t count,
                                      void* self) {
    auto& exchange = *static_cast<CurlExchange*>(self);
    const BytesView line{bytes, size * count};
    exchange.header_bytes_ += line.size();
    if (exchange.header_bytes_ > header_bytes_max) {
        exchange.too_large_ = true;
        return 0;
    }
    // A new status line: what came before belonged to an interim answer.
    if (line.starts_with("HTTP/")) exchange.result_.headers.clear();
    const std::size_t colon = line.find(':');
    if (colon == BytesView::npos) return line.size();
    HttpHeader header{Bytes{trimmed(line.substr(0, colon))},
                      Bytes{trimmed(line.substr(colon + 1))}};
    for (char& character : header.name) {
        if (character >= 'A' && character <= 'Z') character = static_cast<char>(character + 32);
    }
    exchange.result_.headers.push_back(std::move(header));
    return line.size();
}

void CurlExchange::finish(CURLcode code) {
    if (too_large_) {
        result_.failure = "the answer is larger than it may be";
    } else if (code != CURLE_OK && sendings_ > 1) {
        result_.failure = "the server closed the connection without an answer";
        result_.may_help = true;
    } else if (code != CURLE_OK) {
        result_.failure = curl_easy_strerror(code);
        result_.may_help = may_help(code);
    } else if (handle_) {
        long status = 0;
        curl_easy_getinfo(handle(), CURLINFO_RESPONSE_CODE, &status);
        result_.status = static_cast<int>(status);
    }
    if (!result_.failure.empty()) result_.body.clear();
    promise_.set_value(std::move(result_));
}

void CurlExchange::fail(Bytes why, bool helps) {
    result_ = {};
    result_.failure = std::move(why);
    result_.may_help = helps;
    promise_.set_value(std::move(result_));
}

}  // namespace idxfsck::store
