// store/http/curl_transport.hpp
//
// HTTP over libcurl: any number of requests in flight on one thread of its own, over connections
// that are kept open.
//
// Shape    HTTP/1.1. No redirects, no cookies, no .netrc. Certificates are verified. Proxies as the
//          environment says, but none for this machine and for metadata addresses.
// Errors   As the interface. A request to a place where plain HTTP may not go, or one whose answer
//          is larger than it may be, is a failure that another try cannot help.
// Threads  As the interface. Results come from the transport's thread; destroying it fails what is
//          still under way.

#pragma once

#include <memory>
#include <string>

#include "store/http/transport.hpp"

namespace idxfsck::store {

class CurlTransport : public Transport {
public:
    // `certificates`: a file of certificates to trust instead of the system's; empty: the system's.
    explicit CurlTransport(std::string certificates = {});
    ~CurlTransport() override;

    std::future<HttpResult> start(HttpRequest request) override;

private:
    class Engine;
    std::unique_ptr<Engine> engine_;
};

}  // namespace idxfsck::store
