// store/http/curl_exchange.hpp
//
// One exchange as libcurl sees it: an easy handle with its options, and the result that its
// callbacks fill. For curl_transport.cpp alone.
//
// Threads  Belongs to one thread at a time.

#pragma once

#include <memory>
#include <string>

#include <curl/curl.h>

#include "store/http/transport.hpp"

namespace idxfsck::store {

class CurlExchange {
public:
    explicit CurlExchange(HttpRequest request) : request_{std::move(request)} {}
    CurlExchange(const CurlExchange&) = delete;
    CurlExchange& operator=(const CurlExchange&) = delete;

    // False if the request must not be sent; then finish() says why.
    bool prepare(const std::string& certificates);
    CURL* handle() const { return handle_.get(); }
    std::future<HttpResult> future() { return promise_.get_future(); }

    void finish(CURLcode code);
    void fail(Bytes why, bool may_help);

private:
    struct Free {
        void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
        void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    };

    static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* self);
    static std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* self);
    static int before_sending(void* self, char*, char*, int, int);
    void add_header(const Bytes& name, const Bytes& value);
    void set_request(bool no_proxy);
    void set_signing(const Signing& signing);

    HttpRequest request_;
    HttpResult result_;
    std::promise<HttpResult> promise_;
    std::unique_ptr<CURL, Free> handle_;
    std::unique_ptr<curl_slist, Free> headers_;
    std::size_t header_bytes_ = 0;
    bool too_large_ = false;
    int sendings_ = 0;
};

}  // namespace idxfsck::store
