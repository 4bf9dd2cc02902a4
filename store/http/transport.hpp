// store/http/transport.hpp
//
// One HTTP exchange: a request, and what came of it. Implemented by curl_transport.hpp, and by
// scripts in tests.
//
// Errors   What the network does is a HttpResult, a value: an answer of any status, or `failure`.
//          Nothing here is tried twice.
// Threads  start() may run on any threads at once.

#pragma once

#include <future>
#include <optional>
#include <vector>

#include "store/bytes.hpp"

namespace idxfsck::store {

struct HttpHeader {
    Bytes name;  // of a result: in lower case
    Bytes value;
};

// AWS Signature Version 4. The secret goes into the signature and nowhere else.
struct Signing {
    Bytes region;
    Bytes service;
    Bytes key_id;
    Bytes secret;
    Bytes session_token;  // empty: none
    std::int64_t time_ms = 0;  // since 1970: when the request says that it is sent
};

// Where a request without TLS may go.
enum class PlainHttp {
    loopback,  // this machine alone
    metadata,  // also the link-local addresses at which a cloud tells a machine who it is
};

struct HttpRequest {
    Bytes method = "POST";
    Bytes url;
    std::vector<HttpHeader> headers;
    Bytes body;
    std::optional<Signing> signing;
    PlainHttp plain = PlainHttp::loopback;
    std::int64_t connect_ms_max = 5'000;
    std::int64_t total_ms_max = 60'000;
    std::size_t response_bytes_max = 64 << 20;
};

struct HttpResult {
    int status = 0;
    std::vector<HttpHeader> headers;
    Bytes body;
    Bytes failure;            // why no whole answer came, without anything secret; empty if one did
    bool may_help = false;    // could another try fare better?

    // The value of the first header of this name (lower case); empty if there is none.
    BytesView header(BytesView name) const;
};

class Transport {
public:
    virtual ~Transport() = default;

    // Starts an exchange; many may be under way. The result never holds an exception.
    virtual std::future<HttpResult> start(HttpRequest request) = 0;
};

}  // namespace idxfsck::store
